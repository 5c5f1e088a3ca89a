import AnalysisKernels
import FrameCore

/// Measures how sharp the middle of live frames is, at their full resolution.
///
/// `Sharpness` of a proxy cannot see blur that is finer than the proxy. This is the same measure, on the middle half
/// of the frame's width and height, halved only where that is wider than 960 pixels. Exposure and contrast cancel, so
/// that values of one scene can be compared while the lens moves. Belongs to one thread at a time; keeps its memory.
public final class FocusMeter {
  private let area: SubjectArea
  private var luma = SampleBuffer<Float>(capacity: 1)
  private var halves = SampleBuffer<Float>(capacity: 1)
  private var rowSamples = SampleBuffer<Float>(capacity: 1)
  private var rowColumns = SampleBuffer<Int32>(capacity: 1)

  private static let longEdge = 960

  /// - Parameter area: what is to be sharp; nil is the middle.
  /// - Throws: `SafelightError` if the area is not inside the frame.
  public init(area: SubjectArea? = nil) throws {
    try area?.validate()
    self.area = area ?? SubjectArea(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
  }

  /// Measures the middle.
  public init() { area = SubjectArea(x: 0.25, y: 0.25, width: 0.5, height: 0.5) }

  /// Measures a frame.
  public func measure(_ frame: Frame) -> Sharpness {
    let buffer = frame.buffer
    let (columns, rows) = area.pixels(of: buffer.size, orientation: frame.orientation)
    // 4:2:2 comes in pairs of pixels.
    let first = columns.lowerBound & ~1
    let part = PixelSize(width: columns.upperBound - first, height: rows.count)
    let size = AnalysisProxy.fit(part, longEdge: Self.longEdge)
    luma.reserve(size.pixelCount)
    halves.reserve(size.pixelCount / 4 + 1)
    rowSamples.reserve(5 * part.width)
    rowColumns.reserve(part.width)
    let plane = buffer.planes[0]
    let shape = buffer.format.planes[0]
    var picture = sla_luma_picture(
      base: plane.row(rows.lowerBound) + first * (shape.bytesPerGroup / shape.columnsPerGroup),
      row_bytes: plane.rowBytes, width: Int32(part.width), height: Int32(part.height),
      source: buffer.format.lumaSource)
    var output = sla_oriented_plane(
      base: luma.base, column_step: 1, row_step: size.width, width: Int32(size.width),
      height: Int32(size.height))
    var scratch = sla_area_scratch(samples: rowSamples.base, columns: rowColumns.base)
    // H.273: 8-bit luma of limited range has black at 16 and white at 235.
    let isLimited = buffer.format.isYCbCr && buffer.tags.range == .limited
    sla_area_average(&picture, &output, isLimited ? 16.0 / 255 : 0, isLimited ? 255.0 / 219 : 1, &scratch)
    if buffer.tags.transfer == .linear { sla_square_root(luma.base, size.pixelCount) }
    withExtendedLifetime(buffer) {}
    return Sharpness(
      luma: UnsafeBufferPointer(start: luma.base, count: size.pixelCount), size: size, half: halves.base)
  }
}
