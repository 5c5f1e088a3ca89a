import ArgumentParser
import Safelight

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Makes one photo of several: a burst with less noise, or a bracket with all its light.",
    discussion: """
      A burst's photos are aligned with the reference and averaged where they agree;
      where something moves, the reference is kept. Eight photos have 9 dB less noise
      than one. With --exposures, photos of different exposure are fused: each place
      is taken from those that expose it well.

      The photos must be of one size. Edits are applied to the merged picture, which
      has 16 bits. The metadata are the reference's.

      Examples:
        safelight merge night-1.jpg night-2.jpg night-3.jpg -o night.jpg
        safelight merge a.jpg b.jpg c.jpg -o out.tiff --reference 2 --preset faded
        safelight merge under.jpg normal.jpg over.jpg -o window.jpg --exposures
      """)

  @Argument(help: ArgumentHelp("Two or more photos of one scene", valueName: "in"), completion: .file())
  var inputs: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write: .jpg, .png, .tiff, .webp, .heic, .avif or .jxl", valueName: "out"),
    completion: .file())
  var output: String

  @Flag(help: "Fuse photos of different exposure")
  var exposures = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The photo that the others are aligned with, from 1", valueName: "number"),
    transform: LiveOptionText.count)
  var reference: Int?

  @OptionGroup
  var files: OverwriteOption

  @OptionGroup(title: "Edit")
  var edit: PhotoEditOptions

  @OptionGroup(title: "Result")
  var results: ResultOptions<PlainResultFlags>

  @OptionGroup
  var sampling: InterpolationOption

  @Flag(help: "Print what was done as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    try edit.refuseLens()
    let counts = exposures ? ExposureFusion.pictureCounts : 2...FrameMerge.maximumFrames
    if inputs.count == 1, FileContents.kind(of: inputs[0]) == .folder || inputs[0].contains("*") {
      throw ValidationError(
        "\(inputs[0]) is not a photo; name the photos, or let the shell do it: safelight merge folder/*.jpg -o \(output)."
      )
    }
    guard counts.contains(inputs.count) else {
      throw ValidationError(
        "\(inputs.count == 1 ? "One photo was" : "\(inputs.count) photos were") given; "
          + "give \(counts.lowerBound)…\(counts.upperBound) of one scene.")
    }
    guard reference == nil || !exposures else {
      throw ValidationError("--reference has no effect with --exposures; give one of them.")
    }
    guard output != "-" else {
      throw ValidationError(
        "Results are written as whole files, not to standard output; name one, ./- for a file of that name.")
    }
    try results.checkFormat(of: output)
  }

  func run() throws {
    var outputs = OutputFiles(overwrite: files.overwrite)
    outputs.read(inputs, "a photo of the merge")
    try outputs.write(output, "-o")
    let snapshot = FileSnapshot.telling
    let asked = edit.asked
    // What can be refused is refused before the long part.
    _ = try asked.recipe(in: snapshot)
    outputs.read(snapshot, recipe: edit.edit.recipe)
    try outputs.check()
    try Self.requireWritable(output, results.export.format, overwrite: files.overwrite)
    var watch = Stopwatch()
    let photos = try watch.measure("decode") { try inputs.map { try Photo(contentsOf: $0) } }
    let merge = PhotoMerge(exposures ? .exposures : .average, reference: (reference ?? 1) - 1)
    let result = try watch.measure("merge") { try merge.merge(photos) }
    let merged = result.photo
    let frame = Frame(buffer: merged.buffer, orientation: merged.orientation)
    let (recipe, found) = try asked.resolve(PhotoSample(frame, named: output), in: snapshot)
    var export = results.export
    export.overwrite = files.overwrite
    export.interpolation = sampling.interpolation
    let report = try export.write(
      merged.buffer, orientation: merged.orientation, through: recipe, metadata: merged.metadata, to: output,
      renderer: CPURenderer(), timing: watch)
    let warnings = zip(inputs, photos).flatMap { input, photo in photo.warnings.map { "\(input): \($0)" } }
    if json {
      var told = MergeReport(inputs, merge.method, result, writtenTo: output, report)
      told.warnings = warnings + told.warnings
      return try Output.json(told)
    }
    found?.printNotes()
    for warning in warnings + report.warnings { Output.warning(warning) }
    for (input, shift) in zip(inputs, result.shifts) where !shift.isFound {
      Output.warning("\(input) has nothing in common with the others, so that it could not be aligned")
    }
    if let noise = result.statistics?.noise {
      Output.detail("noise of one photo  \(PlainNumber.fixed(noise, 2)) of 255 at middle grey")
    }
    for (input, frame) in zip(inputs, result.statistics?.frames ?? []) {
      let shift = "\(PlainNumber.fixed(frame.shiftX, 1)), \(PlainNumber.fixed(frame.shiftY, 1))"
      Output.detail("\(input)  shifted by \(shift)  \(PlainNumber.fixed(100 * frame.rejected, 1)) % left out")
    }
    Output.done(
      "\(output)  \(report.outputSize)  \(ByteText.text(report.bytes))  "
        + Output.steps(report.steps, total: report.seconds))
  }

  /// Finds out before the long part whether the result can be written.
  private static func requireWritable(_ output: String, _ format: PhotoFileFormat?, overwrite: Bool) throws {
    try (format ?? PhotoFileFormat(forWritingTo: output)).requireEncoder(toWrite: output)
    try OutputFile(path: output, overwrite: overwrite).discard()
  }
}
