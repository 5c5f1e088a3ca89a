import FrameCore

/// A filter's parameter, declared once: JSON key, flag, title, kind with its range or choices, help.
public struct Parameter: Sendable {
  /// The key in recipes.
  public let name: String
  /// The keys used by recipes of earlier versions.
  package let formerNames: [String]
  /// The display name: `Exposure`.
  public let title: String
  /// The command-line flag without its dashes; nil if the command line has none.
  public let flag: String?
  public let kind: Kind
  /// One line: what the parameter does.
  public let help: String

  private let read: @Sendable (any Filter) -> ParameterValue
  private let write: @Sendable (inout any Filter, ParameterValue) throws -> Void

  private init<F: Filter, Value>(
    _ path: WritableKeyPath<F, Value> & Sendable, _ name: String, formerly formerNames: [String],
    title: String?, kind: Kind, flag: String?, _ help: String,
    read: @escaping @Sendable (Value) -> ParameterValue,
    write: @escaping @Sendable (ParameterValue) throws -> Value?
  ) {
    (self.name, self.formerNames, self.flag, self.help) = (name, formerNames, flag, help)
    self.title = title ?? Self.title(of: name)
    self.kind = kind
    let empty = kind.neutral ?? .text("")
    self.read = { filter in (filter as? F).map { read($0[keyPath: path]) } ?? empty }
    self.write = { filter, value in
      guard var typed = filter as? F, let value = try write(value) else { return }
      typed[keyPath: path] = value
      filter = typed
    }
  }

  /// Returns a name as a title: `White balance` for `white-balance`.
  static func title(of name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst().replacing("-", with: " ")
  }

  /// A number, stored as Float.
  ///
  /// - Parameters:
  /// - title: nil derives it from the name.
  /// - slider: nil means `range`; this and the following as in `Number`.
  public init<F: Filter>(
    _ path: WritableKeyPath<F, Float> & Sendable, _ name: String, title: String? = nil,
    in range: ClosedRange<Double>, slider: ClosedRange<Double>? = nil, step: Double? = nil, neutral: Double,
    detent: Double? = nil, unit: ParameterUnit = .none, scale: Scale = .linear, flag: String?, _ help: String
  ) {
    let number = Number(
      in: range, slider: slider, step: step, neutral: neutral, detent: detent, unit: unit, scale: scale)
    self.init(
      path, name, formerly: [], title: title, kind: .number(number), flag: flag, help,
      // Converted through the shortest decimal, so that 0.7 stays 0.7 in JSON.
      read: { .number(Double("\($0)") ?? neutral) },
      write: { if case .number(let number) = $0 { Float(number) } else { nil } })
  }

  /// One of the cases of an enum.
  ///
  /// - Parameter neutral: the case that changes nothing, if there is one.
  public init<F: Filter, Value: ParameterChoice>(
    choice path: WritableKeyPath<F, Value> & Sendable, _ name: String, title: String? = nil,
    formerly formerNames: [String] = [], neutral: Value?, flag: String?, _ help: String
  ) {
    self.init(
      text: path, name, formerly: formerNames, title: title,
      kind: .choice(Choice(Value.self, neutral: neutral)), flag: flag, help)
  }

  /// A value written as a short text.
  ///
  /// - Parameters:
  ///   - suggestions: values to offer by name.
  /// - neutral: the value that changes nothing, if there is one.
  public init<F: Filter, Value: ParameterText>(
    _ path: WritableKeyPath<F, Value> & Sendable, _ name: String, title: String? = nil,
    formerly formerNames: [String] = [], suggestions: [Option] = [], neutral: Value?, flag: String?,
    _ help: String
  ) {
    let text = Text(syntax: Value.syntax, suggestions: suggestions, neutral: neutral?.parameterText)
    self.init(
      text: path, name, formerly: formerNames, title: title, kind: .text(text), flag: flag, help)
  }

  /// A part of the picture, written as a short text.
  ///
  /// - Parameters:
  /// - x: the horizontal axis, from the picture's left edge.
  /// - y: the vertical axis, from its top edge.
  ///   - aspectRatios: proportions to offer by name.
  ///   - neutral: the whole picture.
  public init<F: Filter, Value: ParameterText>(
    rectangle path: WritableKeyPath<F, Value> & Sendable, _ name: String, title: String? = nil, x: Axis,
    y: Axis, aspectRatios: [Option] = [], neutral: Value?, flag: String?, _ help: String
  ) {
    let rectangle = Rectangle(
      x: x, y: y, aspectRatios: aspectRatios, syntax: Value.syntax, neutral: neutral?.parameterText)
    self.init(
      text: path, name, formerly: [], title: title, kind: .rectangle(rectangle), flag: flag, help)
  }

  private init<F: Filter, Value: ParameterText>(
    text path: WritableKeyPath<F, Value> & Sendable, _ name: String, formerly formerNames: [String],
    title: String?, kind: Kind, flag: String?, _ help: String
  ) {
    self.init(
      path, name, formerly: formerNames, title: title, kind: kind, flag: flag, help,
      read: { .text($0.parameterText) },
      write: { if case .text(let text) = $0 { try Value(parameterText: text) } else { nil } })
  }

  /// The path of a file that `Filter.loadFiles` reads. Recipes, edits beside photos and fingerprints find files by
  /// this kind.
  ///
  /// - Parameter extensions: the extensions of such files: `["cube"]`.
  public init<F: Filter>(
    file path: WritableKeyPath<F, String> & Sendable, _ name: String, title: String? = nil,
    extensions: [String], flag: String?, _ help: String
  ) {
    self.init(
      path, name, formerly: [], title: title, kind: .file(File(extensions: extensions)), flag: flag, help,
      read: { .text($0) }, write: { if case .text(let text) = $0 { text } else { nil } })
  }

  /// A list of points, x and y each.
  public init<F: Filter>(
    points path: WritableKeyPath<F, [SIMD2<Double>]> & Sendable, _ name: String, title: String? = nil,
    as points: Points, flag: String?, _ help: String
  ) {
    self.init(
      path, name, formerly: [], title: title, kind: .points(points), flag: flag, help,
      read: { .points($0) }, write: { if case .points(let points) = $0 { points } else { nil } })
  }

  /// Where a filter that holds others acts; nil is everywhere.
  public init<F: Filter>(
    mask path: WritableKeyPath<F, Mask?> & Sendable, _ name: String, title: String? = nil, _ help: String
  ) {
    self.init(
      path, name, formerly: [], title: title, kind: .mask, flag: nil, help,
      read: { $0.map { .mask($0) } ?? .text("") },
      write: { value -> Mask?? in if case .mask(let mask) = value { .some(mask) } else { .some(nil) } })
  }

  /// The parameter's value in `filter`.
  public func value(in filter: any Filter) -> ParameterValue { read(filter) }

  /// Whether the value in `filter` changes nothing.
  public func isNeutral(in filter: any Filter) -> Bool { kind.neutral == read(filter) }

  /// The syntax of values, for help: `-5…5 EV`, `none|h|v`.
  public var syntax: String { kind.syntax }

  /// Sets the value.
  ///
  /// - Throws: `SafelightError` if it is out of range or none of the choices.
  public func set<F: Filter>(_ value: ParameterValue, in filter: inout F) throws {
    var erased: any Filter = filter
    try write(&erased, checked(value, filter: F.id))
    if let typed = erased as? F { filter = typed }
  }

  func scale<F: Filter>(_ filter: inout F, by strength: Double) {
    guard case .number(let kind) = kind, case .number(let number) = read(filter) else { return }
    var erased: any Filter = filter
    // Writing a number between neutral and a valid one cannot fail.
    try? write(&erased, .number(kind.neutral + (number - kind.neutral) * strength))
    if let typed = erased as? F { filter = typed }
  }

  /// Returns the name of the file in this parameter of `filter`; nil if it is empty or the parameter is of another
  /// kind.
  func fileName(in filter: any Filter) -> String? {
    guard case .file = kind, case .text(let name) = read(filter), !name.isEmpty else { return nil }
    return name
  }

  /// Renames the file in this parameter of `filter`.
  func renameFile(in filter: inout any Filter, to name: String) {
    // Any text is a valid file name, so writing one cannot fail.
    try? write(&filter, .text(name))
  }
}
