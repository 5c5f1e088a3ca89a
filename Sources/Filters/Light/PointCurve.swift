import FilterGraph

/// Curves of tones through points: one for all colours, one of luminance, and one of each channel.
///
///     out = decode(curve(encode(in))),  encode of sRGB        on linear Rec. 2020
///
/// x and y are tones as photographers see them, from black, 0, to white, 1. The curve through the points is smooth and
/// never falls (`MonotoneCurve`); before the first point and behind the last it is level. Only behind a last point of
/// 1,1, light beyond white goes on with the slope that the curve has there, so that groups can still recover it.
///
/// - The curve of all colours keeps hue, as HSV has it, and changes saturation with contrast: that of the DNG SDK,
///   `RefBaselineRGBTone`.
/// - That of luminance keeps the ratios of the channels, and so hue and saturation.
/// - Those of red, green and blue act on these channels, and tint greys.
///
/// They take effect in this order.
public struct PointCurve: Filter {
  public static let id: FilterID = "curve"
  public static let title = "Tone curve"
  public static let phase = FilterPhase.tone
  public static let summary = "Curves of tones through points, from black to white"

  /// From black to white.
  public static let straight = [SIMD2(0.0, 0.0), SIMD2(1.0, 1.0)]
  /// By how much x rises from point to point at least.
  package static let leastStep = 0.01
  private static let points = Parameter.Points(
    x: Parameter.Axis(in: 0...1, step: 0.01), y: Parameter.Axis(in: 0...1, step: 0.01), count: 2...16,
    neutral: straight, curveStep: leastStep)

  public static let parameters = [
    Parameter(
      points: \PointCurve.rgb, "points", title: "RGB", as: points, flag: "curve",
      "Tones of all colours at constant hue, such as 0,0 0.25,0.2 1,1"),
    Parameter(
      points: \PointCurve.luminance, "luminance", as: points, flag: "curve-luminance",
      "Luminance at constant hue and saturation"),
    Parameter(points: \PointCurve.red, "red", as: points, flag: "curve-red", "The red channel"),
    Parameter(points: \PointCurve.green, "green", as: points, flag: "curve-green", "The green channel"),
    Parameter(points: \PointCurve.blue, "blue", as: points, flag: "curve-blue", "The blue channel"),
  ]

  /// 2…16 points of 0…1; x rises from point to point by 0.01 or more, and y never falls.
  public var rgb: [SIMD2<Double>]
  /// As `rgb`; so are the curves of channels.
  public var luminance: [SIMD2<Double>]
  public var red, green, blue: [SIMD2<Double>]

  public init() { self.init(Self.straight) }
  public init(
    _ rgb: [SIMD2<Double>] = straight, luminance: [SIMD2<Double>] = straight, red: [SIMD2<Double>] = straight,
    green: [SIMD2<Double>] = straight, blue: [SIMD2<Double>] = straight
  ) {
    (self.rgb, self.luminance) = (rgb, luminance)
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Moves the points towards the straight line.
  public func scaled(by strength: Double) -> PointCurve {
    func scaled(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
      guard points != Self.straight else { return points }
      // Without the ends, a straight line would be level outside of the points.
      guard strength != 0 else { return Self.straight }
      return points.map { SIMD2($0.x, $0.x + (min(max($0.y, 0), 1) - $0.x) * strength) }
    }
    return PointCurve(
      scaled(rgb), luminance: scaled(luminance), red: scaled(red), green: scaled(green), blue: scaled(blue))
  }

  public func lower(into plan: inout PlanBuilder) {
    if rgb != Self.straight {
      plan.curves(LightCurves(.hueKeeping(Self.curve(rgb)), text: "curve \(Self.text(rgb))"))
    }
    if luminance != Self.straight {
      plan.curves(
        LightCurves(.luminance(Self.curve(luminance)), text: "luminance curve \(Self.text(luminance))"))
    }
    let channels = [("red", red), ("green", green), ("blue", blue)]
    guard channels.contains(where: { $0.1 != Self.straight }) else { return }
    let texts = channels.filter { $0.1 != Self.straight }.map { "\($0.0) curve \(Self.text($0.1))" }
    plan.curves(
      LightCurves(
        .channels(Self.curve(red), Self.curve(green), Self.curve(blue)),
        text: texts.joined(separator: ", ")))
  }

  private static func curve(_ points: [SIMD2<Double>]) -> LightCurve {
    if points == straight { return LightCurve { $0 } }
    let curve = MonotoneCurve(points)
    return .encoded(above: points.last == SIMD2(1, 1) ? nil : 0) { curve.evaluate($0) }
  }

  private static func text(_ points: [SIMD2<Double>]) -> String {
    ParameterValue.points(points).description
  }
}
