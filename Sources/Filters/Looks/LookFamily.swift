/// What looks that ship are akin to, in the order in which lists and sheets show them.
public enum LookFamily: String, Sendable, CaseIterable {
  case portraitNegative = "portrait-negative"
  case consumerNegative = "consumer-negative"
  case slide = "slide"
  case cinePrint = "cine-print"
  case bleachAndCross = "bleach-and-cross"
  case blackAndWhite = "black-and-white"
  case faded = "faded"
  case tungstenNight = "tungsten-night"
  case landscapeAndFood = "landscape-and-food"
  case architecture = "architecture"

  /// The display name: `Portrait negative`.
  public var title: String {
    switch self {
    case .portraitNegative: "Portrait negative"
    case .consumerNegative: "Consumer negative"
    case .slide: "Slide"
    case .cinePrint: "Cine print"
    case .bleachAndCross: "Bleach and cross"
    case .blackAndWhite: "Black and white"
    case .faded: "Faded"
    case .tungstenNight: "Tungsten night"
    case .landscapeAndFood: "Landscape and food"
    case .architecture: "Neutral architecture"
    }
  }
}
