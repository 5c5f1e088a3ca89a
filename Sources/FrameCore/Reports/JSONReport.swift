import FoundationEssentials

/// A report of what was done or measured, as the program's `--json` prints it.
///
/// Reports are plain values: a script reads their JSON, and a Swift program decodes it with `JSONDecoder`.
public protocol JSONReport: Codable, Sendable {}

extension JSONReport {
  /// Returns the report as JSON on several lines, with sorted keys and without a line break at the end.
  public func json() throws -> String { try ReportText.json(self) }

  /// Returns the report as JSON on one line, with sorted keys and without the line break, as in a stream of reports.
  public func jsonLine() throws -> String { try ReportText.jsonLine(self) }
}

extension Array where Element: JSONReport {
  /// Returns the reports as a JSON list on several lines.
  public func json() throws -> String { try ReportText.json(self) }
}

/// The JSON text of all reports: keys in one order, and no character that a terminal would obey.
package enum ReportText {
  package static func json(_ value: some Encodable) throws -> String {
    try encoded(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  package static func jsonLine(_ value: some Encodable) throws -> String {
    try encoded(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func encoded(
    _ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return escapingControls(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Returns equivalent JSON that is safe to show on a terminal: encoders escape the ASCII controls and leave the
  /// other characters of `Unicode.Scalar.controlsTerminals`.
  package static func escapingControls(_ json: String) -> String {
    // ASCII controls occur only between values, never in strings.
    func isEscaped(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x20 && scalar.controlsTerminals }
    guard json.unicodeScalars.contains(where: isEscaped) else { return json }
    var result = ""
    for scalar in json.unicodeScalars {
      if isEscaped(scalar) {
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether a terminal takes the character as a command or a line break, or shows the text around it in another
  /// order.
  package var controlsTerminals: Bool {
    switch value {
    // Control characters of ASCII and ISO/IEC 6429.
    case 0..<0x20, 0x7F..<0xA0: true
    // Line and paragraph separators; marks that embed, override and isolate directions (UAX #9).
    case 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
