import FilterGraph
import FrameCore
import PhotoIO
import Rendering

extension LightProxy {
  /// The long edge to which JPEG data are decoded: each colour still averages several samples.
  private static func decodedLongEdge(isFine: Bool) -> Int {
    2 * (isFine ? LightGrid.fineLongEdge : LightGrid.longEdge)
  }

  /// Makes the proxy of a stored photo, in a pass of its own: JPEG data are decoded at a reduced size, others in bands.
  /// It depends on the photo alone, not on how or at which size it is rendered.
  ///
  /// - Parameter isFine: whether plans with texture, or with masks that follow edges, will use it.
  /// - Throws: `SafelightError` if the photo cannot be read.
  init(_ photo: PhotoFile, input: PlanInput, isFine: Bool) throws {
    let reader = try photo.reader(scaledToLongEdge: Self.decodedLongEdge(isFine: isFine))
    let maker = try LightProxyMaker(reader.size, format: reader.format, input: input, isFine: isFine)
    let band = try PixelBuffer(
      size: PixelSize(width: reader.size.width, height: min(64, reader.size.height)), format: reader.format,
      tags: reader.tags, alpha: reader.alpha)
    while reader.position < reader.size.height {
      maker.append(band, rows: try reader.read(into: band))
    }
    try reader.finish()
    self = maker.proxy
  }
}
