import FrameCore
import TestSupport

/// What a lens shows that is more or less in focus.
package enum FocusScene {
  /// A texture in the middle of 1920 × 1080, blurred by a box of so many pixels in both directions.
  package static func picture(blur: Int, gain: Double = 1) throws -> PixelBuffer {
    var random = SeededRandom(seed: 3)
    let (width, height) = (1920, 1080)
    var samples = (0..<width * height).map { index -> Double in
      let isInside = (480..<1440).contains(index % width) && (270..<810).contains(index / width)
      let value = 60 + 120 * Double.random(in: 0..<1, using: &random)
      return isInside ? value : 100
    }
    func smooth(_ step: Int, _ count: Int, _ lines: Int, _ lineStep: Int) {
      guard blur > 1 else { return }
      for line in 0..<lines {
        let row = (0..<count).map { samples[line * lineStep + $0 * step] }
        var sum = row[0..<blur].reduce(0, +)
        for place in 0..<count - blur {
          samples[line * lineStep + place * step] = sum / Double(blur)
          sum += row[place + blur] - row[place]
        }
      }
    }
    smooth(1, width, height, width)
    smooth(width, height, width, 1)
    return try Pictures.gray8(width, height) { x, y in UInt8((gain * samples[y * width + x]).rounded()) }
  }
}
