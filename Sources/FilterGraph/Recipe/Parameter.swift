import FrameCore

/// What a number means, for display beside it.
public enum ParameterUnit: String, Sendable, Hashable {
  case none = ""
  case stops = "EV"
  case kelvin = "K"
  case percent = "%"
  case degrees = "°"
  case pixels = "px"
}

/// The value of a parameter, free of the filter's own types: what JSON and command lines hold.
public enum ParameterValue: Sendable, Hashable, CustomStringConvertible {
  case number(Double)
  case text(String)

  public var description: String {
    switch self {
    case .number(let number): PlainNumber.text(number)
    case .text(let text): text
    }
  }
}

/// A type that parameters can be of besides numbers: written as a short text such as `4:5` or `inside`.
public protocol ParameterText: Sendable, Hashable {
  /// How values are written, for help: `left|right` or `W:H`.
  static var syntax: String { get }
  /// - Throws: `SafelightError` that says what is wrong with the text and shows the syntax.
  init(parameterText text: String) throws
  var parameterText: String { get }
}

/// A filter's parameter, declared once: JSON key, flag, range, neutral value, unit, help.
public struct Parameter: Sendable {
  public enum Kind: Sendable {
    case number(range: ClosedRange<Double>, neutral: Double, unit: ParameterUnit)
    /// A short text; `neutral` is what changes nothing, where there is such a text.
    case text(syntax: String, neutral: String?)
    /// The path of a file.
    case file(syntax: String)
  }

  /// The key in recipes.
  public let name: String
  /// Keys that recipes of earlier versions have in its place.
  public let formerNames: [String]
  /// The command-line flag without its dashes; nil where the command line has none.
  public let flag: String?
  public let kind: Kind
  /// One line: what it does.
  public let help: String

  private let read: @Sendable (any Filter) -> ParameterValue
  private let write: @Sendable (inout any Filter, ParameterValue) throws -> Void

  /// A number, stored as Float.
  public init<F: Filter>(
    _ path: WritableKeyPath<F, Float> & Sendable, _ name: String, in range: ClosedRange<Double>,
    neutral: Double,
    unit: ParameterUnit = .none, flag: String?, _ help: String
  ) {
    self.name = name
    formerNames = []
    self.flag = flag
    self.help = help
    kind = .number(range: range, neutral: neutral, unit: unit)
    read = { filter in
      // Through the shortest decimal, so that 0.7 stays 0.7 in JSON.
      .number(Self.with(filter, as: F.self).flatMap { Double("\($0[keyPath: path])") } ?? neutral)
    }
    write = { filter, value in
      guard case .number(let number) = value, var typed = filter as? F else { return }
      typed[keyPath: path] = Float(number)
      filter = typed
    }
  }

  /// A value written as a short text.
  public init<F: Filter, Value: ParameterText>(
    _ path: WritableKeyPath<F, Value> & Sendable, _ name: String, formerly formerNames: [String] = [],
    neutral: Value?, flag: String?, _ help: String
  ) {
    self.name = name
    self.formerNames = formerNames
    self.flag = flag
    self.help = help
    kind = .text(syntax: Value.syntax, neutral: neutral?.parameterText)
    read = { filter in
      .text(Self.with(filter, as: F.self).map { $0[keyPath: path].parameterText } ?? "")
    }
    write = { filter, value in
      guard case .text(let text) = value, var typed = filter as? F else { return }
      typed[keyPath: path] = try Value(parameterText: text)
      filter = typed
    }
  }

  /// The path of a file that `Filter.loadFiles` reads.
  public init<F: Filter>(
    file path: WritableKeyPath<F, String> & Sendable, _ name: String, syntax: String, flag: String?,
    _ help: String
  ) {
    self.name = name
    formerNames = []
    self.flag = flag
    self.help = help
    kind = .file(syntax: syntax)
    read = { filter in .text(Self.with(filter, as: F.self).map { $0[keyPath: path] } ?? "") }
    write = { filter, value in
      guard case .text(let text) = value, var typed = filter as? F else { return }
      typed[keyPath: path] = text
      filter = typed
    }
  }

  private static func with<F>(_ filter: any Filter, as type: F.Type) -> F? { filter as? F }

  /// The parameter's value in `filter`.
  public func value(in filter: any Filter) -> ParameterValue { read(filter) }

  /// Whether the value in `filter` changes nothing.
  public func isNeutral(in filter: any Filter) -> Bool {
    switch (kind, read(filter)) {
    case (.number(_, let neutral, _), .number(let number)): number == neutral
    case (.text(_, let neutral), .text(let text)): text == neutral
    default: false
    }
  }

  /// Sets the value, refusing what is out of range.
  public func set<F: Filter>(_ value: ParameterValue, in filter: inout F) throws {
    var erased: any Filter = filter
    try write(&erased, checked(value, filter: F.id))
    if let typed = erased as? F { filter = typed }
  }

  func scale<F: Filter>(_ filter: inout F, by strength: Double) {
    guard case .number(_, let neutral, _) = kind, case .number(let number) = read(filter) else { return }
    var erased: any Filter = filter
    // Writing a number between neutral and a valid one cannot fail.
    try? write(&erased, .number(neutral + (number - neutral) * strength))
    if let typed = erased as? F { filter = typed }
  }

  /// The value, or an error that names the range or the kind expected.
  func checked(_ value: ParameterValue, filter: FilterID) throws -> ParameterValue {
    let label = flag ?? "\(filter).\(name)"
    switch (kind, value) {
    case (.number(let range, _, let unit), .number(let number)):
      let bounds =
        "\(PlainNumber.text(range.lowerBound))…\(PlainNumber.text(range.upperBound))"
        + (unit == .none ? "" : " \(unit.rawValue)")
      guard number.isFinite else {
        throw SafelightError(.invalidValue, "\(label) is not a number", remedy: "give a value in \(bounds)")
      }
      guard range.contains(number) else {
        throw SafelightError(
          .invalidValue, "\(label) is \(PlainNumber.text(number)), outside its range",
          remedy: "give a value in \(bounds)")
      }
      return value
    case (.number, .text(let text)):
      guard let number = Double(text) else {
        throw SafelightError(
          .invalidValue, "\(label) is “\(text)”, which is not a number", remedy: "write it like 0.5 or -20")
      }
      return try checked(.number(number), filter: filter)
    case (_, .text):
      return value
    case (_, .number(let number)):
      return .text(PlainNumber.text(number))
    }
  }

  /// How values are written, for help: `-5…5 EV`, `4:5|…`.
  public var syntax: String {
    switch kind {
    case .number(let range, _, let unit):
      "\(PlainNumber.text(range.lowerBound))…\(PlainNumber.text(range.upperBound))"
        + (unit == .none ? "" : " \(unit.rawValue)")
    case .text(let syntax, _), .file(let syntax): syntax
    }
  }
}

/// Numbers as people write them: `12`, not `12.0`.
public enum PlainNumber {
  public static func text(_ number: Double) -> String {
    // Swift itself writes whole numbers out up to here.
    if abs(number) < 0x1p54, number == number.rounded() { return "\(Int(number))" }
    return "\(number)"
  }

  /// Fixed decimals, for columns: `0.31`.
  public static func fixed(_ number: Double, _ decimals: Int) -> String {
    guard number.isFinite else { return "\(number)" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(number) * scale).rounded()
    guard scaled < 1e15 else { return "\(number)" }
    let digits = Int(scaled)
    let whole = "\(digits / Int(scale))"
    let sign = number < 0 && digits > 0 ? "-" : ""
    guard decimals > 0 else { return sign + whole }
    let fraction = "\(digits % Int(scale))"
    return sign + whole + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
