import FrameAnalysis
import FrameCore
import PhotoIO

extension EdgeSharpness {
  /// Measures a stored photo at 100 %. Camera raws are developed at half their size, where each pixel has its own red,
  /// green and blue; widths are the photo's all the same.
  ///
  /// The luma of the whole photo is kept meanwhile, a byte a pixel.
  ///
  /// - Parameter threads: how many measure; decoding takes one.
  /// - Throws: `SafelightError` where the photo cannot be read.
  public init(contentsOf path: String, threads: Int = 1) throws {
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
    self = meter.measure(
      scale: Double(reader.photoSize.longEdge) / Double(reader.size.longEdge), threads: threads)
  }
}
