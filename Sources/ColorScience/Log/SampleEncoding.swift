/// What samples that a table or a grade is made for mean.
public enum SampleEncoding: Hashable, Sendable {
  /// Samples that are shown, in a colour space.
  case space(ColorSpace)
  /// A camera's logarithm of scene light. White that is shown counts as 100 % reflectance.
  case log(LogEncoding)

  /// Linear light on the encoding's primaries.
  public var linearSpace: ColorSpace {
    switch self {
    case .space(let space):
      ColorSpace(name: "linear \(space.name)", primaries: space.primaries, transfer: .linear)
    case .log(let log): log.linearSpace
    }
  }

  /// Converts encoded samples to linear light.
  public func decode(_ encoded: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .space(let space): space.decode(encoded)
    case .log(let log): SIMD3(log.decode(encoded.x), log.decode(encoded.y), log.decode(encoded.z))
    }
  }

  /// Converts linear light to encoded samples.
  public func encode(_ linear: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .space(let space): space.encode(linear)
    case .log(let log): SIMD3(log.encode(linear.x), log.encode(linear.y), log.encode(linear.z))
    }
  }

  /// Returns samples of this encoding in another, through linear light.
  public func convert(_ encoded: SIMD3<Double>, to other: SampleEncoding) -> SIMD3<Double> {
    self == other
      ? encoded : other.encode(linearSpace.matrix(to: other.linearSpace) * decode(encoded))
  }
}
