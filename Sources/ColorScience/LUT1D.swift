import FrameCore

/// Three curves, one per channel, defined by equally spaced samples over a domain with linear interpolation.
///
/// Copies share their samples; equality and hashing are by value.
public struct LUT1D: Hashable, Sendable {
  /// The sizes accepted; the largest exceeds what any grading program writes.
  public static let sizes = 2...300_000

  /// The input at the first sample, per channel.
  public let domainMin: SIMD3<Float>
  /// The input at the last sample, per channel.
  public let domainMax: SIMD3<Float>
  private let storage: SharedArray<SIMD3<Float>>

  public var samples: [SIMD3<Float>] { storage.elements }
  /// The number of samples.
  public var size: Int { storage.elements.count }

  /// - Throws: `SafelightError` (`invalidValue`) if the size is outside `sizes`, values are not finite, or a
  ///   domain's minimum is not below its maximum.
  public init(
    samples: [SIMD3<Float>], domainMin: SIMD3<Float> = SIMD3(repeating: 0),
    domainMax: SIMD3<Float> = SIMD3(repeating: 1)
  ) throws {
    guard Self.sizes.contains(samples.count) else {
      throw SafelightError(
        .invalidValue,
        "A 1D LUT has \(Self.sizes.lowerBound)…\(Self.sizes.upperBound) samples, not \(samples.count)")
    }
    try LUTDomain.validate(domainMin, domainMax)
    try LUTDomain.validate(values: samples)
    self.domainMin = domainMin
    self.domainMax = domainMax
    storage = SharedArray(samples, bits: LUTDomain.bits)
  }

  /// Passes each channel through its curve. The input is clipped to the domain; the output is not.
  public func evaluate(_ color: SIMD3<Double>) -> SIMD3<Double> {
    let last = size - 1
    let position = LUTDomain.position(of: color, from: domainMin, to: domainMax, last: last)
    var result = SIMD3<Double>()
    for channel in 0..<3 {
      let index = min(Int(position[channel]), last - 1)
      let low = Double(storage.elements[index][channel])
      let high = Double(storage.elements[index + 1][channel])
      result[channel] = low + (position[channel] - Double(index)) * (high - low)
    }
    return result
  }
}

/// Code shared by 1D and 3D LUTs.
enum LUTDomain {
  static func validate(_ domainMin: SIMD3<Float>, _ domainMax: SIMD3<Float>) throws {
    for channel in 0..<3 {
      let low = domainMin[channel]
      let high = domainMax[channel]
      guard low.isFinite, high.isFinite, low < high else {
        throw SafelightError(
          .invalidValue,
          "The domain of the LUT's \(["red", "green", "blue"][channel]) runs from \(low) to \(high)",
          remedy: "give a minimum below the maximum")
      }
    }
  }

  static func validate(values: [SIMD3<Float>]) throws {
    for (index, value) in values.enumerated()
    where !(value.x.isFinite && value.y.isFinite && value.z.isFinite) {
      throw SafelightError(
        .invalidValue, "Entry \(index) of the LUT is (\(value.x), \(value.y), \(value.z))",
        remedy: "give finite values")
    }
  }

  /// Returns the position of `color` among the nodes: 0…`last` in each channel, clipped to the domain. NaN becomes
  /// 0.
  static func position(
    of color: SIMD3<Double>, from domainMin: SIMD3<Float>, to domainMax: SIMD3<Float>, last: Int
  ) -> SIMD3<Double> {
    let low = SIMD3<Double>(domainMin)
    let relative = (color - low) / (SIMD3<Double>(domainMax) - low)
    var position = SIMD3<Double>()
    for channel in 0..<3 where relative[channel] > 0 {
      position[channel] = min(relative[channel], 1) * Double(last)
    }
    return position
  }

  /// Returns the digest for `SharedArray`. Adding 0 turns −0 into 0, which it equals.
  static func bits(_ value: SIMD3<Float>) -> UInt64 {
    let bits = value + 0
    return UInt64(bits.x.bitPattern) ^ UInt64(bits.y.bitPattern) << 32
      ^ UInt64(bits.z.bitPattern) &* 0x9E37_79B9_7F4A_7C15
  }
}
