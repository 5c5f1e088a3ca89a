import Safelight

/// Maps codes of one channel to six levels, mixed by a fixed 8 × 8 pattern so that the average light of an area
/// is right.
///
/// Unlike noise, the pattern stays the same from frame to frame. Levels mix in linear light, as they do in the
/// eye. Source: Bayer, “An optimum method for two-level rendition of continuous-tone pictures”, ICC 1973.
struct OrderedDither {
  static let levelCount = 6
  /// For each code: the level at or below it, and the share of the next level, in 64ths.
  private let steps: [(level: UInt8, fraction: UInt8)]
  /// Bayer's matrix, 0…63.
  private let thresholds: [UInt8]

  /// - Parameter levels: six 8-bit codes, rising from 0 to 255.
  init(levels: [Int]) {
    let light = (0..<256).map { TransferFunction.sRGB.decode(Double($0) / 255) }
    steps = (0..<256).map { code in
      let level = min((levels.firstIndex { $0 > code } ?? levels.count) - 1, Self.levelCount - 2)
      let (low, high) = (light[levels[level]], light[levels[level + 1]])
      return (UInt8(level), UInt8((64 * (light[code] - low) / (high - low)).rounded()))
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

  /// Returns the index in the 6 × 6 × 6 cube of the sample whose R, G, B begin at `index`: 36 r + 6 g + b.
  func color(_ samples: [UInt8], _ index: Int, x: Int, y: Int) -> Int {
    let threshold = thresholds[(y & 7) * 8 + x & 7]
    var color = 0
    for channel in 0..<3 {
      let step = steps[Int(samples[index + channel])]
      color = Self.levelCount * color + Int(step.level) + (step.fraction > threshold ? 1 : 0)
    }
    return color
  }
}
