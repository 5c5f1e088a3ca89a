/// Regular layouts of loudspeakers around the listener that exist only as responses of ears.
///
/// All are at least 2-designs, so that each is decoded by projection alone. Six on the axes are not here:
/// below and above, files hold little or nothing.
public enum VirtualLoudspeakers: String, Sendable, Hashable, Codable, CaseIterable {
  /// Eight corners. None is in the median plane, so that each contributes to the differences between ears.
  case cube
  /// Twelve corners of an icosahedron.
  case icosahedron

  public var directions: [Direction] {
    let golden = (1 + 5.0.squareRoot()) / 2
    let signs: [Double] = [1, -1]
    let vectors: [SIMD3<Double>]
    switch self {
    case .cube:
      vectors = signs.flatMap { x in signs.flatMap { y in signs.map { z in SIMD3(x, y, z) } } }
    case .icosahedron:
      vectors = signs.flatMap { a in
        signs.flatMap { b in
          [SIMD3(0, a, b * golden), SIMD3(a, b * golden, 0), SIMD3(b * golden, 0, a)]
        }
      }
    }
    return vectors.compactMap(Direction.init)
  }
}
