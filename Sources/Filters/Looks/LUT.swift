import ColorScience
import FilterGraph
import FrameCore

/// Applies a colour look-up table from a file.
///
///     out = in + strength · (table(in) - in)        in the encoding that the table gives
///
/// Files: `.cube`, `.3dl` (Lustre, Flame), `.csp` (cineSpace), `.look` (Iridas), `.clf` (Common LUT Format), lists of the
/// ASC with one correction (`.cc`, `.ccc`, `.cdl`), ICC device links of RGB (`.icc`, `.icm`), and pictures that were a
/// neutral Hald (`.png`, `.tif`).
public struct LUT: Filter {
  public static let id: FilterID = "lut"
  public static let title = "LUT"
  public static let phase = FilterPhase.look
  public static let summary = "Applies a table of colours from a file"
  /// The extension under which tables are kept.
  public static let fileExtension = "cube"
  public static let parameters = [
    Parameter(
      file: \LUT.file, "file", title: "Table", extensions: TableFileKind.extensions, flag: "lut",
      "Look-up table to apply"),
    Parameter(
      \LUT.strength, "strength", in: 0...100, step: 1, neutral: 100, unit: .percent, flag: nil,
      "How far to go from the picture's colours to the table's"),
    Parameter(
      choice: \LUT.encoding, "encoding", neutral: Encoding.sRGB, flag: "lut-encoding",
      "Encoding of the samples that the table expects"),
    Parameter(
      choice: \LUT.output, "output-encoding", neutral: Output.automatic, flag: "lut-output-encoding",
      "Encoding of the samples that the table gives"),
  ]

  /// The file's path as given in the recipe.
  public var file: String
  /// 0…100: 0 leaves the picture unchanged, 100 is the table's output.
  public var strength: Float
  public var encoding: Encoding
  public var output: Output
  /// The table; nil until loaded.
  public private(set) var table: ColorLUT?

  public init() { self.init(file: "", table: nil) }

  /// Creates a filter from a table in memory; `name` stands for it in plans and errors.
  public init(
    _ table: ColorLUT, name: String, strength: Float = 100, encoding: Encoding = .sRGB,
    output: Output = .automatic
  ) {
    self.init(file: name, table: table, strength: strength, encoding: encoding, output: output)
  }

  private init(
    file: String, table: ColorLUT?, strength: Float = 100, encoding: Encoding = .sRGB,
    output: Output = .automatic
  ) {
    self.file = file
    self.table = table
    self.strength = strength
    self.encoding = encoding
    self.output = output
  }

  public mutating func loadFiles(from files: FilterFiles) throws {
    guard !file.isEmpty else {
      throw SafelightError(.invalidValue, "A lut filter has no file", remedy: "give \"file\": \"name.cube\"")
    }
    let ending = file.split(separator: ".").last?.lowercased() ?? ""
    guard TableFileKind.extensions.contains(ending) else {
      let known = TableFileKind.extensions.map { "." + $0 }.joined(separator: ", ")
      throw SafelightError(
        .unsupported, "\(file) has no extension of a table of colours",
        remedy: "convert the table to .cube or .clf; read are \(known)")
    }
    table = try files.table(file)
  }

  /// The samples and domains of the table.
  public var fileContents: [UInt8]? { table?.contents }

  /// Scales the table's own strength, whose default, 100, is the whole effect and not neutral.
  public func scaled(by strength: Double) -> LUT {
    var scaled = self
    scaled.strength = Float(Double(self.strength) * strength)
    return scaled
  }

  public func lower(into plan: inout PlanBuilder) throws {
    guard !file.isEmpty || table != nil else { return }
    guard let table else {
      throw SafelightError(.invalidValue, "The table \(file) is not loaded", remedy: "call loadFiles first")
    }
    guard strength != 0 else { return }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let (from, to) = (encoding.samples, output.encoding(after: encoding).samples)
    if let warning = TableSuspicion(table, input: from, output: to) {
      plan.notes.append("\(name) \(warning.text)")
    }
    try plan.lut(table, from: from, to: to, strength: Double(strength) / 100, name: name)
  }
}
