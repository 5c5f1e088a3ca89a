import FrameCore
import PixelKernels

/// A downsampling on a CPU renderer's threads. The result equals that of downsampling the whole picture, bit for bit.
final class CPURowDownsampling: RowDownsampling {
  private(set) var position = 0

  private let plan: CPUPlan
  private let downsample: CompiledDownsample
  private let downsampled: PixelBuffer
  private let work: RowDownsamplingWork
  /// The number of rows of the horizontal pass before a vertical one.
  private let step: Int
  private var nextRow = 0

  init(_ plan: CPUPlan, _ downsample: CompiledDownsample, into downsampled: PixelBuffer) {
    self.plan = plan
    self.downsample = downsample
    self.downsampled = downsampled
    // A single thread keeps its rows in the cache; several threads need enough pieces.
    step = Int(SL_DOWNSAMPLE_ROWS) * (plan.pool.threads == 1 ? 1 : 16)
    // The rows that one output row is averaged from, plus those being added.
    work = RowDownsamplingWork(downsample, rows: downsample.mostRows + step, into: downsampled)
  }

  func append(_ band: PixelBuffer, rows count: Int) throws {
    let input = plan.plan.input
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

  private func take(_ band: PixelBuffer, _ rows: Range<Int>) {
    let first = position
    position += rows.count
    guard nextRow < downsample.outputSize.height else { return }
    // Skips rows above the first one shown.
    guard position > downsample.sourceRows(for: nextRow..<nextRow + 1).lowerBound else { return }
    work.horizontal(band, rows, numbered: first)
    plan.pool.run(work)
    var end = nextRow
    while end < downsample.outputSize.height, downsample.sourceRows(for: end..<end + 1).upperBound <= position
    {
      end += 1
    }
    guard end > nextRow else { return }
    work.vertical(nextRow..<end)
    plan.pool.run(work)
    nextRow = end
  }

  func finish() throws -> any PreparedPicture {
    plan.prepared(try finishedPicture())
  }

  /// - Throws: `SafelightError` if rows are missing.
  func finishedPicture() throws -> PixelBuffer {
    guard nextRow == downsample.outputSize.height else {
      throw SafelightError(
        .invalidValue, "Only \(position) of \(plan.plan.input.size.height) rows were passed",
        remedy: "pass all of them")
    }
    return downsampled
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
