import ColorScience

/// Tracks how far stages take colours while filters are lowered, so that the filter that exceeds what can be
/// computed is known by name. An infinite gain becomes NaN in the next product, and NaN does not equal itself, so
/// code that compares plans would never converge.
struct ColorReach {
  /// The largest colours and gains accepted. Single precision, in which pictures are rendered, ends at 2¹²⁸; the
  /// rest is headroom for the conversions that follow.
  static let limit = 0x1p100

  /// Why the last stage cannot be computed; the first reason is kept.
  private(set) var problem: String?

  /// White and the primaries of the input, passed through the stages.
  private var probes = Self.unit
  /// The product of the matrices since the last other stage. The probes may all be black by then and would not
  /// show its effect.
  private var gain = Matrix3x3.identity

  private static let unit: [SIMD3<Double>] = [
    SIMD3(1, 1, 1), SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1),
  ]

  mutating func follow(_ stage: Stage) {
    if case .masked(let groups) = stage {
      // As where every mask is 1.
      for stage in groups.flatMap(\.stages) { follow(stage) }
    }
    guard problem == nil, stage.isPointwise else { return }
    switch stage {
    case .matrix(let matrix): gain = matrix * gain
    case .curve(.decode(let functions)) where functions.allSatisfy { $0 == .linear },
      .curve(.encode(let functions)) where functions.allSatisfy { $0 == .linear }:
      return
    case .geometry, .downsample, .ycbcr, .denoise, .curve, .pointwise, .field, .masked, .lut, .sharpen,
      .channelTables, .baked:
      gain = .identity
    }
    // A table's numbers are known to be finite, so measuring restarts behind it from white.
    if case .lut = stage { probes = Self.unit } else { probes = probes.map { stage.evaluate($0) } }
    let largest = probes.reduce(gain.largestMagnitude) { largest, color in
      (0..<3).reduce(largest) { $0.isNaN || color[$1].isNaN ? .nan : max($0, abs(color[$1])) }
    }
    if !(largest <= Self.limit) {
      problem = "makes colours, with the filters before it, brighter than can be computed"
    }
  }
}
