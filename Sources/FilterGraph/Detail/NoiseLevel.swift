import ColorScience
import Libc

/// The noise of a picture's R'G'B' samples, as stored: its standard deviation at each brightness.
public struct NoiseLevel: Sendable, Hashable {
  /// The standard deviation of a sample at equally spaced levels from 0 to 1, linear in between; 1 is the whole range
  /// of samples. At least two, each in `NoiseLevel.range`.
  public let deviations: [Double]
  /// The deviation of colour relative to that of luma, along axes of equal length: 1 if the noise of the three
  /// channels is equal and independent, less where a camera has smoothed colour. 0.1…10.
  public let colorRatio: Double

  /// From a fortieth of a level of 8 bits to as much noise as picture.
  public static let range = 1e-4...0.5

  /// - Parameters: see the properties; numbers outside their range are limited to it, NaN to its beginning.
  public init(deviations: [Double], colorRatio: Double = 1) {
    func limited(_ value: Double, _ range: ClosedRange<Double>) -> Double {
      value > range.lowerBound ? min(value, range.upperBound) : range.lowerBound
    }
    let usable = deviations.isEmpty ? [0] : deviations
    let levels = usable.map { limited($0, Self.range) }
    self.deviations = levels.count == 1 ? [levels[0], levels[0]] : levels
    self.colorRatio = limited(colorRatio, 0.1...10)
  }

  /// The same noise at every brightness.
  public init(deviation: Double) { self.init(deviations: [deviation]) }

  /// The noise of light, in samples that encode it.
  ///
  /// The variance of linear light x is slope · x + floor: photons arrive by chance (Poisson), and reading them adds
  /// the same everywhere (Foi, Trimeche, Katkovnik and Egiazarian, IEEE Transactions on Image Processing 17, 2008).
  /// A sample's deviation is that of light times the slope of the encoding.
  ///
  /// - Parameter encoding: the encoding of the samples; the first function stands for all channels.
  public init(slope: Double, floor: Double, encoding: [TransferFunction]) {
    let transfer = encoding.first ?? .sRGB
    let deviations = (0..<Self.levelCount).map { level -> Double in
      let sample = Double(level) / Double(Self.levelCount - 1)
      let light = transfer.decode(sample)
      let deviation = (max(slope, 0) * max(light, 0) + max(floor, 0)).squareRoot()
      // Over what the noise itself spans, since the encoding is steep at black: from there to the brightness one
      // deviation above.
      let brighter = transfer.encode(light + deviation), darker = transfer.encode(max(light - deviation, 0))
      return light > deviation
        ? (brighter - darker) / 2 : (brighter - darker) / (1 + light / max(deviation, 1e-12))
    }
    self.init(deviations: deviations)
  }

  /// The noise that a camera of usual size makes at a sensitivity: 20,000 electrons are white at ISO 100, and
  /// reading adds 4.
  ///
  /// - Parameter white: the light of samples that white is stored as.
  public init(iso: Double, white: Double = 1, encoding: [TransferFunction]) {
    let electrons = 20_000 * 100 / min(max(iso, 25), 4e6)
    self.init(
      slope: white / electrons, floor: 16 * white * white / (electrons * electrons), encoding: encoding)
  }

  /// The noise at ISO 1600, for pictures of which nothing is known.
  public static let typical = NoiseLevel(iso: 1600, encoding: [.sRGB])

  private static let levelCount = 17

  /// The standard deviation of a sample; beyond 0…1 that of the nearest.
  public func deviation(at sample: Double) -> Double {
    let place = min(max(sample, 0), 1) * Double(deviations.count - 1)
    let index = min(Int(place), deviations.count - 2)
    return deviations[index] + (deviations[index + 1] - deviations[index]) * (place - Double(index))
  }
}

/// A function after which the noise of samples has the same deviation, 1, at every brightness: the integral of
/// 1 / deviation (Anscombe's idea for any noise; Foi 2008).
public struct NoiseStabilizer: Sendable, Hashable {
  private let deviations: [Double]
  /// The integral from 0 to each level.
  private let sums: [Double]
  private let step: Double

  public init(_ noise: NoiseLevel) {
    deviations = noise.deviations
    step = 1 / Double(deviations.count - 1)
    var sums = [0.0]
    for index in 1..<deviations.count {
      sums.append(
        sums[index - 1] + Self.integral(step, from: deviations[index - 1], to: deviations[index], step))
    }
    self.sums = sums
  }

  /// ∫ dt / (first + slope · t) over 0…length, where the deviation is `last` after `step`.
  private static func integral(_ length: Double, from first: Double, to last: Double, _ step: Double)
    -> Double
  {
    let slope = (last - first) / step
    // The limit for a slope of 0, where the formula divides by it.
    return abs(slope) * step < 1e-9 * first ? length / first : log1p(slope * length / first) / slope
  }

  /// The stabilized values of samples 0 and 1.
  public var bounds: ClosedRange<Double> { 0...(sums.last ?? 0) }

  /// Returns the stabilized value of a sample. Beyond 0…1 the function is a line.
  public func stabilize(_ sample: Double) -> Double {
    let last = deviations.count - 1
    if sample <= 0 { return sample / deviations[0] }
    if sample >= 1 { return sums[last] + (sample - 1) / deviations[last] }
    let index = min(Int(sample / step), last - 1)
    return sums[index]
      + Self.integral(sample - Double(index) * step, from: deviations[index], to: deviations[index + 1], step)
  }

  /// Returns the sample of a stabilized value.
  public func restore(_ value: Double) -> Double {
    let last = deviations.count - 1
    if value <= 0 { return value * deviations[0] }
    if value >= sums[last] { return 1 + (value - sums[last]) * deviations[last] }
    let index = (sums.firstIndex { $0 > value } ?? last) - 1
    let slope = (deviations[index + 1] - deviations[index]) / step
    let rest = value - sums[index]
    let length =
      abs(slope) * step < 1e-9 * deviations[index]
      ? rest * deviations[index] : deviations[index] * expm1(slope * rest) / slope
    return Double(index) * step + length
  }
}
