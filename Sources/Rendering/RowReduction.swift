import FrameCore
import PixelKernels

/// A reduction on a CPU renderer's threads. The result equals that of reducing the whole picture, bit for bit.
final class CPURowReduction: RowReduction {
  private(set) var position = 0

  private let plan: CPUPlan
  private let shrink: CompiledShrink
  private let reduced: PixelBuffer
  private let work: RowReductionWork
  /// The number of rows that are narrowed before any is averaged.
  private let step: Int
  private var nextRow = 0

  init(_ plan: CPUPlan, _ shrink: CompiledShrink, into reduced: PixelBuffer) {
    self.plan = plan
    self.shrink = shrink
    self.reduced = reduced
    // A single thread keeps its rows in the cache; several threads need enough pieces.
    step = Int(SL_SHRINK_ROWS) * (plan.pool.threads == 1 ? 1 : 16)
    // The rows that one output row is averaged from, plus those being added.
    work = RowReductionWork(shrink, rows: shrink.mostRows + step, into: reduced)
  }

  func append(_ band: PixelBuffer, rows count: Int) throws {
    let input = plan.plan.input
    guard band.format == input.format, band.width == input.size.width, band.alpha == input.alpha,
      count <= band.height, position + count <= input.size.height
    else {
      throw SafelightError(
        .invalidValue,
        "\(count) rows of \(band.size) \(band.format.rawValue) do not follow row \(position) of \(input.size) "
          + input.format.rawValue, remedy: "bring the rows of the picture that the plan is for")
    }
    for first in stride(from: 0, to: count, by: step) {
      take(band, first..<min(first + step, count))
    }
  }

  private func take(_ band: PixelBuffer, _ rows: Range<Int>) {
    let first = position
    position += rows.count
    guard nextRow < shrink.outputSize.height else { return }
    // Skips rows above the first one shown.
    guard position > shrink.sourceRows(for: nextRow..<nextRow + 1).lowerBound else { return }
    work.narrow(band, rows, numbered: first)
    plan.pool.run(work)
    var end = nextRow
    while end < shrink.outputSize.height, shrink.sourceRows(for: end..<end + 1).upperBound <= position {
      end += 1
    }
    guard end > nextRow else { return }
    work.blend(nextRow..<end)
    plan.pool.run(work)
    nextRow = end
  }

  func finish() throws -> any PreparedPicture {
    CPUPicture(plan: plan, samples: .picture(try finishedPicture()))
  }

  /// - Throws: `SafelightError` if rows are missing.
  func finishedPicture() throws -> PixelBuffer {
    guard nextRow == shrink.outputSize.height else {
      throw SafelightError(
        .invalidValue, "Only \(position) of \(plan.plan.input.size.height) rows were brought",
        remedy: "bring all of them")
    }
    return reduced
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
