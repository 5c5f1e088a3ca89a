import ColorScience
import FilterGraph

/// Makes the light of the given temperature and tint look neutral.
///
///     out = M · in,  M adapts white(temperature, tint) to white(6500 K, 0) with CAT16
///
/// For a rendered photo 6500 K and tint 0 mean "as shot". A higher temperature says that the light was bluer,
/// so the picture gets warmer; a positive tint says that it was greener, so the picture gets more magenta.
/// Source: CAT16, Li et al., "Comprehensive color solutions: CAM16, CAT16, and CAM16-UCS", 2017; tint is Duv
/// (Ohno 2013) times 3000, the scale of the DNG specification.
public struct WhiteBalance: Filter {
  public static let id: FilterID = "white-balance"
  public static let phase = FilterPhase.whiteBalance
  public static let summary = "Warms or cools, and shifts between green and magenta"
  public static let parameters = [
    Parameter(
      \WhiteBalance.temperature, "temperature", in: 2000...10_000, neutral: 6500, unit: .kelvin,
      flag: "temperature",
      "Colour temperature of the light; above 6500 warms the picture"),
    Parameter(
      \WhiteBalance.tint, "tint", in: -100...100, neutral: 0, flag: "tint",
      "Green (negative) to magenta (positive)"),
  ]

  /// Kelvin, 2000…10000; 6500 is as shot.
  public var temperature: Float
  /// -100 (green) … 100 (magenta); 0 is as shot.
  public var tint: Float

  public init() { self.init(temperature: 6500) }
  public init(temperature: Float = 6500, tint: Float = 0) {
    self.temperature = temperature
    self.tint = tint
  }

  public func lower(into plan: inout PlanBuilder) {
    guard temperature != 6500 || tint != 0 else { return }
    let light = ColorTemperature.whitePoint(kelvin: Double(temperature), duv: Double(tint) / 3000)
    let neutral = ColorTemperature.whitePoint(kelvin: 6500, duv: 0)
    let toXYZ = PlanBuilder.workingSpace.toXYZ
    plan.matrix(toXYZ.inverse * ChromaticAdaptation.cat16.matrix(from: light, to: neutral) * toXYZ)
  }
}
