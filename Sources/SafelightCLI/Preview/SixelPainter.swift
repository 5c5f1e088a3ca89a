import Safelight

/// Draws with sixels in a palette of 6 × 6 × 6 colours with ordered dither.
///
/// A fixed palette keeps colours calm from frame to frame, and the dither pattern stands still. Dither mixes in
/// linear light, as the eye does. Source of the format: DEC, “VT330/VT340 Programmer Reference Manual”, chapter 14.
final class SixelPainter: PicturePainter {
  /// Larger pictures would take terminals longer to parse than a frame lasts.
  let sampling = PreviewLayout.Sampling.pixels(atMost: 640 * 400)

  private static let colorCount = 216
  /// For each code: the level below it, and how much of the next level it holds, in 64ths.
  private let quantised: [(level: UInt8, fraction: UInt8)]
  /// Bayer's 8 × 8 matrix, 0…63.
  private let thresholds: [UInt8]
  private var indices: [UInt8] = []
  private var isUsed = [Bool](repeating: false, count: 216)
  /// For each colour a row of sixels of the present band.
  private var masks: [UInt8] = []
  private var first = [Int](repeating: .max, count: 216)
  private var last = [Int](repeating: -1, count: 216)

  init() {
    let transfer = TransferFunction.sRGB
    quantised = (0..<256).map { code in
      let level = min(code / 51, 4)
      let (low, high) = (transfer.decode(Double(level) / 5), transfer.decode(Double(level + 1) / 5))
      let fraction = (transfer.decode(Double(code) / 255) - low) / (high - low)
      return (UInt8(level), UInt8((fraction * 64).rounded()))
    }
    thresholds = (0..<64).map { index in
      let (x, y) = (index % 8, index / 8)
      // Interleaved bits of x ^ y and y, the lowest first.
      return (0..<3).reduce(UInt8(0)) { value, bit in
        let shift = 2 - bit
        return value | UInt8((x ^ y) >> bit & 1) << (2 * shift + 1) | UInt8(y >> bit & 1) << (2 * shift)
      }
    }
  }

  func reset() {}

  func paint(_ samples: [UInt8], _ layout: PreviewLayout, into output: inout TerminalBytes) {
    let size = layout.samples
    quantise(samples, size)
    output.moveCursor(row: layout.row, column: layout.column)
    output.append("\u{1B}P0;1q\"1;1;")
    output.append(size.width)
    output.append(UInt8(ascii: ";"))
    output.append(size.height)
    for color in 0..<Self.colorCount where isUsed[color] {
      output.append(UInt8(ascii: "#"))
      output.append(color)
      output.append(";2")
      for level in [color / 36, color / 6 % 6, color % 6] {
        output.append(UInt8(ascii: ";"))
        // Percent.
        output.append(level * 20)
      }
    }
    if masks.count != Self.colorCount * size.width {
      masks = [UInt8](repeating: 0, count: Self.colorCount * size.width)
    }
    for top in stride(from: 0, to: size.height, by: 6) { appendBand(top, size, to: &output) }
    output.append("\u{1B}\\")
  }

  private func quantise(_ samples: [UInt8], _ size: PixelSize) {
    if indices.count != size.pixelCount { indices = [UInt8](repeating: 0, count: size.pixelCount) }
    for color in isUsed.indices { isUsed[color] = false }
    for y in 0..<size.height {
      for x in 0..<size.width {
        let threshold = thresholds[(y & 7) * 8 + x & 7]
        var color = 0
        let pixel = y * size.width + x
        for channel in 0..<3 {
          let value = quantised[Int(samples[3 * pixel + channel])]
          color = 6 * color + Int(value.level) + (value.fraction > threshold ? 1 : 0)
        }
        indices[pixel] = UInt8(color)
        isUsed[color] = true
      }
    }
  }

  /// Six rows, one colour after the other.
  private func appendBand(_ top: Int, _ size: PixelSize, to output: inout TerminalBytes) {
    let width = size.width
    for row in 0..<min(6, size.height - top) {
      let bit = UInt8(1 << row)
      for x in 0..<width {
        let color = Int(indices[(top + row) * width + x])
        masks[color * width + x] |= bit
        if x < first[color] { first[color] = x }
        if x > last[color] { last[color] = x }
      }
    }
    for color in 0..<Self.colorCount where last[color] >= 0 {
      output.append(UInt8(ascii: "#"))
      output.append(color)
      Self.append(0, count: first[color], to: &output)
      let row = color * width
      var x = first[color]
      while x <= last[color] {
        let mask = masks[row + x]
        var end = x + 1
        while end <= last[color], masks[row + end] == mask { end += 1 }
        Self.append(mask, count: end - x, to: &output)
        for index in x..<end { masks[row + index] = 0 }
        x = end
      }
      output.append(UInt8(ascii: "$"))
      (first[color], last[color]) = (.max, -1)
    }
    output.append(UInt8(ascii: "-"))
  }

  /// `count` sixels alike, as a run where that is shorter.
  private static func append(_ mask: UInt8, count: Int, to output: inout TerminalBytes) {
    if count > 3 {
      output.append(UInt8(ascii: "!"))
      output.append(count)
      output.append(63 + mask)
    } else {
      output.append(repeating: 63 + mask, count)
    }
  }
}
