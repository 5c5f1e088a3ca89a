import AnalysisKernels
import FrameCore

/// The luma of a part of a frame, averaged down where that is large, in memory that is kept from frame to frame.
struct PartialLuma: ~Copyable {
  private var samples = SampleBuffer<Float>(capacity: 1)
  private var rowSamples = SampleBuffer<Float>(capacity: 1)
  private var rowColumns = SampleBuffer<Int32>(capacity: 1)

  /// The first sample, 0…1 in the frame's own encoding (the square root of linear light), rows without gaps, as stored.
  var base: UnsafeMutablePointer<Float> { samples.base }

  /// Takes the luma of a part, and returns its columns and rows.
  ///
  /// - Parameter longEdge: the most samples along the long edge.
  mutating func take(_ area: SubjectArea, of frame: Frame, longEdge: Int) -> PixelSize {
    let buffer = frame.buffer
    let (columns, rows) = area.pixels(of: buffer.size, orientation: frame.orientation)
    // 4:2:2 comes in pairs of pixels.
    let first = columns.lowerBound & ~1
    let part = PixelSize(width: columns.upperBound - first, height: rows.count)
    let size = AnalysisProxy.fit(part, longEdge: longEdge)
    samples.reserve(size.pixelCount)
    rowSamples.reserve(5 * part.width)
    rowColumns.reserve(part.width)
    let plane = buffer.planes[0]
    // Luma of 4:2:2 is in every second byte, so that a step is two bytes there as well.
    let shape = buffer.format.planes[0]
    var picture = sla_luma_picture(
      base: plane.row(rows.lowerBound) + first * (shape.bytesPerGroup / shape.columnsPerGroup),
      row_bytes: plane.rowBytes, width: Int32(part.width), height: Int32(part.height),
      source: buffer.format.lumaSource)
    var output = sla_oriented_plane(
      base: samples.base, column_step: 1, row_step: size.width, width: Int32(size.width),
      height: Int32(size.height))
    var scratch = sla_area_scratch(samples: rowSamples.base, columns: rowColumns.base)
    // H.273: 8-bit luma of limited range has black at 16 and white at 235.
    let isLimited = buffer.format.isYCbCr && buffer.tags.range == .limited
    sla_area_average(&picture, &output, isLimited ? 16.0 / 255 : 0, isLimited ? 255.0 / 219 : 1, &scratch)
    if buffer.tags.transfer == .linear { sla_square_root(samples.base, size.pixelCount) }
    withExtendedLifetime(buffer) {}
    return size
  }
}
