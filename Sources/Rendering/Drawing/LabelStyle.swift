import FrameCore

/// The small plates behind captions within a picture.
///
/// Lettering is 1.6 % of the shorter edge high, at least 9 pixels, white on a dark translucent plate with rounded
/// corners; every other measure is a multiple of the cap height.
package struct LabelStyle {
  package enum Corner { case topLeft, bottomLeft, bottomRight }

  /// Pictures with a shorter edge have no labels.
  static let smallestEdge = 120

  package let lettering: Lettering
  /// Pixels between a plate and the edges of its picture.
  package let margin: Int
  /// Pixels between a plate's edge and its lettering.
  package let paddingX: Int
  package let paddingY: Int
  package let radius: Int

  /// Returns `nil` if `enabled` is false or a picture of `size` is too small for labels.
  package init?(for size: PixelSize, enabled: Bool) {
    let edge = min(size.width, size.height)
    guard enabled, edge >= Self.smallestEdge else { return nil }
    lettering = Lettering(capHeight: Int((0.016 * Double(edge)).rounded()), tracking: 0.06)
    let cap = Double(lettering.capHeight)
    margin = Int((1.2 * cap).rounded())
    paddingX = Int((0.9 * cap).rounded())
    paddingY = Int((0.7 * cap).rounded())
    radius = Int((0.55 * cap).rounded())
  }

  /// The rectangle of the plate for `text`; `nil` if `area` is too small to hold it with its margins.
  package func plate(_ text: String, within area: PixelRect, corner: Corner) -> PixelRect? {
    plate(contentWidth: lettering.width(of: text), within: area, corner: corner)
  }

  /// The rectangle of a plate around content `contentWidth` pixels wide; `nil` if `area` is too small.
  package func plate(contentWidth: Int, within area: PixelRect, corner: Corner) -> PixelRect? {
    let width = contentWidth + 2 * paddingX
    let height = lettering.capHeight + 2 * paddingY
    guard width + 2 * margin <= area.width, height + 2 * margin <= area.height else { return nil }
    let x = corner == .bottomRight ? area.maxX - margin - width : area.x + margin
    let y = corner == .topLeft ? area.y + margin : area.maxY - margin - height
    return PixelRect(x: x, y: y, width: width, height: height)
  }

  package func fillPlate(_ plate: PixelRect, on canvas: Canvas) {
    canvas.fillRounded(plate, radius: radius, .black, opacity: 0.58)
  }

  /// Draws the plate and its text, or nothing if `area` is too small.
  package func draw(_ text: String, on canvas: Canvas, within area: PixelRect, corner: Corner) {
    guard let plate = plate(text, within: area, corner: corner) else { return }
    fillPlate(plate, on: canvas)
    canvas.draw(text, lettering, x: plate.x + paddingX, y: plate.y + paddingY, .white)
  }
}
