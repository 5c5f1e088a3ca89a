extension JSONValue {
  /// This value as text for people: keys sorted, and what fits a line on one line.
  package var text: String { Self.text(of: self, indent: 0, column: 0) + "\n" }

  /// Longer values are written over several lines.
  private static let width = 110

  private static func text(of value: JSONValue, indent: Int, column: Int) -> String {
    let flat = flatText(of: value)
    let parts: [String]
    let (open, close): (String, String)
    let inner = indent + 2
    let pad = String(repeating: " ", count: inner)
    switch value {
    // The whole text and its parts are always spread, so that small files look like large ones.
    case .object(let fields) where !fields.isEmpty && (indent == 0 || !fits(flat, column)):
      (open, close) = ("{", "}")
      parts = fields.sorted { $0.key < $1.key }.map { key, value in
        let name = quoted(key) + ": "
        return pad + name + text(of: value, indent: inner, column: inner + name.count)
      }
    case .array(let values) where !values.isEmpty && (values.contains(where: \.isObject) || !fits(flat, column)):
      (open, close) = ("[", "]")
      parts = values.map { pad + text(of: $0, indent: inner, column: inner) }
    default: return flat
    }
    return open + "\n" + parts.joined(separator: ",\n") + "\n" + String(repeating: " ", count: indent) + close
  }

  private static func fits(_ flat: String, _ column: Int) -> Bool { column + flat.count <= width }

  private var isObject: Bool { if case .object = self { true } else { false } }

  private static func flatText(of value: JSONValue) -> String {
    switch value {
    case .null: return "null"
    case .bool(let bool): return bool ? "true" : "false"
    case .number(let number): return PlainNumber.text(number)
    case .string(let text): return quoted(text)
    case .array(let values): return "[" + values.map(flatText).joined(separator: ", ") + "]"
    case .object(let fields):
      guard !fields.isEmpty else { return "{}" }
      let parts = fields.sorted { $0.key < $1.key }.map { quoted($0.key) + ": " + flatText(of: $0.value) }
      return "{ " + parts.joined(separator: ", ") + " }"
    }
  }
}
