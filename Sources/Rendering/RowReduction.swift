import FrameCore
import PixelKernels

/// Reduces a picture while it is being decoded: its rows arrive from top to bottom and need not be kept.
///
/// The result equals that of reducing the whole picture, bit for bit. Belongs to one thread, and works on its
/// renderer's threads.
public final class RowReduction {
  /// The number of source rows taken.
  public private(set) var position = 0

  private let prepared: PreparedPlan
  private let shrink: CompiledShrink
  private let pool: WorkerPool
  private let reduced: PixelBuffer
  private let finishing: (PixelBuffer) -> PreparedSource
  private let work: RowReductionWork
  /// The number of rows that are narrowed before any is averaged.
  private let step: Int
  private var nextRow = 0

  init(
    _ prepared: PreparedPlan, _ shrink: CompiledShrink, pool: WorkerPool, into reduced: PixelBuffer,
    finishing: @escaping (PixelBuffer) -> PreparedSource
  ) {
    self.prepared = prepared
    self.shrink = shrink
    self.pool = pool
    self.reduced = reduced
    self.finishing = finishing
    // A single thread keeps its rows in the cache; several threads need enough pieces.
    step = Int(SL_SHRINK_ROWS) * (pool.threads == 1 ? 1 : 16)
    // The rows that one output row is averaged from, plus those being added.
    work = RowReductionWork(shrink, rows: shrink.mostRows + step, into: reduced)
  }

  /// Takes the next rows of the source: the first `count` of `band`.
  ///
  /// - Parameter band: has the plan's input format and width. It may be overwritten after this returns.
  /// - Throws: `SafelightError` if it does not fit.
  public func append(_ band: PixelBuffer, rows count: Int) throws {
    let input = prepared.plan.input
    guard band.format == input.format, band.width == input.size.width, band.alpha == input.alpha,
      count <= band.height, position + count <= input.size.height
    else {
      throw SafelightError(
        .invalidValue,
        "\(count) rows of \(band.size) \(band.format.rawValue) do not follow row \(position) of \(input.size) "
          + input.format.rawValue, remedy: "pass the rows of the picture that the plan is for")
    }
    for first in stride(from: 0, to: count, by: step) {
      take(band, first..<min(first + step, count))
    }
  }

  /// As `append`, with rows of the picture held by a window.
  ///
  /// - Precondition: `rows` follow those already taken, and are contiguous in the window.
  public func append(_ rows: Range<Int>, of window: RowWindow) throws {
    try append(window.band(rows), rows: rows.count)
  }

  private func take(_ band: PixelBuffer, _ rows: Range<Int>) {
    let first = position
    position += rows.count
    guard nextRow < shrink.outputSize.height else { return }
    // Skips rows above the first one shown.
    guard position > shrink.sourceRows(for: nextRow..<nextRow + 1).lowerBound else { return }
    work.narrow(band, rows, numbered: first)
    pool.run(work)
    var end = nextRow
    while end < shrink.outputSize.height, shrink.sourceRows(for: end..<end + 1).upperBound <= position {
      end += 1
    }
    guard end > nextRow else { return }
    work.blend(nextRow..<end)
    pool.run(work)
    nextRow = end
  }

  /// Returns the reduced picture, after the last row.
  ///
  /// - Throws: `SafelightError` if rows are missing.
  public func finish() throws -> PreparedSource {
    guard nextRow == shrink.outputSize.height else {
      throw SafelightError(
        .invalidValue, "Only \(position) of \(prepared.plan.input.size.height) rows were passed",
        remedy: "pass all of them")
    }
    return finishing(reduced)
  }
}

/// Rows of a reduction that several threads narrow or average.
private final class RowReductionWork: PoolWork, @unchecked Sendable {
  private enum Task {
    case none
    case narrow(PixelBuffer, rows: Range<Int>, number: Int)
    case blend(rows: Range<Int>)
  }
  private var task = Task.none
  private let shrink: CompiledShrink
  private let reduced: PixelBuffer
  private let memory: UnsafeMutablePointer<Float>
  private let narrowed: CompiledShrink.NarrowedRows

  /// - Parameter rows: the number of narrowed rows kept.
  init(_ shrink: CompiledShrink, rows: Int, into reduced: PixelBuffer) {
    self.shrink = shrink
    self.reduced = reduced
    let floats = shrink.floats(ofNarrowedRows: rows)
    memory = UnsafeMutableRawPointer.allocate(
      byteCount: floats * MemoryLayout<Float>.stride, alignment: PixelBuffer.alignment
    ).bindMemory(to: Float.self, capacity: floats)
    narrowed = shrink.narrowedRows(rows, at: memory)
  }

  deinit { memory.deallocate() }

  /// Sets up narrowing `rows` of `band`, the first of which is row `number` of the source.
  func narrow(_ band: PixelBuffer, _ rows: Range<Int>, numbered number: Int) {
    task = .narrow(band, rows: rows, number: number)
    pieces = (rows.count + Int(SL_SHRINK_ROWS) - 1) / Int(SL_SHRINK_ROWS)
  }

  /// Sets up averaging narrowed rows into `rows` of the result.
  func blend(_ rows: Range<Int>) {
    task = .blend(rows: rows)
    pieces = rows.count
  }

  override func perform(_ piece: Int, scratch: TileScratch) {
    let memory = shrink.rowMemory(in: scratch, shared: narrowed)
    switch task {
    case .none: break
    case .narrow(let band, let rows, let number):
      let offset = piece * Int(SL_SHRINK_ROWS)
      let first = rows.lowerBound + offset
      shrink.narrow(
        band, rows: first..<min(first + Int(SL_SHRINK_ROWS), rows.upperBound), numbered: number + offset,
        memory,
        scratch: scratch)
    case .blend(let rows): shrink.blend(rows.lowerBound + piece, memory, into: reduced)
    }
  }
}
