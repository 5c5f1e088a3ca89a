import FrameCore

extension Comparison {
  /// |edited − original| · gain per channel, computed before any rounding to 8 bits.
  func renderDifference(gain requested: Double?) throws -> PixelBuffer {
    let canvas = try Canvas(size: size, tags: original.tags, alpha: .opaque)
    let automatic = requested == nil ? automaticGain() : nil
    let gain = requested ?? automatic ?? 1
    let scale = Float(gain)
    forEachRowOfDifferences { y, differences in
      let row = canvas.buffer.row(y, as: UInt8.self)
      for x in 0..<size.width {
        for channel in 0..<3 {
          row[4 * x + channel] = UInt8((min(differences[3 * x + channel] * scale, 1) * 255).rounded())
        }
        row[4 * x + 3] = 255
      }
    }
    if let style = LabelStyle(for: size, enabled: labels) {
      let isEqual = requested == nil && automatic == nil
      drawScale(isEqual ? "NO DIFFERENCE" : Self.scaleText(gain: gain), hasBar: !isEqual, style, on: canvas)
    }
    return canvas.buffer
  }

  /// The largest power of two, 1…4096, at which at most one pixel in a thousand exceeds full brightness; `nil` if
  /// the pictures are equal.
  ///
  /// A few stray pixels must not keep everything else dark. 4096 is where the noise of 16-bit samples begins.
  func automaticGain() -> Double? {
    let largestExponent = 12
    // histogram[k]: pixels whose largest difference d satisfies d · 2^k ≤ 1 < d · 2^(k+1).
    var histogram = Array(repeating: 0, count: largestExponent + 1)
    forEachRowOfDifferences { _, differences in
      for x in 0..<size.width {
        let largest = max(differences[3 * x], differences[3 * x + 1], differences[3 * x + 2])
        guard largest > 0 else { continue }
        let exponent = -Int(largest.exponent) - (largest.significand == 1 ? 0 : 1)
        histogram[min(max(exponent, 0), largestExponent)] += 1
      }
    }
    guard let smallest = histogram.lastIndex(where: { $0 > 0 }) else { return nil }
    let allowed = size.pixelCount / 1000
    var exceeding = 0
    for exponent in 0..<smallest {
      exceeding += histogram[exponent]
      if exceeding > allowed { return Double(1 << exponent) }
    }
    return Double(1 << smallest)
  }

  /// Calls `body` with |edited − original| of R, G, B for each pixel of each row, 1.0 for full scale.
  ///
  /// Pictures with straight alpha are compared as they look on black: colour behind full transparency does not
  /// count. A difference that is not finite counts as full scale, so that it is visible.
  private func forEachRowOfDifferences(_ body: (_ y: Int, UnsafeMutableBufferPointer<Float>) -> Void) {
    let width = size.width
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 11 * width) { scratch in
      scratch.initialize(repeating: 0)
      let a = UnsafeMutableBufferPointer(rebasing: scratch[0..<4 * width])
      let b = UnsafeMutableBufferPointer(rebasing: scratch[4 * width..<8 * width])
      let differences = UnsafeMutableBufferPointer(rebasing: scratch[8 * width..<11 * width])
      for y in 0..<size.height {
        original.readFloat(row: y, into: a)
        edited.readFloat(row: y, into: b)
        for x in 0..<width {
          let alphaA = original.alpha == .opaque ? 1 : a[4 * x + 3]
          let alphaB = edited.alpha == .opaque ? 1 : b[4 * x + 3]
          for channel in 0..<3 {
            let difference = abs(b[4 * x + channel] * alphaB - a[4 * x + channel] * alphaA)
            differences[3 * x + channel] = difference.isFinite ? difference : 1
          }
        }
        body(y, differences)
      }
    }
  }

  /// The meaning of full brightness, for example `× 8   WHITE = 12.5 %`.
  static func scaleText(gain: Double) -> String {
    "× \(threeDigits(gain))   WHITE = \(threeDigits(100 / gain)) %"
  }

  /// `value` with at most three significant digits and no trailing zeros; from 100 on as a whole number.
  static func threeDigits(_ value: Double) -> String {
    var decimals = 0
    var magnitude = value
    while magnitude < 100, decimals < 6 {
      magnitude *= 10
      decimals += 1
    }
    guard magnitude < 1e15 else { return "\(value)" }
    var digits = String(Int(magnitude.rounded()))
    while digits.count <= decimals { digits = "0" + digits }
    var fraction = digits.suffix(decimals)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = digits.dropLast(decimals)
    return fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
  }

  /// Draws the scale: a ramp from black to white, and the meaning of white.
  private func drawScale(_ text: String, hasBar: Bool, _ style: LabelStyle, on canvas: Canvas) {
    let cap = style.lettering.capHeight
    let bar = hasBar ? 7 * cap : 0
    let gap = hasBar ? cap : 0
    let whole = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    let content = bar + gap + style.lettering.width(of: text)
    guard let plate = style.plate(contentWidth: content, within: whole, corner: .bottomLeft) else { return }
    // A translucent plate would be invisible on black.
    canvas.fillRounded(plate, radius: style.radius, .ground, opacity: 0.9)
    let (x, y) = (plate.x + style.paddingX, plate.y + style.paddingY)
    for column in 0..<bar {
      let level = UInt8((Double(column) / Double(bar - 1) * 255).rounded())
      canvas.fill(PixelRect(x: x + column, y: y, width: 1, height: cap), CanvasColor(gray: level))
    }
    canvas.draw(text, style.lettering, x: x + bar + gap, y: y, .white)
  }
}
