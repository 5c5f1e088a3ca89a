import FrameCore
import PixelKernels

/// Downsamples a picture while it is being decoded: its rows arrive from top to bottom and need not be kept.
///
/// The result equals that of downsampling the whole picture, bit for bit. Belongs to one thread, and works on its
/// renderer's threads.
public final class RowDownsampling {
  /// The number of source rows taken.
  public private(set) var position = 0

  private let prepared: PreparedPlan
  private let downsample: CompiledDownsample
  private let pool: WorkerPool
  private let downsampled: PixelBuffer
  private let finishing: (PixelBuffer) -> PreparedSource
  private let work: RowDownsamplingWork
  /// The number of rows of the horizontal pass before a vertical one.
  private let step: Int
  private var nextRow = 0

  init(
    _ prepared: PreparedPlan, _ downsample: CompiledDownsample, pool: WorkerPool,
    into downsampled: PixelBuffer,
    finishing: @escaping (PixelBuffer) -> PreparedSource
  ) {
    self.prepared = prepared
    self.downsample = downsample
    self.pool = pool
    self.downsampled = downsampled
    self.finishing = finishing
    // A single thread keeps its rows in the cache; several threads need enough pieces.
    step = Int(SL_DOWNSAMPLE_ROWS) * (pool.threads == 1 ? 1 : 16)
    // The rows that one output row is averaged from, plus those being added.
    work = RowDownsamplingWork(downsample, rows: downsample.mostRows + step, into: downsampled)
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
    guard nextRow < downsample.outputSize.height else { return }
    // Skips rows above the first one shown.
    guard position > downsample.sourceRows(for: nextRow..<nextRow + 1).lowerBound else { return }
    work.horizontal(band, rows, numbered: first)
    pool.run(work)
    var end = nextRow
    while end < downsample.outputSize.height, downsample.sourceRows(for: end..<end + 1).upperBound <= position
    {
      end += 1
    }
    guard end > nextRow else { return }
    work.vertical(nextRow..<end)
    pool.run(work)
    nextRow = end
  }

  /// Returns the downsampled picture, after the last row.
  ///
  /// - Throws: `SafelightError` if rows are missing.
  public func finish() throws -> PreparedSource {
    guard nextRow == downsample.outputSize.height else {
      throw SafelightError(
        .invalidValue, "Only \(position) of \(prepared.plan.input.size.height) rows were passed",
        remedy: "pass all of them")
    }
    return finishing(downsampled)
  }
}

/// The passes of a downsampling over several threads.
private final class RowDownsamplingWork: PoolWork, @unchecked Sendable {
  private enum Task {
    case none
    case horizontal(PixelBuffer, rows: Range<Int>, number: Int)
    case vertical(rows: Range<Int>)
  }
  private var task = Task.none
  private let downsample: CompiledDownsample
  private let downsampled: PixelBuffer
  private let memory: UnsafeMutablePointer<Float>
  private let horizontal: CompiledDownsample.HorizontalRows

  /// - Parameter rows: the number of horizontally downsampled rows kept.
  init(_ downsample: CompiledDownsample, rows: Int, into downsampled: PixelBuffer) {
    self.downsample = downsample
    self.downsampled = downsampled
    let floats = downsample.floats(ofHorizontalRows: rows)
    memory = UnsafeMutableRawPointer.allocate(
      byteCount: floats * MemoryLayout<Float>.stride, alignment: PixelBuffer.alignment
    ).bindMemory(to: Float.self, capacity: floats)
    horizontal = downsample.horizontalRows(rows, at: memory)
  }

  deinit { memory.deallocate() }

  /// Sets up the horizontal pass over `rows` of `band`, the first of which is row `number` of the source.
  func horizontal(_ band: PixelBuffer, _ rows: Range<Int>, numbered number: Int) {
    task = .horizontal(band, rows: rows, number: number)
    pieces = (rows.count + Int(SL_DOWNSAMPLE_ROWS) - 1) / Int(SL_DOWNSAMPLE_ROWS)
  }

  /// Sets up the vertical pass into `rows` of the result.
  func vertical(_ rows: Range<Int>) {
    task = .vertical(rows: rows)
    pieces = rows.count
  }

  override func perform(_ piece: Int, scratch: TileScratch) {
    let memory = downsample.rowMemory(in: scratch, shared: horizontal)
    switch task {
    case .none: break
    case .horizontal(let band, let rows, let number):
      let offset = piece * Int(SL_DOWNSAMPLE_ROWS)
      let first = rows.lowerBound + offset
      downsample.horizontal(
        band, rows: first..<min(first + Int(SL_DOWNSAMPLE_ROWS), rows.upperBound), numbered: number + offset,
        memory,
        scratch: scratch)
    case .vertical(let rows): downsample.vertical(rows.lowerBound + piece, memory, into: downsampled)
    }
  }
}
