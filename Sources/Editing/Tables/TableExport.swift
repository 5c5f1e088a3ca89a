import ColorScience
import Files
import FilterGraph
import Filters
import FrameCore
import PhotoIO

/// Writes the colours of a recipe as a table that other programs and cameras read.
///
///     let report = try TableExport(size: 33).write(recipe, to: "look.cube")
///     print(report.tetrahedral.maximum)
public struct TableExport: Sendable {
  /// The kinds of files, by their extensions.
  public enum Format: String, Sendable, Hashable, CaseIterable, Codable {
    case cube, clf
    /// A Hald: a picture of 16 bits whose pixels are the nodes.
    case png
    /// Lists of the ASC, for recipes that are one grade.
    case cc, ccc, cdl

    var isList: Bool { self == .cc || self == .ccc || self == .cdl }
  }

  /// The nodes per edge that are written.
  public static let sizes = 2...129
  /// The colours at which a table is compared with the recipe.
  static let probes = 60_000

  /// The nodes per edge; nil chooses 33, or 64 for a Hald, whose size is a square number.
  public var size: Int?
  /// The encoding of the samples that the table will receive; nil takes the recipe's own, which is sRGB unless it reads log
  /// footage.
  public var encoding: LUT.Encoding?
  /// The encoding of what it gives; nil is that of the input, or Rec. 709 behind a log encoding.
  public var output: LUT.Encoding?
  /// Whether filters that depend on places or neighbours are left out instead of refused.
  public var leavesOutLocal = false

  public init(
    size: Int? = nil, encoding: LUT.Encoding? = nil, output: LUT.Encoding? = nil, leavesOutLocal: Bool = false
  ) {
    (self.size, self.encoding, self.output) = (size, encoding, output)
    self.leavesOutLocal = leavesOutLocal
  }

  /// Returns the kind of file that a path asks for.
  ///
  /// - Throws: `SafelightError` listing the extensions if it has none of them.
  public static func format(of path: String) throws -> Format {
    try FileEnding.format(of: path, lack: "has no extension of a table that is written")
  }

  /// Writes the table of a recipe, whose files are loaded.
  ///
  /// - Throws: `SafelightError`: `invalidValue` for a size out of range, `unsupported` for filters that no table can
  ///   have, and as `FileContents.write(_:to:overwrite:)`. Nothing is written then.
  public func write(_ recipe: Recipe, to path: String, overwrite: Bool = false) throws -> TableReport {
    let format = try Self.format(of: path)
    if format.isList { return try writeList(recipe, format, to: path, overwrite: overwrite) }
    let input = encoding ?? Self.encoding(of: recipe)
    let output = self.output ?? LUT.Output.automatic.encoding(after: input)
    let size = try checkedSize(for: format)
    let colors = try RecipeColors(
      recipe, from: input.samples, to: output.samples, leavesOutLocal: leavesOutLocal)
    let sampled = try SampledLattice(size: size, probes: 0) { colors.evaluate($0) }.table
    let table = try format == .png ? sampled.roundedAsPicture() : sampled.roundedAsText()
    let title = recipe.name.isEmpty ? "Safelight" : recipe.name
    switch format {
    case .cube: try FileContents.write(TableText.cube(table, title: title), to: path, overwrite: overwrite)
    case .clf:
      try FileContents.write(
        TableText.commonLUT(table, title: title, input: input.title, output: output.title), to: path,
        overwrite: overwrite)
    case .png: try writePicture(table, to: path, overwrite: overwrite)
    case .cc, .ccc, .cdl: break
    }
    return TableReport(
      file: path, format: format, size: size, input: input.parameterText, output: output.parameterText,
      leftOut: colors.apart + colors.local,
      tetrahedral: TableReport.Error(colors, output.samples) { table.evaluate($0) },
      trilinear: TableReport.Error(colors, output.samples) { table.evaluateTrilinear($0) })
  }

  private static func encoding(of recipe: Recipe) -> LUT.Encoding {
    for filter in recipe.filters {
      if let input = filter as? InputEncoding, case .log(let log) = input.encoding { return .log(log) }
    }
    return .sRGB
  }

  private func checkedSize(for format: Format) throws -> Int {
    let size = size ?? (format == .png ? 64 : 33)
    guard Self.sizes.contains(size) else {
      throw SafelightError(
        .invalidValue, "The size of the table is \(size)",
        remedy: "give \(Self.sizes.lowerBound)…\(Self.sizes.upperBound) nodes, 33 for most programs")
    }
    let level = Int(Double(size).squareRoot().rounded())
    guard format != .png || level * level == size && level >= 2 else {
      throw SafelightError(
        .invalidValue, "A Hald cannot have \(size) nodes along an edge, only a square number",
        remedy: "give 16, 25, 36, 49, 64, 81, 100 or 121")
    }
    return size
  }

  /// Rows of a neutral Hald: the nodes in order, red fastest.
  private func writePicture(_ table: LUT3D, to path: String, overwrite: Bool) throws {
    let level = Int(Double(table.size).squareRoot().rounded())
    let edge = level * level * level
    let picture = try PixelBuffer(size: PixelSize(width: edge, height: edge), format: .rgba16)
    let (plane, nodes) = (picture.planes[0], table.nodes)
    for y in 0..<edge {
      let row = plane.row(y).assumingMemoryBound(to: UInt16.self)
      for x in 0..<edge {
        let node = nodes[y * edge + x] * 65535
        for channel in 0..<3 { row[4 * x + channel] = UInt16(node[channel].rounded()) }
        row[4 * x + 3] = .max
      }
    }
    let writer = try PhotoWriter(
      to: path, format: .png, size: picture.size, bitsPerSample: 16, overwrite: overwrite)
    try writer.write(picture)
    try writer.finish()
  }

  private func writeList(
    _ recipe: Recipe, _ format: Format, to path: String, overwrite: Bool
  ) throws -> TableReport {
    let others = recipe.filters.filter { !($0 is CDL) }.map { type(of: $0).id.name }
    let grades = recipe.filters.compactMap { $0 as? CDL }
    guard let grade = grades.first, grades.count == 1, others.isEmpty else {
      throw SafelightError(
        .unsupported,
        "A list of the ASC holds one cdl filter, and the recipe has "
          + (recipe.filters.isEmpty
            ? "none" : recipe.filters.map { type(of: $0).id.name }.joined(separator: ", ")),
        remedy: "write a .cube or a .clf file, which have any colours")
    }
    guard encoding == nil || encoding == grade.encoding, output == nil || output == grade.encoding else {
      throw SafelightError(
        .invalidValue, "The grade was made on \(grade.encoding.parameterText), and a list cannot convert",
        remedy: "leave out the encodings, or write a .cube file")
    }
    var decision = grade.decision
    decision.id = recipe.name.isEmpty ? "safelight" : recipe.name
    try FileContents.write(
      TableText.decision(decision, fileExtension: format.rawValue), to: path, overwrite: overwrite)
    return TableReport(
      file: path, format: format, size: nil, input: grade.encoding.parameterText,
      output: grade.encoding.parameterText, leftOut: [], tetrahedral: nil, trilinear: nil)
  }
}
