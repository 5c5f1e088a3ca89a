import FilterGraph

/// Chooses how the light of a scene becomes that of a display: what camera raws are shown through. Pictures that were
/// made for a display, such as JPEGs, have had theirs and stay as they are.
///
/// `SceneCurve` has the formula. Exposure, white balance and the local filters come before it and so act on the light
/// of the scene; curves and colour filters come behind it.
public struct ToneMap: Filter {
  public static let id: FilterID = "tone-map"
  public static let title = "Tone map"
  public static let phase = FilterPhase.toneMap
  public static let summary = "Chooses how the light that a camera raw recorded is shown"
  public static let parameters = [
    Parameter(
      choice: \ToneMap.curve, "curve", neutral: Curve.sigmoid, flag: "tone-map",
      "How light becomes tones, of camera raws only"),
    Parameter(
      \ToneMap.contrast, "contrast", in: 0.5...3, step: 0.05, neutral: SceneCurve.standardContrast,
      flag: "tone-map-contrast", "Steepness at middle grey"),
  ]

  /// How light becomes tones.
  public enum Curve: String, ParameterChoice {
    /// Through middle grey, with a toe and a shoulder.
    case sigmoid
    /// The recorded light as it is, cut at white: for measuring, or for a curve of one's own.
    case linear
    /// Along the curve in the camera profile of a DNG; the sigmoid where there is none.
    case profile

    public var title: String {
      switch self {
      case .sigmoid: "Sigmoid"
      case .linear: "Linear"
      case .profile: "Profile"
      }
    }
  }

  public var curve: Curve
  /// 0.5…3: the exponent of the sigmoid; 1.6 looks like a photo.
  public var contrast: Float

  public init() { self.init(.sigmoid) }
  public init(_ curve: Curve = .sigmoid, contrast: Float = Float(SceneCurve.standardContrast)) {
    (self.curve, self.contrast) = (curve, contrast)
  }

  public func lower(into plan: inout PlanBuilder) {
    switch curve {
    case .sigmoid:
      // In single precision the neutral contrast is another number.
      plan.showScene(
        through: contrast == ToneMap().contrast ? SceneCurve() : SceneCurve(contrast: Double(contrast)))
    case .linear: plan.showScene(through: nil)
    case .profile: plan.showSceneThroughProfile()
    }
  }
}
