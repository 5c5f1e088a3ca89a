import FilterGraph
import FrameCore
import Synchronization

/// The rows of a picture that are at hand while it is decoded from top to bottom: later rows take the place of those
/// that no band of the output needs any more.
///
/// Row y has its place at y modulo `rows`. The first of these places exist once more behind the last one, so that what
/// a tile shows always lies in one piece, and renderers see it as a part of the whole picture.
///
/// Decoding begins while colours are still planned. So as not to stop then, it may go on into memory that is used for
/// nothing else: how many rows are kept is settled when the first ones are shown.
///
/// Who writes rows and who reads them agree elsewhere on which ones those are.
public final class RowWindow: @unchecked Sendable {
  /// The most rows that are written at a time; a window for bands is some whole number of times as long.
  public static let step = 64

  private struct State {
    /// Rows that are kept, once that is settled.
    var rows: Int?
    /// The end of the rows that are written or being written.
    var begun = 0
  }

  /// Of the whole picture.
  public let size: PixelSize
  private let state: Mutex<State>
  /// Rows that are kept at least, and at most.
  private let bounds: ClosedRange<Int>
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
        rows = max(rows, plan.sourceRows(for: top..<min(top + bandRows, height), margin: .processor).count)
      }
      // While a band is rendered, the rows that the next one adds are decoded.
      let wanted = rows + bandRows + RowWindow.step
      rows = (wanted + RowWindow.step - 1) / RowWindow.step * RowWindow.step
      let tile = PixelSize(width: min(TileScratch.width, width), height: min(TileScratch.height, height))
      repeated = min(rows, plan.mostSourceRows(forTile: tile, margin: .processor))
      guard rows + repeated < plan.input.size.height / 4 * 3 else { return nil }
    }
  }

  /// A window for rendering a plan in bands.
  ///
  /// - Parameters:
  ///   - shape: of this plan, or of one that differs in its colours.
  ///   - bytesAhead: of memory for rows that are decoded before the first ones are shown.
  /// - Throws: `SafelightError` where memory is short.
  public convenience init(
    _ shape: Shape, for plan: Plan, bytesAhead: Int = 0, tags: ColorTags = .sRGB
  ) throws {
    try self.init(
      plan, rows: shape.rows, bytesAhead: bytesAhead, repeated: shape.repeated, tags: tags)
  }

  /// A window of `rows` rows, which are taken in their order, each once.
  ///
  /// - Throws: `SafelightError` where memory is short.
  public convenience init(
    streaming plan: Plan, rows: Int, bytesAhead: Int = 0, tags: ColorTags = .sRGB
  ) throws {
    try self.init(plan, rows: rows, bytesAhead: bytesAhead, repeated: 0, tags: tags)
  }

  private init(_ plan: Plan, rows: Int, bytesAhead: Int, repeated: Int, tags: ColorTags) throws {
    let input = plan.input
    self.plan = plan
    size = input.size
    self.repeated = repeated
    let ahead = bytesAhead / (input.format.rgbaBytes * size.width) / Self.step * Self.step
    let most = max(rows, min(ahead, size.height, PixelBuffer.maximumEdge - repeated) / Self.step * Self.step)
    bounds = rows...most
    state = Mutex(State(rows: most > rows ? nil : rows))
    // What is never written takes no memory.
    memory = try PixelBuffer(
      size: PixelSize(width: size.width, height: most + repeated), format: input.format, tags: tags,
      alpha: input.alpha)
  }

  /// Rows that are kept: before that is settled, the most there is room for.
  public var rows: Int { state.withLock { $0.rows ?? bounds.upperBound } }

  /// To be called before the first rows are shown: keeps as many as have come so far, and no fewer than are needed.
  public func settle() {
    state.withLock { state in
      let begun = (state.begun + Self.step - 1) / Self.step * Self.step
      state.rows = state.rows ?? min(max(begun, bounds.lowerBound), bounds.upperBound)
    }
  }

  /// Whether a plan shows the same rows as the one that this window was made for.
  func fits(_ plan: Plan) -> Bool {
    plan.input == self.plan.input && plan.geometry == self.plan.geometry && plan.reduces == self.plan.reduces
  }

  /// Begins to write rows, which follow those written before: at most `step`, and a whole part of it, as 16, each time.
  ///
  /// - Returns: the row above which no row is needed any more when these are written, 0 where all may be.
  public func begin(_ rows: Range<Int>) -> Int {
    state.withLock { state in
      if state.rows == nil, rows.upperBound <= bounds.upperBound { state.begun = rows.upperBound }
      return max(0, rows.upperBound - (state.rows ?? bounds.upperBound))
    }
  }

  /// Where rows that were begun are to be written.
  public func place(for rows: Range<Int>) -> PixelBuffer { band(rows) }

  /// To be called when rows were written.
  public func complete(_ rows: Range<Int>) {
    let kept = self.rows
    let first = rows.lowerBound % kept
    // Rows of the first turn are shown in their first place only.
    guard rows.lowerBound >= kept, first < repeated else { return }
    let plane = memory.planes[0]
    let count = min(rows.count, repeated - first)
    plane.row(kept + first).copyMemory(from: plane.row(first), byteCount: count * plane.rowBytes)
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
    let shown = plan.sourceRegion(for: Region(columns: columns, rows: rows), margin: .processor).rows
    let kept = self.rows
    let turn = shown.lowerBound / kept * kept
    precondition(shown.upperBound - turn <= kept + repeated, "a tile shows more rows than are kept")
    return memory.asPart(of: size, y: turn)
  }
}
