import ArgumentParser
import Safelight

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Edits a photo or a generated scene, and shows before and after.",
    usage: "safelight demo [<options>]",
    discussion: """
      Writes the edited picture (levelled by its horizon), a before/after split, a
      contact sheet of all looks, the evidence for the horizon and the scopes into
      one folder, and replaces those of an earlier demo there.

      Examples:
        safelight demo
        safelight demo --photo harbour.jpg --preset faded
      """)

  @Option(
    help: ArgumentHelp("The photo (default: a generated scene)", valueName: "photo"),
    completion: .file())
  var photo: String?

  @Option(
    help: ArgumentHelp("The folder to write into", valueName: "folder"), completion: .directory)
  var output = "out"

  @OptionGroup
  var files: OverwriteOption

  @Option(help: ArgumentHelp("The look", valueName: "name"), completion: .list(PresetLibrary.ids))
  var preset = "golden-hour"

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws { preset = try PresetLibrary.checkedName(preset) }

  func run() throws {
    var watch = Stopwatch()
    var recipe = try PresetLibrary.preset(preset, own: .standard).recipe
    // Before anything is written, so that a mistyped name leaves no folder behind.
    if let photo { _ = try PhotoHeader.read(photo) }
    try checkFolder()
    try Folder.make(output)
    let original: String
    if let photo {
      original = photo
    } else {
      original = "\(output)/original.jpg"
      let scene = SyntheticScene.demonstration()
      let buffer = try watch.measure("scene") { try scene.render() }
      try write(buffer, to: original, quality: 95)
      report(original, buffer.size, watch.steps, watch.total)
    }

    let sample = try PhotoSample(contentsOf: original)
    let straightening = AutoStraightening(sample)
    Output.line(straightening.summary)
    if let angle = straightening.angle { recipe.filters.append(Straighten(angle)) }

    let edited = "\(output)/edited.jpg"
    var export = PhotoExport()
    export.software = Self.software
    export.overwrite = mayReplace(edited)
    let first = try export.run(original, through: recipe, to: edited)
    first.warnings.forEach(Output.warning)
    report(edited, first.outputSize, first.steps, first.seconds)

    var comparison = export
    comparison.comparison = .init(layout: .split(at: 0.5))
    let split = "\(output)/before-after.jpg"
    comparison.overwrite = mayReplace(split)
    let second = try comparison.run(original, through: recipe, to: split)
    for warning in second.warnings where !first.warnings.contains(warning) { Output.warning(warning) }
    report(split, second.outputSize, second.steps, second.seconds)

    var sheetWatch = Stopwatch()
    let sheet = "\(output)/looks.jpg"
    let picture = try sheetWatch.measure("decode") { try Photo(contentsOf: original) }
    let looks = try sheetWatch.measure("render") {
      try PresetSheet.render(CPURenderer().render(picture, through: recipe.geometryOnly))
    }
    try sheetWatch.measure("encode") { try write(looks, to: sheet) }
    report(sheet, looks.size, sheetWatch.steps, sheetWatch.total)

    try draw("horizon.jpg") { try HorizonDrawing(sample, PhotoHorizon(sample)).render() }
    try draw("scopes.jpg") { try ScopesPicture(sample, title: "Original").render() }
  }

  private static let names = [
    "original.jpg", "edited.jpg", "before-after.jpg", "looks.jpg", "horizon.jpg", "scopes.jpg",
  ]

  /// The beginning of EXIF's Software in a demo's pictures, which the next demo may replace.
  private static let signature = "Safelight demo"
  private static let software = "\(signature) \(SafelightVersion.current)"

  /// Whether a file is a picture written by a demo, not one that somebody has put there since.
  private static func isOwn(_ path: String) -> Bool {
    (try? PhotoHeader.read(path))?.metadata.software?.hasPrefix(signature) ?? false
  }

  private func mayReplace(_ path: String) -> Bool { files.overwrite || Self.isOwn(path) }

  /// Refuses to replace pictures that were not written by a demo, or the photo itself.
  private func checkFolder() throws {
    var outputs = OutputFiles(overwrite: files.overwrite)
    outputs.read(photo, "the photo")
    for name in Self.names where photo == nil || name != Self.names[0] {
      try outputs.write("\(output)/\(name)", "--output", isOwn: Self.isOwn)
    }
  }

  private func write(_ picture: PixelBuffer, to path: String, quality: Int = 92) throws {
    let writer = try PhotoWriter(
      to: path, size: picture.size, quality: quality, tags: picture.tags,
      metadata: PhotoMetadata().signed(software: Self.software), alpha: picture.alpha,
      overwrite: mayReplace(path))
    try writer.write(picture)
    try writer.finish()
    writer.warnings.forEach(Output.warning)
  }

  private func draw(_ name: String, _ render: () throws -> PixelBuffer) throws {
    var watch = Stopwatch()
    let path = "\(output)/\(name)"
    let picture = try watch.measure("render", render)
    try watch.measure("encode") { try write(picture, to: path) }
    report(path, picture.size, watch.steps, watch.total)
  }

  private func report(_ path: String, _ size: PixelSize, _ steps: [Stopwatch.Step], _ total: Double) {
    Output.done(
      "\(path.padded(to: 24, left: true)) \(size.description.padded(to: 10))  \(Output.steps(steps, total: total))"
    )
  }
}
