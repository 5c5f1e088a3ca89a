import FilterGraph
import FrameCore

/// The rows of a picture that are at hand while it is decoded from top to bottom: later rows take the place of those
/// that no band of the output needs any more.
///
/// Row y has its place at y modulo `rows`. The first of these places exist once more behind the last one, so that what
/// a tile shows always lies in one piece, and renderers see it as a part of the whole picture.
///
/// Holds no lock: who writes rows and who reads them agree on which ones elsewhere.
public final class RowWindow: @unchecked Sendable {
  /// The most rows that are written at a time; a window for bands is some whole number of times as long.
  public static let step = 64

  /// Of the whole picture.
  public let size: PixelSize
  /// Rows that are kept.
  public let rows: Int
  /// The plan that this window was made for, or one that differs in its colours.
  private let plan: Plan
  /// Places that exist twice.
  private let repeated: Int
  private let memory: PixelBuffer

  /// How many rows a window keeps.
  public struct Shape: Sendable, Hashable {
    fileprivate var rows = 0
    fileprivate var repeated = 0
    /// Rows that there is memory for.
    public var rowsInMemory: Int { rows + repeated }

    /// For rendering bands of `bandRows` rows of the plan's output, from top to bottom; nil where rows are not shown in
    /// their order, or one band shows most of them.
    public init?(_ plan: Plan, bandRows: Int) {
      guard !plan.reduces, (plan.geometry?.map.e ?? 1) > 0 else { return nil }
      let (width, height) = (plan.outputSize.width, plan.outputSize.height)
      for top in stride(from: 0, to: height, by: bandRows) {
        rows = max(rows, plan.rowsRead(by: top..<min(top + bandRows, height)).count)
      }
      // While a band is rendered, the rows that the next one adds are decoded.
      let wanted = rows + bandRows + RowWindow.step
      rows = (wanted + RowWindow.step - 1) / RowWindow.step * RowWindow.step
      let tile = PixelSize(width: min(TileScratch.width, width), height: min(TileScratch.height, height))
      repeated = min(rows, plan.mostRowsRead(by: tile))
      guard rows + repeated < plan.input.size.height / 4 * 3 else { return nil }
    }
  }

  /// A window for rendering a plan in bands.
  ///
  /// - Parameter shape: of this plan, or of one that differs in its colours.
  /// - Throws: `SafelightError` where memory is short.
  public convenience init(_ shape: Shape, for plan: Plan, tags: ColorTags = .sRGB) throws {
    try self.init(plan, rows: shape.rows, repeated: shape.repeated, tags: tags)
  }

  /// A window of `rows` rows, which are taken in their order, each once.
  ///
  /// - Throws: `SafelightError` where memory is short.
  public convenience init(streaming plan: Plan, rows: Int, tags: ColorTags = .sRGB) throws {
    try self.init(plan, rows: rows, repeated: 0, tags: tags)
  }

  private init(_ plan: Plan, rows: Int, repeated: Int, tags: ColorTags) throws {
    let input = plan.input
    self.plan = plan
    size = input.size
    (self.rows, self.repeated) = (rows, repeated)
    memory = try PixelBuffer(
      size: PixelSize(width: size.width, height: rows + repeated), format: input.format, tags: tags,
      alpha: input.alpha)
  }

  /// Whether a plan shows the same rows as the one that this window was made for.
  func fits(_ plan: Plan) -> Bool {
    plan.input == self.plan.input && plan.geometry == self.plan.geometry && plan.reduces == self.plan.reduces
  }

  /// Where rows of the picture are to be written, which follow those written before: at most `step`, and of these a
  /// whole part, as 16, each time.
  public func place(for rows: Range<Int>) -> PixelBuffer {
    let first = rows.lowerBound % self.rows
    return memory.band(rows: first..<first + rows.count)
  }

  /// To be called when rows were written.
  public func complete(_ rows: Range<Int>) {
    let first = rows.lowerBound % self.rows
    guard first < repeated else { return }
    let plane = memory.planes[0]
    let count = min(rows.count, repeated - first)
    plane.row(self.rows + first).copyMemory(from: plane.row(first), byteCount: count * plane.rowBytes)
  }

  /// Some rows of the picture, in memory that is written again when they are no longer kept.
  ///
  /// - Precondition: `rows` is not empty, and lies in the memory in one piece.
  func band(_ rows: Range<Int>) -> PixelBuffer {
    let first = rows.lowerBound % self.rows
    return memory.band(rows: first..<first + rows.count)
  }

  /// The picture, of which the rows are there that output pixels of a tile show.
  func picture(columns: Range<Int>, rows: Range<Int>) -> PixelBuffer {
    let shown = plan.rowsRead(by: rows, columns: columns)
    let turn = shown.lowerBound / self.rows * self.rows
    precondition(shown.upperBound - turn <= self.rows + repeated, "a tile shows more rows than are kept")
    return memory.asRows(from: turn, of: size)
  }
}

extension Plan {
  /// Pixels beyond a tile's last column that kernels may sample, and leave out.
  private static let columnsAhead = 16

  /// As `sourceRows`, with what kernels read ahead, and with the edge that samples outside of the picture take their
  /// colour from: never empty.
  func rowsRead(by rows: Range<Int>, columns: Range<Int>? = nil) -> Range<Int> {
    let columns = columns ?? 0..<outputSize.width
    let shown = sourceRows(for: rows, columns: columns.lowerBound..<columns.upperBound + Self.columnsAhead)
    let first = min(shown.lowerBound, input.size.height - 1)
    return first..<max(first + 1, shown.upperBound)
  }

  /// The most rows that `rowsRead` gives for a tile of a size, wherever it lies.
  func mostRowsRead(by tile: PixelSize) -> Int {
    guard let map = geometry?.map else { return tile.height }
    let span = abs(map.d) * Double(tile.width + Self.columnsAhead) + abs(map.e) * Double(tile.height)
    // Both ends are rounded to whole rows.
    return Int(span.rounded(.up)) + 2 * Int(KaiserSinc.radius + 1) + 2
  }
}
