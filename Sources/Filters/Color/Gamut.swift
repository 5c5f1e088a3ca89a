import FilterGraph

/// Chooses how light that is too bright for the colour space of the result is shown.
///
/// `GamutMapping` has the formula that keeps its hue. Clipping limits each channel to 0…1 by itself, as most programs do:
/// bright orange turns yellow, and what was drawn in a flower's petals is lost. Colours that can be shown stay as they are
/// either way.
public struct Gamut: Filter {
  public static let id: FilterID = "gamut"
  public static let phase = FilterPhase.gamut
  public static let summary = "Chooses how light too bright for the result's colour space is shown"
  public static let parameters = [
    Parameter(
      choice: \Gamut.method, "method", neutral: Method.automatic, flag: "gamut",
      "How light too bright for the result's colour space is shown")
  ]

  /// How colours are brought into the space.
  public enum Method: String, ParameterChoice {
    /// Keeps the hue of camera raws, and clips others.
    case automatic
    /// Less chroma, until no channel is too bright.
    case keepHue = "keep-hue"
    /// Each channel by itself.
    case clip

    public var title: String {
      switch self {
      case .automatic: "Automatic"
      case .keepHue: "Keep hue"
      case .clip: "Clip"
      }
    }
  }

  public var method: Method

  public init() { self.init(.automatic) }
  public init(_ method: Method) { self.method = method }

  /// A way of showing colours has no strength.
  public func scaled(by strength: Double) -> Gamut { self }

  public func lower(into plan: inout PlanBuilder) {
    switch method {
    case .automatic: break
    case .keepHue: plan.gamut(keepsHue: true)
    case .clip: plan.gamut(keepsHue: false)
    }
  }
}
