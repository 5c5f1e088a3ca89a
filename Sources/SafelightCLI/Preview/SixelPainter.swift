import Safelight

/// Draws with sixels in a palette of 6 × 6 × 6 colours, with ordered dither.
///
/// A fixed palette keeps colours stable from frame to frame. Source of the format: DEC, “VT330/VT340 Programmer
/// Reference Manual”, chapter 14.
final class SixelPainter: PicturePainter {
  /// Larger pictures would take terminals longer to parse than a frame lasts.
  let sampling = PreviewLayout.Sampling.pixels(atMost: 640 * 400)

  private static let colorCount = 216
  /// Levels of 0, 20 … 100 percent.
  private let dither = OrderedDither(levels: [0, 51, 102, 153, 204, 255])
  private var indices: [UInt8] = []
  private var isUsed = [Bool](repeating: false, count: 216)
  /// A row of sixels of the current band for each colour.
  private var masks: [UInt8] = []
  private var first = [Int](repeating: .max, count: 216)
  private var last = [Int](repeating: -1, count: 216)

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
        let pixel = y * size.width + x
        let color = dither.color(samples, 3 * pixel, x: x, y: y)
        indices[pixel] = UInt8(color)
        isUsed[color] = true
      }
    }
  }

  /// Appends six rows, one colour after another.
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

  /// Appends `count` equal sixels, as a run if that is shorter.
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
