import FilterGraph
import FrameCore

/// A rectangle of a picture that is in memory, for output rows that show nothing else.
///
/// For plans that turn a picture so far that each band of the output shows nearly all of its rows, where the whole
/// picture would take too much memory.
public final class PicturePart: @unchecked Sendable {
  /// Of the picture.
  public let rows: Range<Int>
  public let columns: Range<Int>
  private let size: PixelSize
  private let pixelBytes: Int
  private let memory: PixelBuffer

  /// - Parameter output: rows of the plan's output.
  /// - Throws: `SafelightError` where memory is short.
  public init(for plan: Plan, showing output: Range<Int>, tags: ColorTags = .sRGB) throws {
    let input = plan.input
    size = input.size
    let region = Self.region(of: plan, showing: output)
    (rows, columns) = (region.rows, region.columns)
    pixelBytes = input.format.rgbaBytes
    memory = try PixelBuffer(
      size: PixelSize(width: columns.count, height: rows.count), format: input.format, tags: tags,
      alpha: input.alpha)
  }

  /// Bytes of the part that rows of the plan's output need.
  public static func bytes(for plan: Plan, showing output: Range<Int>) -> Int {
    let region = region(of: plan, showing: output)
    return region.rows.count * region.columns.count * plan.input.format.rgbaBytes
  }

  /// What output rows show.
  private static func region(of plan: Plan, showing output: Range<Int>) -> Region {
    plan.sourceRegion(
      for: Region(columns: 0..<plan.outputSize.width, rows: output), margin: .processorBesideNothing)
  }

  /// Takes what it needs of some rows of the picture: the first ones of `band`, the first of which is row `first`.
  public func take(_ band: PixelBuffer, rows count: Int, from first: Int) {
    let (source, target) = (band.planes[0], memory.planes[0])
    for y in max(first, rows.lowerBound)..<max(first, rows.lowerBound, min(first + count, rows.upperBound)) {
      target.row(y - rows.lowerBound).copyMemory(
        from: source.row(y - first) + columns.lowerBound * pixelBytes, byteCount: columns.count * pixelBytes)
    }
  }

  /// The whole picture, of which this part may be read.
  public var picture: PixelBuffer { memory.asPart(of: size, x: columns.lowerBound, y: rows.lowerBound) }
}
