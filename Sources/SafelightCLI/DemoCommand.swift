import ArgumentParser
import Safelight

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Edits a photo, or a scene of its own making, and shows before and after.",
    usage: "safelight demo [<options>]",
    discussion: """
      Writes the edited picture, levelled by its horizon, a before/after split, a contact sheet of all looks, the
      horizon's evidence and the scopes into a folder of their own, and replaces those of
      an earlier demo there.

      Examples:
        safelight demo
        safelight demo --photo harbour.jpg --preset faded
      """)

  @Option(help: ArgumentHelp("The photo; without one a scene is rendered", valueName: "photo"))
  var photo: String?

  @Option(help: ArgumentHelp("The folder to write into", valueName: "folder"))
  var output = "out"

  @OptionGroup
  var files: OverwriteOption

  @Option(help: ArgumentHelp("The look", valueName: "name"))
  var preset = "golden-hour"

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws { preset = try PresetLibrary.checkedName(preset) }

  func run() throws {
    var watch = Stopwatch()
    var recipe = try PresetLibrary.preset(preset).recipe
    // Before anything is written: a mistyped name leaves no folder behind.
    if let photo { _ = try PhotoHeader.read(photo) }
    try checkFolder()
    try FileContents.makeFolder(output)
    try FileContents.write([], to: mark, overwrite: true)
    let original: String
    if let photo {
      original = photo
    } else {
      original = "\(output)/original.jpg"
      let scene = SyntheticScene.demonstration()
      let buffer = try watch.measure("scene") { try scene.render() }
      let writer = try PhotoWriter(to: original, size: buffer.size, quality: 95, overwrite: true)
      try writer.write(buffer)
      try writer.finish()
      report(original, buffer.size, watch.steps, watch.total)
    }

    let sample = try PhotoSample(contentsOf: original)
    let straightening = AutoStraightening(sample)
    Output.line(straightening.summary)
    if let angle = straightening.angle { recipe.filters.append(Straighten(angle)) }

    let edited = "\(output)/edited.jpg"
    var export = PhotoExport()
    export.overwrite = true
    let first = try export.run(original, through: recipe, to: edited)
    report(edited, first.outputSize, first.steps, first.seconds)

    var comparison = export
    comparison.comparison = .init(layout: .split(at: 0.5))
    let split = "\(output)/before-after.jpg"
    let second = try comparison.run(original, through: recipe, to: split)
    report(split, second.outputSize, second.steps, second.seconds)

    var sheetWatch = Stopwatch()
    let sheet = "\(output)/looks.jpg"
    let picture = try sheetWatch.measure("decode") { try Photo(contentsOf: original) }
    let looks = try sheetWatch.measure("render") {
      try PresetSheet.render(CPURenderer().render(picture, through: recipe.geometryOnly))
    }
    try sheetWatch.measure("encode") {
      let writer = try PhotoWriter(to: sheet, size: looks.size, tags: looks.tags, overwrite: true)
      try writer.write(looks)
      try writer.finish()
    }
    report(sheet, looks.size, sheetWatch.steps, sheetWatch.total)

    try draw("horizon.jpg") { try HorizonDrawing(sample, PhotoHorizon(sample)).render() }
    try draw("scopes.png") { try ScopesPicture(sample, title: "Original").render() }
  }

  private static let names = [
    "original.jpg", "edited.jpg", "before-after.jpg", "looks.jpg", "horizon.jpg", "scopes.png",
  ]

  /// An empty file that says that the pictures in the folder are a demo's.
  private var mark: String { "\(output)/.safelight-demo" }

  /// Refuses to replace pictures that no demo has made, or the photo itself.
  private func checkFolder() throws {
    var outputs = OutputFiles(overwrite: files.overwrite)
    outputs.read(photo, "the photo")
    let isOwn = FileContents.isRegular(mark)
    for name in Self.names where photo == nil || name != Self.names[0] {
      try outputs.write("\(output)/\(name)", "--output") { _ in isOwn }
    }
  }

  private func draw(_ name: String, _ render: () throws -> PixelBuffer) throws {
    var watch = Stopwatch()
    let path = "\(output)/\(name)"
    let picture = try watch.measure("render", render)
    try watch.measure("encode") { try picture.write(to: path, overwrite: true) }
    report(path, picture.size, watch.steps, watch.total)
  }

  private func report(_ path: String, _ size: PixelSize, _ steps: [Stopwatch.Step], _ total: Double) {
    Output.done(
      "\(path.padded(to: 24, left: true)) \(size.description.padded(to: 10))  \(Output.steps(steps, total: total))"
    )
  }
}
