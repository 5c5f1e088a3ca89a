/// All that a page or a script needs to know of a filter to draw controls for it; `safelight filters --json` prints a list
/// of them.
public struct FilterDescription: Sendable, Hashable, Codable {
  /// The id: `white-balance`.
  public let filter: String
  /// The name for people: `White balance`.
  public let title: String
  /// One line: what it does.
  public let summary: String
  /// Where it stands in the order of plans, as `FilterPhase` calls it: `whiteBalance`.
  public let phase: String
  public let parameters: [ParameterDescription]

  public init(_ type: any Filter.Type) {
    (filter, title, summary) = (type.id.name, type.title, type.summary)
    phase = "\(type.phase)"
    parameters = type.parameters.map(ParameterDescription.init)
  }
}

extension FilterCatalog {
  /// Of all filters, in the catalog's order.
  public var descriptions: [FilterDescription] { filters.map { FilterDescription($0) } }
}

/// A parameter as a page sees it. Which of the optional fields are there follows from `kind`.
///
/// There will be more kinds: for one that it does not know, a page shows a field for text, in the form of `syntax`.
public struct ParameterDescription: Sendable, Hashable, Codable {
  /// The key in recipes.
  public let name: String
  /// The name for people.
  public let title: String
  /// The command-line flag without its dashes.
  public let flag: String?
  /// `number`, `choice`, `file`, `rectangle`, `points` or `text`.
  public let kind: String
  /// How values are written as text: `-5…5 EV`.
  public let syntax: String
  /// One line: what it does.
  public let help: String
  /// The value of a parameter that is left out, as text; nil where it must be given.
  public let neutral: String?

  /// Of a number: `EV`, `K`, `%`, `°`, `px`; nil where it has none.
  public var unit: String?
  /// The least number that is accepted.
  public var minimum: Double?
  /// The greatest number that is accepted.
  public var maximum: Double?
  /// Where a number's slider begins.
  public var sliderMinimum: Double?
  /// Where a number's slider ends.
  public var sliderMaximum: Double?
  /// How a number's slider follows the value.
  public var scale: Parameter.Scale?
  /// From one number to the next.
  public var step: Double?
  /// The number where a slider rests, and snaps to.
  public var detent: Double?

  /// All values of a choice, in the order of a menu.
  public var choices: [Parameter.Option]?
  /// How names of files end, without the dot.
  public var extensions: [String]?
  /// Of a rectangle or of points, from left to right.
  public var x: AxisDescription?
  /// Of a rectangle from top to bottom, of points as the filter says.
  public var y: AxisDescription?
  /// Values to offer by name, where others are accepted too: the proportions of a rectangle, for one.
  public var suggestions: [Parameter.Option]?
  /// The least number of points.
  public var minimumPoints: Int?
  /// The greatest number of points.
  public var maximumPoints: Int?

  /// A direction of a rectangle or of points.
  public struct AxisDescription: Sendable, Hashable, Codable {
    public let minimum: Double
    public let maximum: Double
    public let step: Double
    /// As of a number.
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
    case .text(let text):
      kind = "text"
      suggestions = text.suggestions
    }
  }
}

extension ParameterUnit {
  /// Nil for none.
  fileprivate var text: String? { self == .none ? nil : rawValue }
}
