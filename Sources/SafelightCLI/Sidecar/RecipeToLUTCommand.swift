import ArgumentParser
import Safelight

struct RecipeToLUTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "to-lut",
    abstract: "Writes the colours of an edit as a table for other programs.",
    usage: "safelight recipe to-lut [<from>] -o <file> [<options>]",
    discussion: """
      The extension decides: .cube, .clf (Common LUT Format), .png (a Hald of 16
      bits); .cc, .ccc or .cdl for an edit that is one grade of the ASC's. A table
      has no crop and no turn, which are left out and named. Filters that depend on
      the place or on pixels around, such as masks, sharpening and clarity, are
      refused, or left out with --leave-out-local.

      The error printed is measured between the table's nodes at 60,000 colours,
      for programs that interpolate within tetrahedra and along axes.

      Examples:
        safelight recipe to-lut harbour.jpg -o harbour.cube
        safelight recipe to-lut mine.json -o mine.clf --table-size 65
        safelight recipe to-lut --preset teal-orange -o teal-orange.png
        safelight recipe to-lut --exposure 0.5 -o v.cube --encoding v-log
        safelight recipe to-lut --cdl-slope 1.1,1,0.9 -o grade.ccc
      """)

  @Argument(
    help: ArgumentHelp("A recipe (.json), or a photo with an edit", valueName: "from"),
    completion: .file())
  var source: String?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The table", valueName: "file"), completion: .file())
  var output: String

  @Option(
    name: .customLong("table-size"),
    help: ArgumentHelp("Nodes along each edge (default: 33, of a Hald 64)", valueName: "n"))
  var size: Int?

  @Option(
    help: ArgumentHelp("Encoding of the samples that the table will receive", valueName: "encoding"),
    completion: .list(LUT.Encoding.allCases.map(\.parameterText)),
    transform: LUT.Encoding.init(parameterText:))
  var encoding: LUT.Encoding?

  @Option(
    help: ArgumentHelp("Encoding of what it gives", valueName: "encoding"),
    completion: .list(LUT.Encoding.allCases.map(\.parameterText)),
    transform: LUT.Encoding.init(parameterText:))
  var outputEncoding: LUT.Encoding?

  @Flag(help: "Leave out filters that a table cannot have")
  var leaveOutLocal = false

  @OptionGroup(title: "Edit")
  var edit: EditOptionGroup<NoReservedFlags>

  @OptionGroup
  var replacing: OverwriteOption

  @Flag(help: "Print what was written as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    guard source != nil || !edit.isEmpty else {
      throw ValidationError(
        "Missing the edit; give a recipe, a photo with an edit, or flags such as --preset.")
    }
  }

  func run() throws {
    let files = FileSnapshot.telling
    var names = OutputFiles(overwrite: replacing.overwrite)
    names.read(source, "what the table is made from")
    try names.write(output, "--output")
    var recipe = try source.map { try Self.recipe($0, in: files) } ?? Recipe()
    if !edit.isEmpty { recipe = recipe.then(try edit.edit.recipe(in: files)) }
    names.read(files, recipe: edit.recipe)
    try names.check()
    let export = TableExport(
      size: size, encoding: encoding, output: outputEncoding, leavesOutLocal: leaveOutLocal)
    let report = try export.write(recipe, to: output, overwrite: replacing.overwrite)
    if json { return try Output.json(report) }
    if !report.leftOut.isEmpty {
      Output.warning("The table does not have \(report.leftOut.joined(separator: ", "))")
    }
    let size = report.size.map { "  \($0)³" } ?? ""
    let way = report.input == report.output ? report.input : "\(report.input) to \(report.output)"
    Output.done("\(report.file)\(size)  \(way)")
    if let error = report.tetrahedral { Output.done("  tetrahedral  \(error.text)") }
    if let error = report.trilinear { Output.done("  trilinear    \(error.text)") }
  }

  /// A recipe file, or the edit beside a photo.
  private static func recipe(_ path: String, in files: FileSnapshot) throws -> Recipe {
    let sidecar = RecipeSidecar.suffix
    guard !path.lowercased().hasSuffix(sidecar) else {
      throw SafelightError(
        .invalidValue, "\(path) is the edit beside a photo",
        remedy: "name the photo: \(path.dropLast(sidecar.count))")
    }
    guard path.lowercased().hasSuffix(".json") else {
      return try RecipeSidecar.recipe(forPhoto: path, acceptChanged: true)
    }
    return try Recipe(contentsOf: path, in: files).locatingFiles(besideRecipe: path)
  }
}
