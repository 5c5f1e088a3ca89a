import ArgumentParser
import Safelight

extension MaskDrawing: ExpressibleByArgument {}

struct MaskCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mask",
    abstract: "Draws masks on a photo, to see where groups of filters act.",
    usage: "safelight mask [<options>] --output <out> <in> [<mask>]",
    discussion: """
      A mask is one of these, or several of them combined:
        linear X,Y X,Y                   0 at the first place, 1 at the second
        radial X,Y R[xR]                 an ellipse; feather 0…1, angle in degrees
        luminance A..B                   lightness 0…1; soft 0…1
        color #RRGGBB                    range 0…1, soft 0…1
        polygon X,Y X,Y X,Y …
        brush R X,Y …                    hardness 0…1, flow 0…1; then stroke R X,Y …
                                         or erase R X,Y …
        not MASK, feather R MASK, feather R edges MASK, (MASK)
        MASK + MASK, MASK & MASK, MASK - MASK   from left to right

      Places are 0,0 at the top left and 1,1 at the bottom right of the whole
      photo, upright and not cropped; R is a part of its long edge. The same texts
      are what --masked takes before its colon.

      Examples:
        safelight mask in.jpg 'linear 0.5,0.6 0.5,0.3' -o sky.png
        safelight mask in.jpg 'radial 0.4,0.5 0.2x0.3 - luminance 0.8..1' -o face.png
        safelight mask in.jpg --recipe look.json -o masks.png --show grey
        safelight edit in.jpg -o out.jpg --masked 'linear 0,0.6 0,0.3: exposure -1'
      """)

  @Argument(help: ArgumentHelp("The photo", valueName: "in"), completion: .file())
  var input: String

  @Argument(help: ArgumentHelp("The mask", valueName: "mask"), transform: MaskText.init)
  var mask: MaskText?

  @Option(
    help: ArgumentHelp(
      "Draw the masks of a recipe instead, turned and cropped as it says", valueName: "file.json"),
    completion: .file())
  var recipe: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Where to draw; of several masks, the others go to files with their number", valueName: "out"),
    completion: .file())
  var output: String

  @OptionGroup
  var files: OverwriteOption

  @Option(help: "Half red on the photo, or a grey picture of the mask alone")
  var show: MaskDrawing = .overlay

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Shrink a larger drawing to a long edge or to fit into a box", valueName: "EDGE|WxH"),
    transform: SizeText.box)
  var maxSize: PixelSize?

  @Flag(help: "Print what was drawn as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    guard (mask == nil) != (recipe == nil) else {
      throw ValidationError(
        mask == nil
          ? "Missing the mask; give one as text, or a recipe with --recipe."
          : "A mask and --recipe exclude each other; give one of them.")
    }
  }

  func run() throws {
    let snapshot = FileSnapshot.telling
    var drawings: [(mask: Mask, recipe: Recipe)] = []
    if let mask {
      drawings = [(mask.mask, try show.recipe(for: mask.mask))]
    } else if let recipe {
      let file = recipe == "-" ? FileContents.standardInput : recipe
      drawings = try show.recipes(for: Edit(recipeFile: file).recipe(in: snapshot))
    }
    var outputs = OutputFiles(overwrite: files.overwrite)
    outputs.read(input, "the photo")
    outputs.read(snapshot, recipe: recipe)
    let paths = drawings.indices.map { Self.path(output, number: $0 + 1) }
    for path in paths { try outputs.write(path, "-o") }
    var export = PhotoExport()
    (export.overwrite, export.colorSpace, export.maximumSize) = (files.overwrite, .sRGB, maxSize)
    export.metadata = .strip
    var report = MaskReport(input, [], warnings: [])
    for (drawing, path) in zip(drawings, paths) {
      let result = try export.run(input, through: drawing.recipe, to: path, renderer: CPURenderer())
      report.masks.append(.init(mask: drawing.mask, output: path, size: result.outputSize))
      report.warnings += result.warnings
      if !json { Output.line("\(path)  \(result.outputSize)  \(drawing.mask.text)") }
    }
    if json { return try Output.json(report) }
    for warning in report.warnings { Output.warning(warning) }
  }

  /// The first has the name itself: `mask.png`, `mask-2.png`.
  private static func path(_ path: String, number: Int) -> String {
    guard number > 1 else { return path }
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(path)-\(number)" }
    return "\(path.dropLast(name[dot...].count))-\(number)\(name[dot...])"
  }
}

/// A mask as text, checked.
struct MaskText: Decodable, Sendable {
  let mask: Mask

  init(_ text: String) throws { mask = try Mask(text) }

  init(from decoder: any Decoder) throws { try self.init(decoder.singleValueContainer().decode(String.self)) }
}
