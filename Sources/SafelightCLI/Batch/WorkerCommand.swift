import ArgumentParser
import Safelight

struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Edits and analyses photos at the request of another program, over pipes.",
    discussion: """
      For programs that spread photos over processes and machines. The edit is given
      by flags, as for safelight batch. The first line on standard output tells the
      edit, the format and the limits; then each line of JSON on standard input is a
      request, and each is answered by a line, in their order:

        {"do":"edit","input":"a.jpg","output":"b.jpg"}
        {"do":"analyze","input":"a.jpg"}
        {"id":7,"do":"edit","bytes":81234}      then 81234 bytes of a photo

      A photo that fails is answered with "failed" and its reason. The worker ends
      when its input is closed. docs/worker.md describes all messages.

      Examples:
        safelight worker --preset warm-film --max-size 2048 --format jpeg
      """)

  @OptionGroup(title: "Edit")
  var edit: PhotoEditOptions

  @OptionGroup(title: "Results")
  var results: ResultOptions<PlainResultFlags>

  @OptionGroup
  var sampling: InterpolationOption

  @OptionGroup
  var backend: BackendOptions

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    // Standard input is for requests.
    guard edit.edit.recipe != "-" else {
      throw ValidationError("Standard input of a worker is for requests; name a file for --recipe.")
    }
  }

  func run() throws {
    let (asked, files) = (edit.asked, FileSnapshot())
    var export = results.export
    export.interpolation = sampling.interpolation
    let format = results.format.fileFormat
    var settings = try asked.batchSettings(export, format: format, in: files)
    let renderer = try backend.request.makeRenderer(threads: 1, jobs: ProcessorCount.usable)
    settings.renderer = { renderer }
    let recipe = try asked.recipe(in: files)
    let identity = try recipe.fingerprint(
      options: [asked.automaticText] + export.fingerprintOptions, in: files)
    // The lens of a photo is found in the photo.
    let isOpen = asked.needsPhoto || asked.lens != nil && asked.lens != .off
    try WorkerService.run(
      LocalBatchEditor(settings),
      hello: WorkerHello(edit: identity, recipe: isOpen ? nil : recipe.json(), format: format))
  }
}

extension Edit {
  /// Returns how the photos of a batch are edited with this edit.
  ///
  /// - Parameters:
  ///   - format: that of the results; nil keeps that of each photo.
  ///   - files: holds the recipe file and its tables.
  func batchSettings(
    _ export: PhotoExport, format: PhotoFileFormat?, in files: FileSnapshot
  ) throws -> LocalBatchEditor.Settings {
    let (asked, shared) = (self, try recipe(in: files))
    var settings = LocalBatchEditor.Settings(export: export, format: format) {
      asked.mayCorrectLens(of: $0.path) ? try asked.resolveLens(of: $0.header, in: files).recipe : shared
    }
    if asked.needsPhoto || asked.lens != .off {
      // Most photos have no lens to correct, and so no recipe of their own.
      settings.recipeFinding = {
        guard asked.needsPhoto || asked.mayCorrectLens(of: $0.path) else { return nil }
        return try asked.resolve($0, in: files)
      }
      settings.looksAtPixels = asked.needsPhoto
    }
    return settings
  }
}
