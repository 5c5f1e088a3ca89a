import FilterGraph
import FrameCore

/// A rectangle of a plan's output, and the part that it shows of the picture it is rendered from.
struct OutputTile: Sendable, Hashable {
  var columns: Range<Int>
  var rows: Range<Int>
  /// Not yet widened to whole groups of samples; `sourceRows` likewise.
  var sourceColumns: Range<Int>
  var sourceRows: Range<Int>
}

/// Divides an output into rectangles that fit into memory, each with its part of the source.
///
/// Applies to the last step: if the plan downsamples, the source is the downsampled picture.
struct Tiling: Sendable {
  private let plan: Plan
  private let program: PlanProgram
  let sourceSize: PixelSize
  let sourceFormat: PixelFormat

  /// The minimum edge of a tile.
  private static let leastEdge = 16
  /// Down to this height rows are divided before columns: whole rows are copied at once.
  private static let bandRows = 256

  init(_ program: PlanProgram) {
    plan = program.plan
    self.program = program
    sourceSize = program.downsampling?.downsampledSize ?? plan.input.size
    sourceFormat = program.downsampling?.downsampledFormat ?? program.inputFormat
  }

  /// Returns the tile of the given output pixels.
  func tile(columns: Range<Int>, rows: Range<Int>) -> OutputTile {
    // Colour differences depend on pixels before the tile.
    let (left, above) = (Int(plan.reach.x), Int(plan.reach.y))
    let shown = Region(
      columns: max(0, columns.lowerBound - left)..<columns.upperBound,
      rows: max(0, rows.lowerBound - above)..<rows.upperBound)
    let source = plan.region(in: .downsampled, for: shown, of: .result, margin: .shaders)
    return OutputTile(columns: columns, rows: rows, sourceColumns: source.columns, sourceRows: source.rows)
  }

  /// Returns the bytes of the tile's part of the source and of the tile itself.
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

  /// Returns tiles that cover `rows` of the output.
  ///
  /// - Parameters:
  ///   - budget: the maximum bytes of a tile and its part of the source together.
  ///   - bufferBytes: the maximum bytes of either.
  ///   - sourceIsThere: whether the source takes no further memory.
  /// - Returns: nil if even the smallest tiles need more.
  func tiles(rows: Range<Int>, budget: Int, bufferBytes: Int, sourceIsThere: Bool = false) -> [OutputTile]? {
    var tiles: [OutputTile] = []
    var rest = [(columns: 0..<plan.outputSize.width, rows: rows)]
    while let (columns, rows) = rest.popLast() {
      let tile = tile(columns: columns, rows: rows)
      var (source, target) = bytes(of: tile)
      if sourceIsThere { source = 0 }
      let inBetween = program.transferInBetween(columns: columns, rows: rows)?.bytes ?? 0
      if source + target + inBetween <= budget, max(source, target, inBetween) <= bufferBytes {
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

  /// Returns the middle of a range that is longer than the minimum edge, as a multiple of that edge from its start:
  /// work groups are full, and no two tiles store samples in one word.
  private static func middle(of range: Range<Int>) -> Int {
    range.lowerBound + max(1, range.count / 2 / leastEdge) * leastEdge
  }
}
