import ArgumentParser
import Safelight

/// The flags of filters that a command declares itself instead.
protocol ReservedFlags: Sendable {
  static var names: Set<String> { get }
}

/// For commands that declare no filter's flag themselves.
enum NoReservedFlags: ReservedFlags {
  static let names: Set<String> = []
}

/// A value from the command line, checked against its parameter.
struct FilterFlagValue: Decodable, Sendable {
  let text: String
}

/// One flag for every parameter that declares one, made from the catalog: nothing is listed by hand.
///
/// ArgumentParser finds arguments by reflection, so this type reflects itself as if it had a property wrapper for
/// each parameter, and decodes them by the same names.
///
/// - Parameter Reserved: the flags that a command declares itself because they take more values than the
///   filter's.
struct FilterFlags<Reserved: ReservedFlags>: ParsableArguments, CustomReflectable {
  private typealias Value = FilterFlagValue

  private struct Flag: Sendable {
    let filter: any Filter.Type
    let parameter: Parameter
    let name: String

    var option: Option<Value?> {
      let (filter, parameter) = (filter, parameter)
      // Unconditional, so that negative numbers are values and not flags.
      return Option(
        name: .customLong(name), parsing: .unconditional,
        help: ArgumentHelp(
          parameter.help + Self.range(of: parameter), valueName: Self.valueName(of: parameter)),
        completion: Self.completion(of: parameter),
        transform: { text in
          let value = parameter.withoutUnit(text)
          try check(value, parameter, of: filter)
          return Value(text: value)
        })
    }

    var isFile: Bool {
      if case .file = parameter.kind { true } else { false }
    }

    /// Shell completion: files, and words for parameters that take nothing else.
    private static func completion(of parameter: Parameter) -> CompletionKind {
      switch parameter.kind {
      case .file: .file()
      case .choice(let choice): .list(choice.options.map(\.value))
      case .number, .rectangle, .points, .mask, .text: .default
      }
    }

    private static func range(of parameter: Parameter) -> String {
      switch parameter.kind {
      case .number(let number): " (\(parameter.syntax); \(PlainNumber.text(number.neutral)) is neutral)"
      case .choice(let choice) where choice.options.count > 8:
        " (see “safelight filters”" + (choice.neutral.map { "; default: \($0))" } ?? ")")
      case .choice(let choice): choice.neutral.map { " (default: \($0))" } ?? ""
      case .file, .rectangle, .points, .mask, .text: ""
      }
    }

    private static func valueName(of parameter: Parameter) -> String {
      switch parameter.kind {
      case .number(let number): number.unit == .none ? "number" : number.unit.rawValue
      // Many names do not fit into a line; a wrong one is answered with all of them.
      case .choice(let choice) where choice.options.count > 8: choice.options[0].value + "|…"
      case .choice, .file, .rectangle, .points, .mask, .text: parameter.syntax
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  private static var flags: [Flag] {
    FilterCatalog.all.flatMap { filter in
      filter.parameters.compactMap { parameter in
        guard let name = parameter.flag, !Reserved.names.contains(name) else { return nil }
        return Flag(filter: filter, parameter: parameter, name: name)
      }
    }
  }

  private var values: [String: Value] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    for flag in Self.flags {
      values[flag.name] = try container.decode(Option<Value?>.self, forKey: Key(flag.name)).wrappedValue
    }
  }

  var customMirror: Mirror {
    Mirror(self, children: Self.flags.map { (label: "_" + $0.name, value: $0.option as Any) })
  }

  /// Whether any flag was given.
  var isGiven: Bool { !values.isEmpty }

  /// The names of the flags that were given, without dashes, in the catalog's order.
  var givenNames: [String] { Self.flags.map(\.name).filter { values[$0] != nil } }

  /// The flags that were given, without dashes, with their values as written in recipes, in the catalog's order.
  var given: [(name: String, value: String, isFile: Bool)] {
    Self.flags.compactMap { flag in
      values[flag.name].map { (name: flag.name, value: $0.text, isFile: flag.isFile) }
    }
  }

  /// Whether a flag was given of a filter that `--strength` applies to.
  var isLookGiven: Bool {
    Self.flags.contains { $0.filter.phase == .look && values[$0.name] != nil }
  }

  /// Rejects flags that say how a file is used if no flag names the file.
  func validate() throws {
    for filter in FilterCatalog.all {
      let flags = Self.flags.filter { $0.filter == filter }
      guard let file = flags.first(where: \.isFile), values[file.name] == nil,
        let idle = flags.first(where: { values[$0.name] != nil })
      else { continue }
      throw ValidationError("--\(idle.name) has no effect without --\(file.name); give both or neither.")
    }
  }

  /// The values that were given.
  var parameterValues: ParameterValues { ParameterValues(values.mapValues { .text($0.text) }) }
}

/// Rejects a text that a filter's parameter does not take.
private func check<F: Filter>(_ text: String, _ parameter: Parameter, of type: F.Type) throws {
  var filter = F()
  try parameter.set(.text(text), in: &filter)
}
