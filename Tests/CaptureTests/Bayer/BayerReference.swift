import FrameCore
import Libc

/// The development of mosaics as it is defined, pixel by pixel: Hamilton and Adams's interpolation in whole numbers,
/// white balance and sRGB's curve in floating point.
struct BayerReference {
  let size: PixelSize
  let format: BayerFormat
  let samples: [Int]

  init(_ picture: BayerPicture) {
    (size, format) = (picture.size, picture.format)
    let width = size.width
    var samples: [Int] = []
    var row = [UInt16](repeating: 0, count: width)
    for y in 0..<size.height {
      row.withUnsafeMutableBufferPointer { picture.unpack(row: y, into: $0) }
      samples += row.map(Int.init)
    }
    self.samples = samples
  }

  /// Beyond the edges, the picture is mirrored at its first and last pixels, again and again if it is small.
  private func mirrored(_ index: Int, _ count: Int) -> Int {
    var index = index
    while index < 0 || index >= count { index = index < 0 ? -index : 2 * (count - 1) - index }
    return index
  }

  private func sample(_ x: Int, _ y: Int) -> Int {
    samples[mirrored(y, size.height) * size.width + mirrored(x, size.width)]
  }

  private func channel(_ x: Int, _ y: Int) -> Int { format.pattern.channel(x: x, y: y) }

  private func clamped(_ value: Int) -> Int { min(max(value, 0), format.maximum) }

  private func green(_ x: Int, _ y: Int) -> Int {
    let own = sample(x, y)
    guard channel(x, y) != 1 else { return own }
    let (left, right, up, down) = (sample(x - 1, y), sample(x + 1, y), sample(x, y - 1), sample(x, y + 1))
    let bendAcross = 2 * own - sample(x - 2, y) - sample(x + 2, y)
    let bendDown = 2 * own - sample(x, y - 2) - sample(x, y + 2)
    let (across, along) = (abs(left - right) + abs(bendAcross), abs(up - down) + abs(bendDown))
    let (fromSides, fromColumn) = (2 * (left + right) + bendAcross, 2 * (up + down) + bendDown)
    if across < along { return clamped((fromSides + 2) >> 2) }
    if along < across { return clamped((fromColumn + 2) >> 2) }
    return clamped((fromSides + fromColumn + 4) >> 3)
  }

  /// Red, green and blue at a pixel, 0…the format's maximum.
  func color(_ x: Int, _ y: Int) -> [Int] {
    let green = green(x, y)
    return (0..<3).map { wanted in
      if wanted == 1 { return green }
      if channel(x, y) == wanted { return sample(x, y) }
      var (sum, count) = (0, 0)
      for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
      where channel(x + dx, y + dy) == wanted {
        sum += sample(x + dx, y + dy) - self.green(x + dx, y + dy)
        count += 1
      }
      let mean = Int((Double(sum) / Double(count) + 0.5).rounded(.down))
      return clamped(green + mean)
    }
  }

  /// A pixel in sRGB, 0…1.
  func developed(_ x: Int, _ y: Int, isLinear: Bool, neutral: SIMD3<Double>?) -> [Double] {
    color(x, y).enumerated().map { channel, sample in
      let value = Double(sample) / Double(format.maximum)
      // IEC 61966-2-1.
      let light = isLinear ? value : value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      let balanced = min(light * (neutral.map { $0.max() / $0[channel] } ?? 1), 1)
      return balanced <= 0.0031308 ? 12.92 * balanced : 1.055 * pow(balanced, 1 / 2.4) - 0.055
    }
  }
}

extension BayerFormat {
  /// All formats of V4L2.
  static let allFormats = Pattern.allCases.flatMap { pattern in
    Packing.allCases.map { BayerFormat(pattern, $0) }
  }
}
