import FrameCore
import Libc

/// Where a `LivePainter`'s level canvas lies in relation to the picture, which is rolled.
///
/// A turn by the angle θ is made of a shear along rows and one along columns. With (dx, dy) measured from the point
/// where the horizon crosses the middle column, a pixel shows the canvas at
///
///     t = dx · sin θ + dy · cos θ        s = dx − t · tan θ
///
/// t is exact; in s a stretch by 1 / cos θ is left out, which no one sees at the few degrees of a hand-held camera.
struct LiveGeometry: Sendable {
  let size: PixelSize
  /// The picture's width, rounded up to whole chroma samples.
  let width: Int
  /// Where the horizon crosses the middle column, in pixels from the top.
  let horizon: Double
  /// The canvas, wider and higher than the picture so that it covers it at every roll.
  let canvasWidth: Int
  let canvasRows: Int
  /// The first row below the horizon.
  let firstSeaRow: Int

  /// - Parameter maximumRoll: in degrees, below 45.
  init(size: PixelSize, horizonHeight: Double, maximumRoll: Double) {
    self.size = size
    width = (size.width + 1) / 2 * 2
    horizon = horizonHeight * Double(size.height)
    let angle = maximumRoll * .pi / 180
    let rise = Double(width) / 2 * sin(angle) + 3
    firstSeaRow = Int((horizon + rise).rounded(.up))
    canvasRows = firstSeaRow + Int((Double(size.height) - horizon + rise).rounded(.up))
    let farthest = Double(max(firstSeaRow, canvasRows - firstSeaRow))
    let margin = Int((farthest * tan(angle)).rounded(.up)) + 4
    canvasWidth = width + (margin + 15) / 16 * 32
  }

  /// How far a canvas row lies below the horizon, in pixels.
  func depth(ofRow row: Int) -> Double { Double(row - firstSeaRow) + 0.5 }

  /// The column of the canvas, in 24.8 fixed point, that column 0 of the picture shows in a canvas row.
  func firstColumn(ofRow row: Int, tangent: Double) -> Int {
    let column = Double(canvasWidth - size.width) / 2 - depth(ofRow: row) * tangent
    return Int((column * 256).rounded())
  }

  /// The canvas row, in 16.16 fixed point, that the first pixel of row `y` shows.
  func firstRow(ofPictureRow y: Int, sine: Double, cosine: Double) -> Int {
    let (dx, dy) = (0.5 - Double(size.width) / 2, Double(y) + 0.5 - horizon)
    return Int(((dx * sine + dy * cosine - 0.5 + Double(firstSeaRow)) * 65_536).rounded())
  }
}
