import ArgumentParser
import Safelight

/// The program; its subcommands do the work.
@main
struct SafelightCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "safelight",
    abstract: "Edits photos and live frames: one recipe, the same pixels everywhere.",
    discussion: """
      Examples:
        safelight edit harbour.jpg -o warm.jpg --preset warm-film
        safelight edit harbour.jpg -o square.jpg --straighten 1.8 --crop square
        safelight edit harbour.jpg -o both.jpg --preset teal-orange --compare split
        safelight edit in.jpg -o sky.jpg --masked 'linear 0,0.6 0,0.3: exposure -1'
        safelight mask harbour.jpg 'luminance 0.7..1' -o mask.png
        safelight studio shoot/ --open
        safelight rate shoot/0061.jpg --stars 4 --flag pick
        safelight presets sheet harbour.jpg -o looks.jpg
        safelight analyze harbour.jpg --scopes scopes.png
        safelight similar shoot/ --best-of-bursts
        safelight horizon harbour.jpg --draw evidence.jpg
        safelight match best.jpg shoot/*.jpg --save
        safelight scan letter-*.jpg -o letter.pdf --even
        safelight live --source synthetic --to preview --preset noir
        safelight capture -o photos/ --preset warm-film --on key
        safelight record -o clip.mp4 --preset warm-film
        safelight slideshow panels/ --voice take.wav -o story.mp4
        safelight audio record -o take.wav
        safelight plan harbour.jpg --preset faded --resize 2048
        safelight profile --preset faded --size 4K
        safelight --gpu list
      """,
    version: SafelightVersion.current,
    subcommands: [
      EditCommand.self, StudioCommand.self, BatchCommand.self, WorkerCommand.self, RecipeCommand.self,
      ExportCommand.self,
      RateCommand.self,
      AnalyzeCommand.self, VisionCommand.self, SimilarCommand.self,
      HorizonCommand.self, MatchCommand.self, ScanCommand.self, LiveCommand.self, CaptureCommand.self,
      RecordCommand.self,
      AudioCommand.self,
      SlideshowCommand.self, FinishCommand.self, MergeCommand.self, ProfileCommand.self,
      DevicesCommand.self, PlanCommand.self, MaskCommand.self, FiltersCommand.self, PresetsCommand.self,
      DemoCommand.self,
      ManualCommand.self,
    ])

  static func main() {
    Output.openStandardStreams()
    TemporaryFiles.removeOnSignals()
    Output.surviveFileSizeLimit()
    var commands: [any ParsableCommand.Type] = [Self.self]
    do {
      try CPURenderer.checkEnvironment()
      if let listing = GPUListing(CommandLine.arguments.dropFirst()) {
        try listing.print()
      } else {
        let arguments = TypedArguments.normalized(Array(CommandLine.arguments.dropFirst()))
        commands = try TypedArguments.commands(in: arguments, of: Self.self)
        try TypedArguments.checkDashes(in: arguments, of: commands[commands.count - 1])
        var command = try parseAsRoot(arguments)
        try command.run()
      }
      try Output.finish()
    } catch {
      let code = exitCode(for: error)
      // Help and the version.
      guard code != .success else { return finish(printing: fullMessage(for: error)) }
      // Names in error messages must not control the terminal.
      if let error = error as? SafelightError {
        Output.note("Error: \(error.forCommandLine)")
      } else {
        let message = TypedArguments.message(fullMessage(for: error), for: commands[commands.count - 1])
        if !message.isEmpty { Output.problem(message) }
      }
      exit(withError: code)
    }
  }

  /// Prints the requested text and exits, with an error if it could not be written.
  private static func finish(printing text: String) {
    do {
      if !text.isEmpty { print(text) }
      try Output.finish()
    } catch {
      Output.note("Error: \(error)")
      exit(withError: ExitCode.failure)
    }
  }
}
