/// Makes text safe to show on a terminal.
///
/// File names may contain any byte but `/` and NUL: escape sequences that move the cursor or rename the window,
/// line breaks that fake a second message, marks that change the writing direction. They are shown as in Swift
/// source.
enum VisibleText {
  /// Returns one line, with line breaks and tabs escaped too.
  static func line(_ text: String) -> String { visible(text) { _ in false } }

  /// Returns several lines, with line breaks and tabs unchanged.
  static func lines(_ text: String) -> String { visible(text) { $0 == "\n" || $0 == "\t" } }

  private static func visible(_ text: String, except isKept: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: { $0.controlsTerminals && !isKept($0) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if !scalar.controlsTerminals || isKept(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += escaped(scalar)
      }
    }
    return result
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  /// Returns the number of terminal cells for `text`: two for East Asian characters and emoji.
  static func width(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + width($1) } }

  static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if first.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// Returns the last `width` cells of `text`, after an ellipsis if it was cut: of paths, the end tells most.
  static func end(of text: String, width limit: Int) -> String {
    guard width(text) > limit else { return text }
    return "…" + String(fitting(String(text.reversed()), width: limit).dropLast().reversed())
  }

  /// Returns the first `width` cells of `text`, with an ellipsis if it was cut.
  static func fitting(_ text: String, width limit: Int) -> String {
    guard width(text) > limit else { return text }
    guard limit > 0 else { return "" }
    var (result, used) = ("", 0)
    for character in text {
      let cells = width(character)
      guard used + cells <= limit - 1 else { break }
      result.append(character)
      used += cells
    }
    return result + "…"
  }
}
