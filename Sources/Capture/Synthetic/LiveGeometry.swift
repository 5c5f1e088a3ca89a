import FrameCore
import Libc

/// The position of a `LivePainter`'s level canvas relative to the rolled picture.
///
/// A rotation by the angle θ consists of a shear along rows and one along columns. With (dx, dy) measured from the
/// point where the horizon crosses the middle column, a pixel shows the canvas at
///
///     t = dx · sin θ + dy · cos θ        s = dx − t · tan θ
///
/// t is exact; s lacks a stretch by 1 / cos θ, which is invisible at the few degrees of a hand-held camera.
struct LiveGeometry: Sendable {
  let size: PixelSize
  /// The picture's width, rounded up to whole chroma samples.
  let width: Int
  /// The row where the horizon crosses the middle column, in pixels from the top.
  let horizon: Double
  /// The canvas size, larger than the picture so as to cover it at every roll.
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

  /// Returns how far a canvas row lies below the horizon, in pixels.
  func depth(ofRow row: Int) -> Double { Double(row - firstSeaRow) + 0.5 }

  /// Returns the canvas column, in 24.8 fixed point, shown by the picture's column 0 in a canvas row.
  func firstColumn(ofRow row: Int, tangent: Double) -> Int {
    let column = Double(canvasWidth - size.width) / 2 - depth(ofRow: row) * tangent
    return Int((column * 256).rounded())
  }

  /// Returns the canvas row, in 16.16 fixed point, shown by the first pixel of row `y`.
  func firstRow(ofPictureRow y: Int, sine: Double, cosine: Double) -> Int {
    let (dx, dy) = (0.5 - Double(size.width) / 2, Double(y) + 0.5 - horizon)
    return Int(((dx * sine + dy * cosine - 0.5 + Double(firstSeaRow)) * 65_536).rounded())
  }
}
