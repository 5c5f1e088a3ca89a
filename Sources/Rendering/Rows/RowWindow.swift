import FilterGraph
import FrameCore
import Synchronization

/// The rows of a picture held while it is decoded from top to bottom: later rows replace those that no band of the
/// output needs any more.
///
/// Row y is stored at y modulo `rows`. The first of these rows are repeated after the last one, so that the rows
/// of a tile are always contiguous and renderers see them as a part of the whole picture.
///
/// Decoding begins while colours are still being planned. To avoid stalling, it may continue into otherwise unused
/// memory: the number of rows kept is fixed when the first ones are shown.
///
/// Synchronizing the writer with the readers is left to the caller.
public final class RowWindow: @unchecked Sendable {
  /// The maximum number of rows written at a time; a window for bands is a whole multiple of it.
  package static let step = 64

  private struct State {
    /// The number of rows kept, once fixed.
    var rows: Int?
    /// The end of the rows that are written or being written.
    var begun = 0
  }

  /// The size of the whole picture.
  public let size: PixelSize
  private let state: Mutex<State>
  /// The minimum and maximum number of rows kept.
  private let bounds: ClosedRange<Int>
  /// The plan that this window was made for, or one that differs only in its colours.
  private let plan: Plan
  /// The number of rows stored twice.
  private let repeated: Int
  private let memory: PixelBuffer

  /// The number of rows that a window keeps.
  package struct Shape: Sendable, Hashable {
    fileprivate var rows = 0
    fileprivate var repeated = 0
    /// The number of rows that memory is needed for.
    package var rowsInMemory: Int { rows + repeated }

    /// The shape for rendering the plan's output in bands of `bandRows` rows, from top to bottom; nil if rows are
    /// not shown in order, or if one band shows most of them.
    package init?(_ plan: Plan, bandRows: Int) {
      guard !plan.downsamples, plan.denoising == nil, plan.projected == nil, (plan.geometry?.map.e ?? 1) > 0
      else { return nil }
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

  /// Makes a window for rendering a plan in bands.
  ///
  /// - Parameters:
  ///   - shape: the shape for this plan, or for one that differs only in its colours.
  ///   - bytesAhead: memory for rows that are decoded before the first ones are shown.
  /// - Throws: `SafelightError` if memory is short.
  package convenience init(
    _ shape: Shape, for plan: Plan, bytesAhead: Int = 0, tags: ColorTags = .sRGB
  ) throws {
    try self.init(
      plan, rows: shape.rows, bytesAhead: bytesAhead, repeated: shape.repeated, tags: tags)
  }

  /// Makes a window of `rows` rows, which are taken in order, each once.
  ///
  /// - Throws: `SafelightError` if memory is short.
  package convenience init(
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
    // Pages never written take no memory.
    memory = try PixelBuffer(
      size: PixelSize(width: size.width, height: most + repeated), format: input.format, tags: tags,
      alpha: input.alpha)
  }

  /// The number of rows kept; until that is fixed, the most that fit.
  public var rows: Int { state.withLock { $0.rows ?? bounds.upperBound } }

  /// Fixes the number of rows kept: as many as have arrived, and no fewer than needed. Must be called before the
  /// first rows are shown.
  package func fixRowCount() {
    state.withLock { state in
      let begun = (state.begun + Self.step - 1) / Self.step * Self.step
      state.rows = state.rows ?? min(max(begun, bounds.lowerBound), bounds.upperBound)
    }
  }

  /// Whether a plan shows the same rows as the one that this window was made for.
  public func fits(_ plan: Plan) -> Bool {
    plan.input == self.plan.input && plan.geometry == self.plan.geometry
      && plan.downsamples == self.plan.downsamples && plan.sharpening?.halo == self.plan.sharpening?.halo
  }

  /// Begins to write rows that follow those written before: at most `step` at a time, and a divisor of it, such as
  /// 16.
  ///
  /// - Returns: the first row that is still needed once these are written; 0 if all may be.
  package func begin(_ rows: Range<Int>) -> Int {
    state.withLock { state in
      if state.rows == nil, rows.upperBound <= bounds.upperBound { state.begun = rows.upperBound }
      return max(0, rows.upperBound - (state.rows ?? bounds.upperBound))
    }
  }

  /// Returns the memory that rows already begun are to be written to.
  package func place(for rows: Range<Int>) -> PixelBuffer { band(rows) }

  /// Must be called after rows were written.
  package func complete(_ rows: Range<Int>) {
    let kept = self.rows
    let first = rows.lowerBound % kept
    // Rows of the first turn are shown only at their first position.
    guard rows.lowerBound >= kept, first < repeated else { return }
    let plane = memory.planes[0]
    let count = min(rows.count, repeated - first)
    plane.row(kept + first).copyMemory(from: plane.row(first), byteCount: count * plane.rowBytes)
  }

  /// Returns rows of the picture, in memory that is reused when they are no longer kept.
  ///
  /// - Precondition: `rows` is not empty and is contiguous in memory.
  public func band(_ rows: Range<Int>) -> PixelBuffer {
    let first = rows.lowerBound % self.rows
    return memory.band(rows: first..<first + rows.count)
  }

  /// Returns a view with the size of the whole picture, of which only the rows may be read that the output pixels of
  /// a tile show, for renderers that take rows.
  ///
  /// - Precondition: these rows are available, and the tile is no larger than 256 × 64 pixels.
  public func picture(columns: Range<Int>, rows: Range<Int>) -> PixelBuffer {
    let shown = plan.sourceRegion(for: Region(columns: columns, rows: rows), margin: .processor).rows
    let kept = self.rows
    let turn = shown.lowerBound / kept * kept
    precondition(shown.upperBound - turn <= kept + repeated, "a tile shows more rows than are kept")
    return memory.asPart(of: size, y: turn)
  }
}
