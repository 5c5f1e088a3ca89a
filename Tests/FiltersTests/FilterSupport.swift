import ColorScience
import FrameCore

@testable import FilterGraph

extension Filter {
  /// What this filter alone appends to the plan of a picture whose samples are in the working space.
  func lowered(size: PixelSize = PixelSize(width: 600, height: 400)) throws -> PlanBuilder {
    var builder = PlanBuilder(size: size, space: PlanBuilder.workingSpace)
    try lower(into: &builder)
    return builder
  }

  /// What this filter alone makes of a colour in the working space, linear Rec. 2020.
  func evaluate(_ rgb: SIMD3<Double>) throws -> SIMD3<Double> {
    try lowered().stages.reduce(rgb) { $1.evaluate($0) }
  }

  /// The one resample that this filter is.
  func geometry(of size: PixelSize) throws -> Geometry? {
    guard case .geometry(let geometry)? = try lowered(size: size).stages.first else { return nil }
    return geometry
  }
}

extension Filter {
  /// What this filter makes of greys from black to white, in steps of an encoded value.
  func ramp(_ steps: Int = 4096) throws -> [SIMD3<Double>] {
    let stages = try lowered().stages
    return (0...steps).map { step in
      let grey = SIMD3(repeating: TransferFunction.sRGB.decode(Double(step) / Double(steps)))
      return stages.reduce(grey) { $1.evaluate($0) }
    }
  }
}

/// The hue of a colour of the working space in OKLCH, in degrees, and its lightness and chroma.
func oklch(_ rgb: SIMD3<Double>) -> (lightness: Double, chroma: Double, hue: Double) {
  let lch = OKLab.lch(fromLab: OKLab.fromXYZ(PlanBuilder.workingSpace.toXYZ * rgb))
  return (lch.x, lch.y, lch.z)
}

/// A colour of the working space with this lightness, chroma and hue in OKLCH.
func rgb(_ lightness: Double, _ chroma: Double, _ hue: Double) -> SIMD3<Double> {
  PlanBuilder.workingSpace.toXYZ.inverse * OKLab.toXYZ(OKLab.lab(fromLCH: SIMD3(lightness, chroma, hue)))
}

/// How far two hues are apart, in degrees.
func turn(_ a: Double, _ b: Double) -> Double {
  let angle = abs(a - b).truncatingRemainder(dividingBy: 360)
  return min(angle, 360 - angle)
}

/// The largest difference of two colours' channels.
func difference(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  max((a - b).max(), (b - a).max())
}
