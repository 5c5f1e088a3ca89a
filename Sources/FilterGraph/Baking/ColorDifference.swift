import ColorScience

/// ΔE2000 between colours in encoded RGB of one space, clipped as the output will be, in double precision.
struct ColorDifference {
  private let space: ColorSpace
  private let toXYZ: Matrix3x3
  private let white: Chromaticity

  init(space: ColorSpace) {
    self.space = space
    toXYZ = space.toXYZ
    white = space.primaries.white
  }

  func lab(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    func linear(_ x: Double, _ channel: Int) -> Double {
      space.transfer[channel % space.transfer.count].decode(min(max(x, 0), 1))
    }
    return CIELab.fromXYZ(toXYZ * SIMD3(linear(rgb.x, 0), linear(rgb.y, 1), linear(rgb.z, 2)), white: white)
  }

  func callAsFunction(_ rgb: SIMD3<Double>, _ other: SIMD3<Double>) -> Double {
    deltaE2000(lab(rgb), lab(other))
  }
}
