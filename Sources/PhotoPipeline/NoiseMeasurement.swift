import FilterGraph
import FrameCore
import Libc

/// Measures the noise of a picture from blocks of 8 × 8 of its own samples, at full size: a reduced picture has less.
///
/// Noise shows where the picture is flat: of the blocks of similar brightness, those with the least energy at low
/// frequencies. Selecting by these does not bias what is measured at others (Ponomarenko, Lukin, Zriakhov, Kaarna and
/// Astola, "An automatic approach to lossy compression of AVIRIS images", IGARSS 2007). The median magnitude of their
/// coefficients, over 0.6745, is a standard deviation that a few edges do not change (Donoho and Johnstone, Biometrika
/// 81, 1994). Files lose high frequencies when they are compressed, so the larger one of two bands counts.
package enum NoiseMeasurement {
  private static let mostBlocks = 6000
  private static let bins = 12
  /// Fewer blocks of similar brightness say nothing.
  private static let fewestBlocks = 24
  /// The part of the blocks of a bin that counts as flat, and the fewest of them.
  private static let flatPart = 4, fewestFlat = 12

  /// A block's coefficients of one channel.
  private struct Bands {
    /// The energy of the picture's patterns.
    var low = 0.0
    /// Magnitudes, of noise in flat blocks.
    var middle: [Double] = []
    var high: [Double] = []

    /// - Parameter samples: 64, row by row.
    init(_ samples: [Double]) {
      var rows = [Double](repeating: 0, count: 64)
      for y in 0..<8 {
        for u in 0..<8 {
          var sum = 0.0
          for x in 0..<8 { sum += NoiseMeasurement.basis[8 * u + x] * samples[8 * y + x] }
          rows[8 * y + u] = sum
        }
      }
      for u in 0..<8 {
        for v in 0..<8 {
          guard let band = Self.band(u, v) else { continue }
          var sum = 0.0
          for y in 0..<8 { sum += NoiseMeasurement.basis[8 * v + y] * rows[8 * y + u] }
          switch band {
          case .low: low += sum * sum
          case .middle: middle.append(abs(sum))
          case .high: high.append(abs(sum))
          }
        }
      }
    }

    private enum Band { case low, middle, high }

    private static func band(_ u: Int, _ v: Int) -> Band? {
      if (1...3).contains(u + v) { return .low }
      if (5...7).contains(u + v), u > 0, v > 0 { return .middle }
      return u >= 5 && v >= 5 ? .high : nil
    }
  }

  private static let basis = (0..<64).map { index -> Double in
    let (frequency, place) = (index / 8, index % 8)
    let scale: Double = (frequency == 0 ? 0.125 : 0.25).squareRoot()
    return scale * cos(Double((2 * place + 1) * frequency) * Double.pi / 16)
  }

  /// Returns the noise of an RGBA picture; nil if it is too small, too even in its clipping, or of another format.
  package static func level(of picture: PixelBuffer) -> NoiseLevel? {
    guard picture.format.isRGBA else { return nil }
    let (columns, rows) = (picture.width / 8, picture.height / 8)
    guard columns * rows >= fewestBlocks else { return nil }
    // Blocks as evenly spread as their number allows. An odd step meets every phase of a file's own blocks.
    let step = max(1, Int((Double(columns * rows) / Double(mostBlocks)).squareRoot().rounded(.up)))
    var luma = [[Bands]](repeating: [], count: bins)
    var color = [Bands]()
    for row in stride(from: 0, to: rows, by: step) {
      for column in stride(from: 0, to: columns, by: step) {
        let shift = (row + column) % 8
        let (x, y) = (min(8 * column + shift, picture.width - 8), min(8 * row + shift, picture.height - 8))
        guard let block = samples(of: picture, x, y) else { continue }
        luma[min(Int(block.level * Double(bins)), bins - 1)].append(Bands(block.luma))
        color.append(contentsOf: [Bands(block.first), Bands(block.second)])
      }
    }
    let deviations = luma.map { $0.count < fewestBlocks ? nil : deviation($0) }
    let known = deviations.compactMap { $0 }
    guard !known.isEmpty else { return nil }
    let all = deviation(luma.flatMap { $0 })
    return NoiseLevel(deviations: filled(deviations), colorRatio: all > 0 ? deviation(color) / all : 1)
  }

  /// The luma and the two differences of a block, along axes of length 1, and its mean; nil if samples are clipped.
  private static func samples(of picture: PixelBuffer, _ left: Int, _ top: Int)
    -> (luma: [Double], first: [Double], second: [Double], level: Double)?
  {
    var (luma, first, second) = ([Double](), [Double](), [Double]())
    for y in top..<top + 8 {
      for x in left..<left + 8 {
        let rgb = pixel(picture, x, y)
        // The differences of a clipped channel are no noise of the camera.
        guard rgb.min() > 0.004, rgb.max() < 0.996 else { return nil }
        luma.append(rgb.sum() / 3.0.squareRoot())
        first.append((rgb.x - rgb.z) / 2.0.squareRoot())
        second.append((rgb.x - 2 * rgb.y + rgb.z) / 6.0.squareRoot())
      }
    }
    return (luma, first, second, luma.reduce(0, +) / 64 / 3.0.squareRoot())
  }

  private static func pixel(_ picture: PixelBuffer, _ x: Int, _ y: Int) -> SIMD3<Double> {
    switch picture.format {
    case .rgba16:
      let row = picture.row(y, as: UInt16.self)
      return SIMD3(Double(row[4 * x]), Double(row[4 * x + 1]), Double(row[4 * x + 2])) / 65_535
    case .rgbaF32:
      let row = picture.row(y, as: Float.self)
      return SIMD3(Double(row[4 * x]), Double(row[4 * x + 1]), Double(row[4 * x + 2]))
    default:
      let row = picture.row(y, as: UInt8.self)
      return SIMD3(Double(row[4 * x]), Double(row[4 * x + 1]), Double(row[4 * x + 2])) / 255
    }
  }

  /// The standard deviation of the noise in blocks.
  private static func deviation(_ blocks: [Bands]) -> Double {
    let count = min(blocks.count, max(fewestFlat, blocks.count / flatPart))
    let flat = blocks.sorted { $0.low < $1.low }.prefix(count)
    return max(median(flat.flatMap(\.middle)), median(flat.flatMap(\.high))) / 0.6745
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }

  /// Deviations at equally spaced levels from 0 to 1, from those in the middle of bins; where one is unknown, the
  /// nearest counts.
  private static func filled(_ bins: [Double?]) -> [Double] {
    let known = bins.indices.filter { bins[$0] != nil }
    let all = bins.indices.map { index -> Double in
      let nearest = known.min { abs($0 - index) < abs($1 - index) } ?? index
      return bins[nearest] ?? 0
    }
    // A level between two bins is their mean.
    let between = zip(all, all.dropFirst()).map { ($0 + $1) / 2 }
    return [all[0]] + between + [all[all.count - 1]]
  }
}

extension PlanInput {
  /// Returns this input with the noise of the picture, as measured, or else as it was assumed to be.
  package func measuringNoise(of picture: PixelBuffer) -> PlanInput {
    var input = self
    input.statistics.noise = NoiseMeasurement.level(of: picture) ?? statistics.noise
    return input
  }
}
