import FrameCore

/// The unit of a number, displayed beside it.
public enum ParameterUnit: String, Sendable, Hashable {
  case none = ""
  case stops = "EV"
  case kelvin = "K"
  case percent = "%"
  case degrees = "°"
  case pixels = "px"
}

/// The value of a parameter, independent of the filter's own types: what JSON and command lines hold.
public enum ParameterValue: Sendable, Hashable, CustomStringConvertible {
  case number(Double)
  case text(String)
  /// x and y of each point: in JSON a list of pairs, as text `0,0 0.5,0.6 1,1`.
  case points([SIMD2<Double>])
  case mask(Mask)

  public var description: String {
    switch self {
    case .number(let number): PlainNumber.text(number)
    case .text(let text): text
    case .points(let points):
      points.map { "\(PlainNumber.text($0.x)),\(PlainNumber.text($0.y))" }.joined(separator: " ")
    case .mask(let mask): mask.text
    }
  }

  /// The value as a JSON text.
  var json: String {
    switch self {
    case .number(let number): PlainNumber.text(number)
    case .text(let text): JSONValue.quoted(text)
    case .points(let points):
      "["
        + points.map { "[\(PlainNumber.text($0.x)), \(PlainNumber.text($0.y))]" }.joined(separator: ", ")
        + "]"
    case .mask(let mask): mask.json
    }
  }
}

extension ParameterValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(stringLiteral value: String) { self = .text(value) }
}

/// The type of a parameter that is not a number, written as a short text such as `4:5` or `inside`.
public protocol ParameterText: Sendable, Hashable {
  /// The syntax of values, for help: `left|right` or `W:H`.
  static var syntax: String { get }
  /// - Throws: `SafelightError` that explains what is wrong with the text and shows the syntax.
  init(parameterText text: String) throws
  var parameterText: String { get }
}

/// A type with a few named values: the encodings of a table, the axes of a mirror.
///
/// An enum whose raw values are the names only has to supply the titles.
public protocol ParameterChoice: ParameterText, CaseIterable {
  /// The display name: `Adobe RGB`.
  var title: String { get }
  /// Other texts that mean this value; none by default.
  var otherNames: [String] { get }
  /// A hint for a user who gave a text that is no choice; nil by default.
  static var hint: String? { get }
}

extension ParameterChoice {
  public var otherNames: [String] { [] }
  public static var hint: String? { nil }

  /// The names, separated by bars.
  public static var syntax: String { allCases.map(\.parameterText).joined(separator: "|") }

  /// - Throws: `SafelightError` that names the choices.
  public init(parameterText text: String) throws {
    let name = try Parameter.Choice(Self.self, neutral: nil).checked(text, label: "the value")
    guard let value = Self.allCases.first(where: { $0.parameterText == name }) else {
      // `checked` returns the name of a case.
      preconditionFailure("\(Self.self) has no \(name)")
    }
    self = value
  }
}

extension ParameterChoice where Self: RawRepresentable, RawValue: CustomStringConvertible {
  public var parameterText: String { rawValue.description }
}
