import FrameCore

extension JSONValue {
  /// This value as readable text: sorted keys, and objects and lists without nested ones on one line.
  package var text: String { Self.text(of: self, indent: 0, column: 0) + "\n" }

  /// The line width beyond which a value is split over several lines.
  private static let width = 110

  private static func text(of value: JSONValue, indent: Int, column: Int) -> String {
    let inner = indent + 2
    let pad = String(repeating: " ", count: inner)
    let (open, close): (String, String)
    let parts: [String]
    switch value {
    case .null: return "null"
    case .bool(let bool): return bool ? "true" : "false"
    case .number(let number): return PlainNumber.text(number)
    case .string(let text): return quoted(text)
    case .array(let values):
      (open, close) = ("[", "]")
      parts = values.map { text(of: $0, indent: inner, column: inner) }
    case .object(let fields):
      (open, close) = ("{", "}")
      parts = fields.sorted { $0.key < $1.key }.map { key, value in
        let name = quoted(key) + ": "
        return name + text(of: value, indent: inner, column: inner + name.count)
      }
    }
    guard !parts.isEmpty else { return open + close }
    let length = parts.reduce(column + 2) { $0 + $1.count + 2 }
    // The outermost value is always split, so that small files look like large ones.
    guard indent == 0 || value.holdsContainers || length > width else {
      let space = open == "{" ? " " : ""
      return open + space + parts.joined(separator: ", ") + space + close
    }
    return open + "\n" + parts.map { pad + $0 }.joined(separator: ",\n") + "\n"
      + String(repeating: " ", count: indent) + close
  }

  private var holdsContainers: Bool {
    let values: [JSONValue] =
      switch self {
      case .array(let values): values
      case .object(let fields): Array(fields.values)
      default: []
      }
    return values.contains { value in
      switch value {
      case .array, .object: true
      default: false
      }
    }
  }
}
