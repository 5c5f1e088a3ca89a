import FrameCore

/// Makes AmbiX of the four channels of a tetrahedral array (A-format to B-format).
///
/// A plane wave of amplitude 1 on a capsule's axis has W = 1. One owner at a time.
public struct CapsuleConverter: Sendable {
  public let array: TetrahedralArray
  /// Samples by which the result comes later than the input.
  public let latency: Int
  private var calibration: FIRBank?
  private let matrix: ChannelMatrix
  private var equalization: FIRBank?

  /// Designs the filters.
  ///
  /// - Parameters:
  ///   - sampleRate: 8000…384000 Hz.
  ///   - isEqualized: Without it, the capsules are only added, as if they were in one place: no latency, and
  ///     the wrong direction above some kHz.
  /// - Throws: `SafelightError` if the rate is out of range, or not that of the calibration.
  public init(_ array: TetrahedralArray, sampleRate: Int, isEqualized: Bool = true) throws {
    guard (8000...384_000).contains(sampleRate) else {
      throw SafelightError(
        .invalidValue, "A sample rate of \(sampleRate) Hz is outside 8000…384000",
        remedy: "record at 48000 Hz")
    }
    self.array = array
    let taps = ArrayFilters.taps(sampleRate: sampleRate)
    calibration = try array.calibration.filters(sampleRate: sampleRate, taps: 2 * taps + 1).map(FIRBank.init)
    // Without filters, the model's response at low frequencies.
    var (pressure, gradient) = (1 / (4 * array.pattern), 3.0.squareRoot() / (4 * (1 - array.pattern)))
    if isEqualized {
      let filters = ArrayFilters(
        ArrayModel(radius: array.radius, pattern: array.pattern), sampleRate: sampleRate, taps: taps)
      equalization = FIRBank([filters.pressure, filters.gradient, filters.gradient, filters.gradient])
      (pressure, gradient) = (1, 1)
    }
    matrix = Self.matrix(array, pressure: pressure, gradient: gradient)
    latency = (isEqualized ? taps / 2 : 0) + (calibration == nil ? 0 : taps)
  }

  /// The sums and differences in AmbiX's order, turned to the room.
  private static func matrix(_ array: TetrahedralArray, pressure: Double, gradient: Double) -> ChannelMatrix {
    let factors = array.calibration.factors
    let columns = array.order.enumerated().map { channel, position in
      let turned = array.mounting.rotation.rotate(position.signs) * gradient
      return SIMD4<Float>(SIMD4(pressure, turned.y, turned.z, turned.x) * factors[channel])
    }
    return ChannelMatrix(columns: (columns[0], columns[1], columns[2], columns[3]))
  }

  /// Converts interleaved frames. Output may be the input's memory. Allocates nothing.
  public mutating func process(
    _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
  ) {
    precondition(input.count.isMultiple(of: 4) && output.count == input.count)
    if calibration != nil {
      calibration?.process(input, into: output)
      matrix.apply(UnsafeBufferPointer(output), into: output)
    } else {
      matrix.apply(input, into: output)
    }
    equalization?.process(UnsafeBufferPointer(output), into: output)
  }

  /// Converts interleaved frames.
  public mutating func process(_ samples: [Float]) -> [Float] {
    samples.processed(count: samples.count) { process($0, into: $1) }
  }
}
