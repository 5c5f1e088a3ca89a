import ColorScience
import FilterGraph

/// Makes light of the given temperature and tint look neutral.
///
///     out = M · in,  M adapts white(temperature, tint) to white(6500 K, 0) with CAT16
///
/// For a rendered photo 6500 K and tint 0 mean "as shot". A higher temperature declares the light bluer, so the
/// picture gets warmer; a positive tint declares it greener, so the picture gets more magenta. Source: CAT16, Li
/// et al., "Comprehensive color solutions: CAM16, CAT16, and CAM16-UCS", 2017; tint is Duv (Ohno 2013) times 3000,
/// the scale of the DNG specification. A warm light moved towards magenta soon has no blue left, so tint is
/// compressed there: see `duv`.
public struct WhiteBalance: Filter {
  public static let id: FilterID = "white-balance"
  public static let phase = FilterPhase.whiteBalance
  public static let summary = "Warms or cools, and shifts between green and magenta"
  /// The temperatures allowed, in kelvin; correlated colour temperature is not defined beyond 25 000 K.
  public static let temperatures = 2000.0...25_000.0
  public static let parameters = [
    Parameter(
      \WhiteBalance.temperature, "temperature", in: temperatures, slider: 3000...12_000, step: 50,
      neutral: 6500, unit: .kelvin, scale: .reciprocal, flag: "temperature",
      "Colour temperature of the light; above 6500 warms the picture"),
    Parameter(
      \WhiteBalance.tint, "tint", in: -100...100, step: 1, neutral: 0, flag: "tint",
      "Green (negative) to magenta (positive)"),
  ]

  /// The temperature in kelvin, 2000…25000; 6500 is as shot.
  public var temperature: Float
  /// From -100 (green) to 100 (magenta); 0 is as shot.
  public var tint: Float

  public init() { self.init(temperature: 6500) }
  public init(temperature: Float = 6500, tint: Float = 0) {
    self.temperature = temperature
    self.tint = tint
  }

  public func lower(into plan: inout PlanBuilder) {
    guard temperature != 6500 || tint != 0 else { return }
    plan.matrix(matrix)
  }

  /// The matrix for linear RGB of the working space.
  package var matrix: Matrix3x3 {
    guard temperature != 6500 || tint != 0 else { return .identity }
    let light = ColorTemperature.whitePoint(kelvin: Double(temperature), duv: duv)
    let toXYZ = PlanBuilder.workingSpace.toXYZ
    return toXYZ.inverse * ChromaticAdaptation.cat16.matrix(from: light, to: Self.neutral) * toXYZ
  }

  /// The white of a picture as shot.
  private static let neutral = ColorTemperature.whitePoint(kelvin: 6500, duv: 0)

  /// The smallest short-cone response to the light, relative to `neutral`; it bounds the gain of blue.
  static let leastShortResponse = 0.14

  /// The light's distance from the Planckian locus: tint / 3000, compressed so that its short-cone response stays
  /// above `leastShortResponse`.
  ///
  ///     knee + room · x / (room + x),  x = tint / 3000 - knee, room = limit - knee    beyond knee = 0.6 · limit
  ///
  /// It rises strictly and smoothly with tint; from 3500 K up, tints of -100…50 are used unchanged.
  var duv: Double {
    let asked = Double(tint) / 3000
    let limit = Self.largestDuv(kelvin: Double(temperature))
    let knee = 0.6 * limit
    guard asked > knee else { return asked }
    let (room, excess) = (limit - knee, asked - knee)
    return knee + room * excess / (room + excess)
  }

  /// Returns the Duv at which light of `kelvin` reaches `leastShortResponse`.
  private static func largestDuv(kelvin: Double) -> Double {
    let cone = ChromaticAdaptation.cat16.coneResponse
    let least = leastShortResponse * (cone * neutral.XYZ).z
    // Multiplied by v, responses at Y = 1 are linear in u and v, so two points give the root.
    func excess(_ duv: Double) -> Double {
      let light = ColorTemperature.whitePoint(kelvin: kelvin, duv: duv)
      return ((cone * light.XYZ).z - least) * light.uv.y
    }
    let step = 0.01
    let (here, there) = (excess(0), excess(step))
    return here > there ? here * step / (here - there) : .infinity
  }
}
