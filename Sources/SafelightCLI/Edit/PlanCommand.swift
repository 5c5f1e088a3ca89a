import ArgumentParser
import Profiling
import Safelight

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Prints how an edit would be run, as databases print EXPLAIN.",
    discussion: """
      Every stage with what it does, the measured error of baked tables, the
      segments that renderers run in one go with how far their stages read, and
      an estimate of the cost.

      Examples:
        safelight plan in.jpg --preset teal-orange --straighten 2
        safelight plan in.jpg --auto all --straighten auto
        safelight plan in.dng --lens auto
        safelight plan deep.tiff --preset faded --format jpeg
        safelight plan --size 3840x2160 --exposure 0.7 --saturation 10 --json
        safelight plan --size 1920x1080 --input yuyv --preset faded
      """)

  @Argument(
    help: ArgumentHelp(
      "A photo; its header is read, and its pixels if values are to be found in it", valueName: "in"),
    completion: .file())
  var input: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Instead of a photo: an 8-bit sRGB picture of this size", valueName: "WxH"),
    transform: SizeText.parse)
  var size: PixelSize?

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "With --size, plan for live frames of this format: \(ProfileInput.allCases.map(\.rawValue).joined(separator: ", "))",
      valueName: "format"))
  var frames: ProfileInput?

  @OptionGroup(title: "Edit")
  var edit: PhotoEditOptions

  @Option(
    help: ArgumentHelp(
      "Format of the result, which decides its depth; keep is the photo's own", valueName: "format"))
  var format: ResultFormat = .keep

  @Option(
    help: ArgumentHelp("Colour space of the result; keep makes camera raws sRGB", valueName: "space"))
  var colorSpace: OutputColorSpace = .keep

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Shrink a larger result to a long edge or to fit into a box; never enlarges",
      valueName: "EDGE|WxH"), transform: SizeText.box)
  var maxSize: PixelSize?

  @OptionGroup
  var sampling: InterpolationOption

  @OptionGroup
  var backend: BackendOptions

  @Flag(help: "Print the plan as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    guard input != nil || size != nil else {
      throw ValidationError("Missing the input; give a photo, or --size WxH.")
    }
    guard input == nil || size == nil else {
      throw ValidationError("A photo and --size exclude each other; give one of them.")
    }
    guard frames == nil || size != nil else {
      throw ValidationError("--input has no effect without --size; give both or neither.")
    }
    guard frames == nil || (format == .keep && colorSpace == .keep && maxSize == nil) else {
      throw ValidationError(
        "--format, --color-space and --max-size are for photos, and --input is for live frames; leave one of them out."
      )
    }
    guard input != nil || edit.lens == nil || edit.lens == .off else {
      throw ValidationError("There is no photo whose lens to look up; give one instead of --size.")
    }
    guard input != nil || !edit.asked.needsPhoto else {
      throw ValidationError("There is nothing to find values in; give a photo instead of --size.")
    }
  }

  func run() throws {
    let renderer = try backend.request.makeRenderer()
    let (recipe, found) =
      try input.map { try edit.asked.resolve($0, in: .telling) } ?? (edit.asked.recipe(in: .telling), nil)
    let plan = try makePlan(recipe, renderer)
    let report = renderer.backendReport(for: plan)
    if json { return try Output.json(PlanReport(plan, found: found, backend: report)) }
    found?.printNotes()
    for note in plan.notes { Output.warning(note) }
    for note in renderer.takeBackendNotes() { Output.warning(note) }
    let cost = PlanCost(plan)
    Output.line(plan.description, terminator: "")
    Output.line("\nsegments\n" + plan.segmentText.indented)
    if !plan.records.isEmpty { Output.line("\npasses\n" + plan.log.indented) }
    Output.line("\ncost, estimated for one core (\(CPURenderer.instructionSet))")
    for row in cost.rows {
      Output.line(
        "  \(PlainNumber.fixed(row.milliseconds, 1).padded(to: 8)) ms  \(PlainNumber.fixed(row.megapixels, 2)) Mpx × "
          + "\(PlainNumber.fixed(row.nanosecondsPerPixel, 1)) ns  \(row.stage)")
    }
    Output.line("  \(PlainNumber.fixed(cost.milliseconds, 1).padded(to: 8)) ms  together")
    Output.line("\nbackend  \(report.text)")
  }

  private var export: PhotoExport {
    var export = PhotoExport()
    (export.format, export.colorSpace) = (format.fileFormat, colorSpace)
    (export.maximumSize, export.interpolation) = (maxSize, sampling.interpolation)
    return export
  }

  /// The plan for the photo's header, for live frames, or for a picture of the given size.
  private func makePlan(_ recipe: Recipe, _ renderer: any Renderer) throws -> Plan {
    if let frames, let size {
      return try LiveLook(recipe).plan(
        for: frames.planInput(size: size), interpolation: sampling.interpolation, renderer: renderer)
    }
    guard let input else {
      let input = PlanInput(size: size ?? PixelSize(width: 0, height: 0))
      let (output, _) = try export.planOutput(
        from: input.format, tags: .sRGB, writing: format.fileFormat ?? .jpeg)
      return try renderer.plan(recipe, input: input, output: output)
    }
    return try export.plan(recipe, for: PhotoHeader.read(input), renderer: renderer)
  }
}
