import FrameCore
import PixelKernels

/// Reduces a picture while it is being decoded: its rows come from top to bottom and need not be kept.
///
/// The result is that of reducing the whole picture, bit for bit. Belongs to one thread.
public final class RowReduction {
  /// Source rows that were taken.
  public private(set) var position = 0

  private let prepared: PreparedPlan
  private let shrink: CompiledShrink
  private let reduced: PixelBuffer
  private let finishing: (PixelBuffer) -> PreparedSource
  private let scratch = TileScratch()
  private let memory: CompiledShrink.RowMemory
  private var nextRow = 0

  init(
    _ prepared: PreparedPlan, _ shrink: CompiledShrink, into reduced: PixelBuffer,
    finishing: @escaping (PixelBuffer) -> PreparedSource
  ) {
    self.prepared = prepared
    self.shrink = shrink
    self.reduced = reduced
    self.finishing = finishing
    // Those that one output row is averaged from, and a block that is being added.
    memory = shrink.rowMemory(in: scratch, narrowRows: shrink.mostRows + Int(SL_SHRINK_ROWS))
  }

  /// Takes the next rows of the source: the first `count` of `band`.
  ///
  /// - Parameter band: of the plan's input format and width. It may be written again when this returns.
  /// - Throws: `SafelightError` where it does not fit.
  public func append(_ band: PixelBuffer, rows count: Int) throws {
    let input = prepared.plan.input
    guard band.format == input.format, band.width == input.size.width, band.alpha == input.alpha,
      count <= band.height, position + count <= input.size.height
    else {
      throw SafelightError(
        .invalidValue,
        "\(count) rows of \(band.size) \(band.format.rawValue) do not follow row \(position) of \(input.size) "
          + input.format.rawValue, remedy: "bring the rows of the picture that the plan is for")
    }
    let step = Int(SL_SHRINK_ROWS)
    for first in stride(from: 0, to: count, by: step) {
      take(band, first..<min(first + step, count))
    }
  }

  private func take(_ band: PixelBuffer, _ rows: Range<Int>) {
    let first = position
    position += rows.count
    guard nextRow < shrink.outputSize.height else { return }
    // Rows above the first that is shown.
    guard position > shrink.sourceRows(for: nextRow..<nextRow + 1).lowerBound else { return }
    shrink.narrow(band, rows: rows, numbered: first, memory, scratch: scratch)
    while nextRow < shrink.outputSize.height,
      shrink.sourceRows(for: nextRow..<nextRow + 1).upperBound <= position
    {
      shrink.blend(nextRow, memory, into: reduced)
      nextRow += 1
    }
  }

  /// The reduced picture, after the last row.
  ///
  /// - Throws: `SafelightError` where rows are missing.
  public func finish() throws -> PreparedSource {
    guard nextRow == shrink.outputSize.height else {
      throw SafelightError(
        .invalidValue, "Only \(position) of \(prepared.plan.input.size.height) rows were brought",
        remedy: "bring all of them")
    }
    return finishing(reduced)
  }
}
