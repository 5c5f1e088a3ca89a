import FilterGraph
import FrameCore

/// A rectangle of a picture held in memory, for output rows that show nothing else.
///
/// For plans that turn a picture so far that each band of the output shows nearly all of its rows, so that the
/// whole picture would take too much memory.
package final class PicturePart: @unchecked Sendable {
  /// The rows of the picture that this part holds; `columns` likewise.
  package let rows: Range<Int>
  package let columns: Range<Int>
  private let size: PixelSize
  private let pixelBytes: Int
  private let memory: PixelBuffer

  /// - Parameter output: rows of the plan's output.
  /// - Throws: `SafelightError` if memory is short.
  package init(for plan: Plan, showing output: Range<Int>, tags: ColorTags = .sRGB) throws {
    let input = plan.input
    size = input.size
    let region = Self.region(of: plan, showing: output)
    (rows, columns) = (region.rows, region.columns)
    pixelBytes = input.format.rgbaBytes
    memory = try PixelBuffer(
      size: PixelSize(width: columns.count, height: rows.count), format: input.format, tags: tags,
      alpha: input.alpha)
  }

  /// Returns the bytes of the part that the given rows of the plan's output need.
  package static func bytes(for plan: Plan, showing output: Range<Int>) -> Int {
    let region = region(of: plan, showing: output)
    return region.rows.count * region.columns.count * plan.input.format.rgbaBytes
  }

  /// The region of the picture that output rows show.
  private static func region(of plan: Plan, showing output: Range<Int>) -> Region {
    plan.sourceRegion(
      for: Region(columns: 0..<plan.outputSize.width, rows: output), margin: .processorBesideNothing)
  }

  /// Copies what it needs from the first `count` rows of `band`, which begin at row `first` of the picture.
  package func take(_ band: PixelBuffer, rows count: Int, from first: Int) {
    let (source, target) = (band.planes[0], memory.planes[0])
    for y in max(first, rows.lowerBound)..<max(first, rows.lowerBound, min(first + count, rows.upperBound)) {
      target.row(y - rows.lowerBound).copyMemory(
        from: source.row(y - first) + columns.lowerBound * pixelBytes, byteCount: columns.count * pixelBytes)
    }
  }

  /// A view with the size of the whole picture, of which only this part may be read.
  package var picture: PixelBuffer { memory.asPart(of: size, x: columns.lowerBound, y: rows.lowerBound) }
}
