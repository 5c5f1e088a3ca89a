import FrameCore
import Rendering
import Libc

/// The drawing operations that all scopes share.
struct ScopePainter {
  static let plotGround = CanvasColor(red: 0x08, green: 0x09, blue: 0x0A)
  static let gridLine = CanvasColor(red: 0xC8, green: 0xB4, blue: 0x86)
  static let number = CanvasColor(gray: 0x9A)
  static let titleColor = CanvasColor(gray: 0xD2)
  static let numberLettering = Lettering(capHeight: 10, tracking: 0.04)
  static let titleLettering = Lettering(capHeight: 13, tracking: 0.06)

  /// The trace colours of the three channels.
  static let channelLight: [SIMD3<Float>] = [
    SIMD3(1.0, 0.24, 0.20), SIMD3(0.22, 0.95, 0.32), SIMD3(0.28, 0.46, 1.0),
  ]

  let canvas: Canvas

  func drawTitle(_ title: String, _ panel: ScopePanel) {
    let lettering = Self.titleLettering
    canvas.draw(
      lettering.fitting(title, width: panel.outer.width), lettering, x: panel.outer.x, y: panel.outer.y,
      Self.titleColor)
  }

  /// Adds light to a pixel, as on a phosphor screen: 1 is full scale of a channel.
  func add(_ light: SIMD3<Float>, x: Int, y: Int) {
    guard x >= 0, y >= 0, x < canvas.size.width, y < canvas.size.height else { return }
    let row = canvas.buffer.row(y, as: UInt8.self)
    for channel in 0..<3 {
      let sum = Float(row[4 * x + channel]) + 255 * light[channel]
      row[4 * x + channel] = UInt8(min(max(sum, 0), 255).rounded())
    }
  }

  /// Draws level lines at 0, 25, 50, 75 and 100 %, with numbers at the left.
  func drawPercentLines(_ plot: PixelRect) {
    for percent in stride(from: 0, through: 100, by: 25) {
      let y = Self.row(of: Double(percent) / 100, plot)
      line(
        from: CanvasPoint(Double(plot.x), y), to: CanvasPoint(Double(plot.maxX), y),
        strength: percent % 100 == 0 ? 0.5 : 0.2)
      let text = "\(percent)"
      let width = Self.numberLettering.width(of: text)
      canvas.draw(
        text, Self.numberLettering, x: plot.x - 10 - width,
        y: Int(y) - Self.numberLettering.capHeight / 2, Self.number)
    }
  }

  /// Draws a graticule line, one pixel wide.
  func line(from: CanvasPoint, to: CanvasPoint, strength: Double) {
    canvas.stroke(from: from, to: to, width: 1, Self.gridLine, opacity: strength)
  }

  /// Space above full scale and below black, in pixels, so that traces at the ends are fully visible.
  static let headroom = 8

  /// Returns the row of a signal in 0…1, at a pixel centre.
  static func row(of signal: Double, _ plot: PixelRect) -> Double {
    let extent = Double(plot.height - 1 - 2 * headroom)
    return Double(plot.maxY - 1 - headroom) + 0.5 - (signal * extent).rounded()
  }

  /// Returns the brightness of a trace `density` times as dense as one spread evenly over all levels. The scale is
  /// logarithmic, so that single samples are visible and dense areas keep their detail.
  ///
  ///     log(1 + 8 · density) / log(1 + 8 · 24)    at most 1
  static func brightness(density: Float) -> Float {
    min(log1pf(8 * density) / log1pf(8 * 24), 1)
  }
}
