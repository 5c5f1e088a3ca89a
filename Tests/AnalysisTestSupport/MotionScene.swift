import FrameAnalysis
import FrameCore
import TestSupport

/// A textured scene of 640 × 360 with noise, a light that changes, and squares that move; ten frames a second.
package struct MotionScene {
  /// A square: its left top corner in pixels by the number of the frame, or nil where it is not there.
  package struct Square {
    package var edge = 60
    package var luma = 0.85
    package var place: (Int) -> (x: Int, y: Int)?

    package init(edge: Int = 60, luma: Double = 0.85, place: @escaping (Int) -> (x: Int, y: Int)?) {
      (self.edge, self.luma, self.place) = (edge, luma, place)
    }
  }

  package var size = PixelSize(width: 640, height: 360)
  package var squares: [Square] = []
  /// The light, as a gain on encoded values, by the number of the frame.
  package var gain: (Int) -> Double = { _ in 1 }
  /// The exponent of a tone curve, by the number of the frame.
  package var gamma: (Int) -> Double = { _ in 1 }
  /// How far the camera has moved to the right, in pixels.
  package var pan: (Int) -> Int = { _ in 0 }
  /// The standard deviation of the noise in 8-bit codes.
  package var noise = 3.0
  /// Adds to the scene: luma by place and frame.
  package var waves: (Int, Int, Int) -> Double = { _, _, _ in 0 }
  let texture: [Double]

  package init() {
    // Blocks of different tones: edges everywhere.
    var random = SeededRandom(seed: 5)
    texture = (0..<4096).map { _ in 0.15 + 0.5 * Double.random(in: 0..<1, using: &random) }
  }

  package func frame(_ number: Int) throws -> Frame {
    var random = SeededRandom(seed: UInt64(number) + 100)
    let places = squares.map { ($0, $0.place(number)) }
    let (gain, gamma, pan) = (gain(number), gamma(number), pan(number))
    let picture = try Pictures.gray8(size.width, size.height) { x, y in
      var luma = texture[((y / 20) * 61 + (x + pan) / 20) & 4095] + waves(x, y, number)
      for (square, place) in places {
        guard let place, x >= place.x, x < place.x + square.edge, y >= place.y, y < place.y + square.edge
        else { continue }
        luma = square.luma
      }
      if gamma != 1 { luma = Self.power(luma, gamma) }
      // The sum of four even distributions is nearly normal.
      let bits = random.next()
      let even = (0..<4).reduce(0.0) { $0 + Double((bits >> (16 * UInt64($1))) & 0xFFFF) / 65_535 - 0.5 }
      return UInt8(min(max(255 * gain * luma + noise * 1.732 * even, 0), 255).rounded())
    }
    return Frame(
      buffer: picture, time: Timestamp(nanoseconds: Int64(number) * 100_000_000), sequence: UInt64(number))
  }

  private static func power(_ base: Double, _ exponent: Double) -> Double {
    // By a table would be faster; by square roots it is exact enough: exponents are 0.5 and 0.75.
    let root = max(base, 0).squareRoot()
    return exponent == 0.5 ? root : exponent == 0.75 ? root * root.squareRoot() : base
  }

  /// The detections in each of the first `count` frames.
  package func detections(_ count: Int, by detector: MotionDetector = MotionDetector()) throws
    -> [[Detection]]
  {
    var detector = detector
    let proxy = AnalysisProxy()
    return try (0..<count).map { number in
      let frame = try frame(number)
      try proxy.update(from: frame)
      return try detector.detections(in: proxy, of: frame)
    }
  }
}
