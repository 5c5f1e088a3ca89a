import FilterGraph
import FrameCore

/// A rectangle of a plan's output and what it shows of the picture that it is rendered from.
struct OutputTile: Sendable, Hashable {
  var columns: Range<Int>
  var rows: Range<Int>
  /// Not yet widened to whole groups of samples.
  var sourceColumns: Range<Int>
  var sourceRows: Range<Int>
}

/// How an output falls into rectangles that need little enough memory, each with its part of the source.
///
/// Valid for what is rendered last: where the plan reduces, the source is the reduced picture.
struct Tiling: Sendable {
  private let plan: Plan
  let sourceSize: PixelSize
  let sourceFormat: PixelFormat

  /// No tile is made smaller in a direction.
  private static let leastEdge = 16
  /// Rows are divided before columns down to this: whole rows are copied in one go.
  private static let bandRows = 256

  init(_ program: PlanProgram) {
    plan = program.plan
    sourceSize = program.reduction?.reducedSize ?? plan.input.size
    sourceFormat = program.reduction?.reducedFormat ?? plan.input.format
  }

  /// The tile of some output pixels.
  func tile(columns: Range<Int>, rows: Range<Int>) -> OutputTile {
    let source = plan.region(
      in: .reduced, for: Region(columns: columns, rows: rows), of: .result, margin: .shaders)
    return OutputTile(columns: columns, rows: rows, sourceColumns: source.columns, sourceRows: source.rows)
  }

  /// Bytes of a tile's part of the source and of itself.
  func bytes(of tile: OutputTile) -> (source: Int, target: Int) {
    (
      PictureTransfer(
        size: sourceSize, format: sourceFormat, columns: tile.sourceColumns, rows: tile.sourceRows
      ).bytes,
      PictureTransfer(
        size: plan.outputSize, format: plan.output.format, columns: tile.columns, rows: tile.rows
      ).bytes
    )
  }

  /// Tiles that cover `rows` of the output.
  ///
  /// - Parameters:
  ///   - budget: bytes that a tile and its part of the source may take together.
  ///   - bufferBytes: the most that either may take.
  ///   - sourceIsThere: whether the source takes no further memory.
  /// - Returns: nil where even the smallest tiles need more.
  func tiles(rows: Range<Int>, budget: Int, bufferBytes: Int, sourceIsThere: Bool = false) -> [OutputTile]? {
    var tiles: [OutputTile] = []
    var rest = [(columns: 0..<plan.outputSize.width, rows: rows)]
    while let (columns, rows) = rest.popLast() {
      let tile = tile(columns: columns, rows: rows)
      var (source, target) = bytes(of: tile)
      if sourceIsThere { source = 0 }
      if source + target <= budget, source <= bufferBytes, target <= bufferBytes {
        tiles.append(tile)
        continue
      }
      let dividesRows =
        rows.count > Self.bandRows || (rows.count > Self.leastEdge && rows.count >= columns.count)
      guard dividesRows || columns.count > Self.leastEdge else { return nil }
      if dividesRows {
        let middle = Self.middle(of: rows)
        rest.append((columns, middle..<rows.upperBound))
        rest.append((columns, rows.lowerBound..<middle))
      } else {
        let middle = Self.middle(of: columns)
        rest.append((middle..<columns.upperBound, rows))
        rest.append((columns.lowerBound..<middle, rows))
      }
    }
    return tiles
  }

  /// A multiple of the least edge, where there is one: work groups are filled.
  private static func middle(of range: Range<Int>) -> Int {
    let middle = range.lowerBound + range.count / 2
    let round = middle / leastEdge * leastEdge
    return round > range.lowerBound ? round : middle
  }
}
