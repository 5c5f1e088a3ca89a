import FrameCore

/// Everything a page or a script needs to draw controls for a filter; `safelight filters --json` prints a list of
/// these.
public struct FilterDescription: JSONReport, Hashable {
  /// The id: `white-balance`.
  public let filter: String
  /// The display name: `White balance`.
  public let title: String
  /// One line: what the filter does.
  public let summary: String
  /// The name of its `FilterPhase`, which places it in plans: `whiteBalance`.
  public let phase: String
  public let parameters: [ParameterDescription]

  public init(_ type: any Filter.Type) {
    (filter, title, summary) = (type.id.name, type.title, type.summary)
    phase = "\(type.phase)"
    parameters = type.parameters.map(ParameterDescription.init)
  }
}

extension FilterCatalog {
  /// Descriptions of all filters, in the catalog's order.
  public var descriptions: [FilterDescription] { filters.map { FilterDescription($0) } }
}

/// A parameter as a page sees it. `kind` determines which of the optional fields are present.
///
/// More kinds will follow: for an unknown one, a page shows a text field in the form of `syntax`.
public struct ParameterDescription: Sendable, Hashable, Codable {
  /// The key in recipes.
  public let name: String
  /// The display name.
  public let title: String
  /// The command-line flag without its dashes; nil if there is none.
  public let flag: String?
  /// `number`, `choice`, `file`, `rectangle`, `points`, `mask` or `text`.
  public let kind: String
  /// How values are written as text: `-5…5 EV`.
  public let syntax: String
  /// One line: what the parameter does.
  public let help: String
  /// The value of an omitted parameter, as text; nil if the parameter is required.
  public let neutral: String?

  /// The unit of a number: `EV`, `K`, `%`, `°`, `px`; nil if it has none.
  public var unit: String?
  /// The smallest number accepted.
  public var minimum: Double?
  /// The largest number accepted.
  public var maximum: Double?
  /// The start of a number's slider.
  public var sliderMinimum: Double?
  /// The end of a number's slider.
  public var sliderMaximum: Double?
  /// How a number's slider maps to the value.
  public var scale: Parameter.Scale?
  /// The step between numbers.
  public var step: Double?
  /// The number at which a slider rests, and to which it snaps.
  public var detent: Double?

  /// All values of a choice, in the order of a menu.
  public var choices: [Parameter.Option]?
  /// File name extensions, without the dot.
  public var extensions: [String]?
  /// The horizontal axis of a rectangle or of points.
  public var x: AxisDescription?
  /// The vertical axis: of a rectangle from top to bottom, of points as the filter defines.
  public var y: AxisDescription?
  /// Values to offer by name, with others accepted too, such as the proportions of a rectangle.
  public var suggestions: [Parameter.Option]?
  /// The smallest number of points.
  public var minimumPoints: Int?
  /// The largest number of points.
  public var maximumPoints: Int?
  /// Of points through which a curve is drawn that never falls: the least distance of x from point to point.
  public var curveStep: Double?

  /// An axis of a rectangle or of points.
  public struct AxisDescription: Sendable, Hashable, Codable {
    public let minimum: Double
    public let maximum: Double
    public let step: Double
    /// The unit, as for a number.
    public let unit: String?

    init(_ axis: Parameter.Axis) {
      (minimum, maximum, step) = (axis.range.lowerBound, axis.range.upperBound, axis.step)
      unit = axis.unit.text
    }
  }

  public init(_ parameter: Parameter) {
    (name, title, flag) = (parameter.name, parameter.title, parameter.flag)
    (syntax, help) = (parameter.syntax, parameter.help)
    neutral = parameter.kind.neutral?.description
    switch parameter.kind {
    case .number(let number):
      kind = "number"
      unit = number.unit.text
      (minimum, maximum) = (number.range.lowerBound, number.range.upperBound)
      (sliderMinimum, sliderMaximum) = (number.slider.lowerBound, number.slider.upperBound)
      (scale, step, detent) = (number.scale, number.step, number.detent)
    case .choice(let choice):
      kind = "choice"
      choices = choice.options
    case .file(let file):
      kind = "file"
      extensions = file.extensions
    case .rectangle(let rectangle):
      kind = "rectangle"
      (x, y) = (AxisDescription(rectangle.x), AxisDescription(rectangle.y))
      suggestions = rectangle.aspectRatios
    case .points(let points):
      kind = "points"
      (x, y) = (AxisDescription(points.x), AxisDescription(points.y))
      (minimumPoints, maximumPoints) = (points.count.lowerBound, points.count.upperBound)
      curveStep = points.curveStep
    case .mask: kind = "mask"
    case .text(let text):
      kind = "text"
      suggestions = text.suggestions
    }
  }
}

extension ParameterUnit {
  /// Nil for `none`.
  fileprivate var text: String? { self == .none ? nil : rawValue }
}
