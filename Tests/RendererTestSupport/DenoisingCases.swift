import FilterGraph
import Filters
import FrameCore
import TestSupport
import Libc

extension EqualityCases {
  /// What noise is removed from, in all tests of it.
  package static let noisyFormats: [(PixelFormat, AlphaMode)] = [
    (.rgba8, .opaque), (.rgba8, .straight), (.rgba16, .opaque), (.rgbaF32, .opaque), (.yuyv422, .opaque),
    (.nv12, .opaque), (.gray8, .opaque),
  ]

  /// Noise reduction alone and ahead of geometry and colour, at odd and tiny sizes and across the seams of tiles.
  package static func denoising(_ format: PixelFormat, _ alpha: AlphaMode = .opaque) throws -> [EqualityCase]
  {
    let filters: [[any Filter]] = [
      [NoiseReduction(luminance: 100, color: 100)],
      [NoiseReduction(luminance: 60, luminanceDetail: 20), Exposure(stops: 0.4)],
      [NoiseReduction(luminance: 0, color: 80, colorDetail: 90), Resize(longEdge: 40)],
      [Crop(.rectangle(x: 31, y: 17, width: 61, height: 40)), NoiseReduction(luminance: 90, color: 70)],
    ]
    var random = SeededRandom(seed: 7100)
    var cases: [EqualityCase] = []
    for (index, filters) in filters.enumerated() {
      var sizes = [(97, 61)]
      if index == 0 { sizes += [(1, 1), (7, 5), (8, 8), (17, 33), (2, 40), (530, 197), (9, 193)] }
      for (width, height) in sizes {
        let size = PixelSize(width: width, height: height)
        // Big pictures of one format are enough: the seams are the same in all.
        guard width < 500 || format == .rgba8 else { continue }
        let source =
          try format.isRGBA
          ? RandomPicture.noise(size, format, alpha: alpha, using: &random)
          : CameraPictures.noise(size, format, using: &random)
        var input = PlanInput(size: size, format: format, alpha: alpha)
        // As noisy as the picture is random, and with another deviation at each brightness.
        input.statistics.noise = NoiseLevel(deviations: [0.3, 0.1, 0.2, 0.15, 0.4], colorRatio: 0.8)
        let output: PixelFormat = format.isRGBA ? format : .rgba8
        cases.append(
          try EqualityCase(
            Recipe(filters: filters), source, input: input, output: PlanOutput(format: output),
            throughTables: true, bound: bound(output) * (format.isRGBA ? 1 : 2)))
      }
    }
    return cases
  }

  /// Of camera samples, which are converted in whole numbers, noise of a small deviation is stretched.
  private static func bound(_ format: PixelFormat) -> Double {
    switch format {
    case .rgba8: 1
    case .rgba16: 120
    default: 4e-3
    }
  }
}

/// Noise of a known deviation on a picture, and what is left of it.
package enum NoisySamples {
  /// A normal number, from two even ones (Box and Muller, Annals of Mathematical Statistics 29, 1958).
  private static func normal(_ random: inout SeededRandom) -> Double {
    let (a, b) = (
      Double.random(in: Double.leastNonzeroMagnitude...1, using: &random),
      Double.random(in: 0...1, using: &random)
    )
    return (-2 * log(a)).squareRoot() * cos(2 * Double.pi * b)
  }

  /// Returns the picture as floats, with independent noise on each channel.
  ///
  /// - Parameter deviation: of a sample 0…1, which it is given.
  package static func adding(
    to picture: PixelBuffer, seed: UInt64, _ deviation: (Double) -> Double
  ) throws -> (clean: PixelBuffer, noisy: PixelBuffer) {
    var random = SeededRandom(seed: seed)
    let clean = try PixelBuffer(size: picture.size, format: .rgbaF32)
    let noisy = try PixelBuffer(size: picture.size, format: .rgbaF32)
    for y in 0..<picture.height {
      let samples = picture.row(y, as: UInt8.self)
      let (plain, changed) = (clean.row(y, as: Float.self), noisy.row(y, as: Float.self))
      for index in 0..<4 * picture.width {
        let sample = Double(samples[index]) / 255
        plain[index] = Float(sample)
        changed[index] = index % 4 == 3 ? 1 : Float(sample + normal(&random) * deviation(sample))
      }
    }
    return (clean, noisy)
  }

  /// Calls `body` with the colour samples at the same place in two pictures of floats.
  private static func compare(_ a: PixelBuffer, _ b: PixelBuffer, _ body: (Double, Double) -> Void) {
    for y in 0..<a.height {
      let (first, second) = (a.row(y, as: Float.self), b.row(y, as: Float.self))
      for index in 0..<4 * a.width where index % 4 < 3 { body(Double(first[index]), Double(second[index])) }
    }
  }

  /// The peak signal-to-noise ratio in dB, of samples limited to 0…1.
  package static func psnr(_ a: PixelBuffer, _ b: PixelBuffer) -> Double {
    var sum = 0.0
    compare(a, b) {
      let difference = min(max($0, 0), 1) - min(max($1, 0), 1)
      sum += difference * difference
    }
    return -10 * log10(sum / Double(3 * a.size.pixelCount))
  }

  /// The correlation of what was removed with the clean picture.
  package static func residualCorrelation(
    clean: PixelBuffer, noisy: PixelBuffer, smooth: PixelBuffer
  ) -> Double {
    var removed: [Double] = [], picture: [Double] = []
    compare(noisy, smooth) { removed.append($0 - $1) }
    compare(clean, clean) { sample, _ in picture.append(sample) }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    let (a, b) = (mean(removed), mean(picture))
    var (ab, aa, bb) = (0.0, 0.0, 0.0)
    for (x, y) in zip(removed, picture) {
      ab += (x - a) * (y - b)
      aa += (x - a) * (x - a)
      bb += (y - b) * (y - b)
    }
    return ab / (aa * bb).squareRoot()
  }
}
