/// Adapts colours seen under one white to another: von Kries scaling in a cone-like space.
public enum ChromaticAdaptation: String, Hashable, Sendable, CaseIterable {
  /// Lam (1985); the method of ICC.1:2022, annex E.
  case bradford
  /// Li et al. (2017), “Comprehensive color solutions: CAM16, CAT16, and CAM16-UCS”, full adaptation.
  case cat16

  /// From XYZ to the space whose components are scaled.
  public var coneResponse: Matrix3x3 {
    switch self {
    case .bradford:
      Matrix3x3(
        rows: SIMD3(0.8951, 0.2664, -0.1614),
        SIMD3(-0.7502, 1.7135, 0.0367),
        SIMD3(0.0389, -0.0685, 1.0296))
    case .cat16:
      Matrix3x3(
        rows: SIMD3(0.401288, 0.650173, -0.051461),
        SIMD3(-0.250268, 1.204414, 0.045854),
        SIMD3(-0.002079, 0.048952, 0.953127))
    }
  }

  /// Returns the matrix from XYZ to XYZ that maps `source` white (Y = 1) to `destination` white (Y = 1).
  ///
  /// Exactly the identity if the whites are equal.
  public func matrix(from source: Chromaticity, to destination: Chromaticity) -> Matrix3x3 {
    if source == destination { return .identity }
    let cone = coneResponse
    let gains = (cone * destination.XYZ) / (cone * source.XYZ)
    return cone.inverse * .diagonal(gains) * cone
  }
}
