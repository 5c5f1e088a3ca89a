import FrameAnalysis
import FrameCore
import PhotoIO

extension EdgeSharpness {
  /// Measures a stored photo at 100 %. Camera raws are developed at half size, so that each pixel has its own red,
  /// green and blue, but widths are in pixels of the photo.
  ///
  /// Holds the luma of the whole photo in memory meanwhile, one byte per pixel.
  ///
  /// - Parameter threads: the number of measuring threads; decoding takes one more.
  /// - Throws: `SafelightError` if the photo cannot be read, or memory is short.
  package init(contentsOf path: String, threads: Int = 1) throws {
    var reader = try PhotoReader(contentsOf: path)
    if reader.isCameraRaw {
      reader = try PhotoReader(contentsOf: path, scaledToLongEdge: reader.photoSize.longEdge / 2)
    }
    reader.developingThreads = threads
    let meter = EdgeSharpnessMeter(size: reader.size, isLinear: reader.isCameraRaw)
    let band = try PixelBuffer(
      size: PixelSize(width: reader.size.width, height: min(64, reader.size.height)), format: reader.format,
      tags: reader.tags, alpha: reader.alpha)
    while reader.position < reader.size.height {
      meter.add(try reader.read(into: band), of: band)
    }
    try reader.finish()
    self = try meter.measure(
      scale: Double(reader.photoSize.longEdge) / Double(reader.size.longEdge), threads: threads)
  }

  /// Measures a picture in memory at 100 %.
  ///
  /// - Parameter picture: `rgba8` or `rgba16`, encoded for a display.
  package init(of picture: PixelBuffer, threads: Int = 1) throws {
    let meter = EdgeSharpnessMeter(size: picture.size, isLinear: false)
    meter.add(picture.height, of: picture)
    self = try meter.measure(scale: 1, threads: threads)
  }
}
