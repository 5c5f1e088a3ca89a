import ArgumentParser
import Safelight

extension PresetsCommand {
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Keeps looks of other programs as your own.",
      usage: "safelight presets import [<options>] <from> ...",
      discussion: """
        Read are presets of Lightroom and Camera Raw (.xmp, .lrtemplate), styles of
        darktable (.dtstyle) and its .xmp, styles and presets of Capture One (.costyle,
        .copreset), and recipes (.json). A folder stands for all of them in it.

        Of each file, every setting that would change a picture is listed: as exact,
        if its number means the same here; as approximate, if it is used with
        Safelight's own curves; or as ignored, with the reason. A different look of
        the same name is kept, unless with --overwrite.

        Examples:
          safelight presets import Portra.xmp
          safelight presets import Portra.xmp --name 'Portra, Soft'
          safelight presets import lightroom-presets/ styles/*.dtstyle
          safelight presets import shoot/0061.CR3.xmp --json
        """)

    @Argument(help: ArgumentHelp("Files of looks, or folders", valueName: "from"), completion: .file())
    var sources: [String]

    @Option(help: ArgumentHelp("The look's name (default: that in the file)", valueName: "name"))
    var name: String?

    @Flag(help: "Replace different looks of your own that have the same names")
    var overwrite = false

    @Flag(help: "Print what was imported as JSON")
    var json = false

    @OptionGroup
    var verbosity: VerbosityOptions

    func run() throws {
      var importing = PresetImport(into: try PresetsCommand.folder(), overwrite: overwrite)
      let files = try PresetImport.files(of: sources)
      guard name == nil || files.count == 1 else {
        throw SafelightError(
          .invalidValue, "--name is for one file, and there are \(files.count)",
          remedy: "leave it out, or import one")
      }
      var reports: [PresetImportReport] = []
      var problems: [SafelightError] = []
      for file in files {
        do {
          let report = try importing.add(file, as: name)
          reports.append(report)
          if !json { Self.tell(report) }
        } catch let error as SafelightError {
          problems.append(error)
        }
      }
      if json { try Output.json(reports) }
      for problem in problems { Output.note("Error: \(problem)") }
      if !json, files.count > 1 {
        Output.done("\(reports.count) of \(files.count) files imported")
      }
      if !problems.isEmpty { throw ExitCode(1) }
    }

    private static func tell(_ report: PresetImportReport) {
      for note in report.notes { Output.warning("\(report.file): \(note)") }
      let keeping = report.keeping == .new ? "" : "  (\(report.keeping.rawValue))"
      Output.done("\(report.preset)  \(report.path)\(keeping)")
      for line in ImportText.lines(report.settings) { Output.done(line) }
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rename", abstract: "Gives a look of your own another name.",
      discussion: """
        Edits that use it keep their look: they have its filters, not its name alone.

        Example:
          safelight presets rename harbour-dusk 'Harbour Night'
        """)

    @Argument(help: "The look's name", completion: .list(PresetFolder.standard?.ids ?? []))
    var name: String

    @Argument(help: "Its new name")
    var newName: String

    @Flag(help: "Print the look as JSON")
    var json = false

    @OptionGroup
    var verbosity: VerbosityOptions

    func run() throws {
      let folder = try PresetsCommand.folder()
      let preset = try folder.rename(folder.id(named: name) ?? name, to: newName)
      if json { return try Output.json(PresetDescription(preset)) }
      Output.done("\(preset.id)  \(folder.path)/\(preset.id).json")
    }
  }
}
