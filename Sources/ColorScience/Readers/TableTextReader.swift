import FrameCore

/// Steps through the lines of a table in text, such as a `.cube` file, counts them, and reports errors in them.
struct TableTextReader {
  private let text: UnsafeRawBufferPointer
  private let name: String
  private var position = 0
  private var currentLine = 1

  /// The last line with content, from 1.
  private(set) var line = 1

  /// Starts after a UTF-8 byte order mark, if there is one.
  ///
  /// - Throws: `SafelightError` if the text is UTF-16.
  init(text: UnsafeRawBufferPointer, name: String) throws {
    self.text = text
    self.name = name
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
      throw failure("the text is UTF-16", remedy: "save the LUT as plain text (UTF-8)")
    }
  }

  /// The most rows that the file can contain: the shortest is `0 0 0` and a line end, which the last may lack.
  var rowCapacity: Int { (text.count + 1) / 6 }
  var byteCount: Int { text.count }

  /// Moves to the first byte of the next line that is neither blank nor a comment; returns false at the end.
  mutating func moveToContent() -> Bool {
    while position < text.count {
      let byte = text[position]
      if ASCII.isBlank(byte) {
        position += 1
      } else if ASCII.isLineEnd(byte) {
        let isPair =
          byte == ASCII.carriageReturn && position + 1 < text.count && text[position + 1] == ASCII.lineFeed
        position += isPair ? 2 : 1
        currentLine += 1
      } else if byte == ASCII.hash {
        while position < text.count, !ASCII.isLineEnd(text[position]) { position += 1 }
      } else {
        line = currentLine
        return true
      }
    }
    return false
  }

  /// Whether a row of numbers begins here: with a digit, a sign, a point, or C's text for a value that is not
  /// finite.
  var isAtRow: Bool {
    let byte = text[position]
    if ASCII.digit(byte) != nil || byte == ASCII.plus || byte == ASCII.minus || byte == ASCII.point {
      return true
    }
    return ["nan", "inf", "infinity"].contains(word(from: position).lowercased())
  }

  /// The word at the current position, not consumed; long or unprintable words are shortened for errors.
  var upcomingWord: String { word(from: position) }

  /// Consumes a word.
  mutating func takeWord() -> String {
    let word = word(from: position)
    skipWord()
    return word
  }

  /// Consumes the rest of the line, trimmed of blanks.
  mutating func takeRestOfLine() -> String {
    skipBlanks()
    let start = position
    while position < text.count, !ASCII.isLineEnd(text[position]) { position += 1 }
    var end = position
    while end > start, ASCII.isBlank(text[end - 1]) { end -= 1 }
    return String(decoding: UnsafeRawBufferPointer(rebasing: text[start..<end]), as: UTF8.self)
  }

  /// Consumes one finite number of this line.
  ///
  /// - Parameter what: what is expected, for errors: “a row has 3 numbers”.
  mutating func takeNumber(_ what: @autoclosure () -> String) throws -> Float {
    skipBlanks()
    let start = position
    if let value = DecimalScanner.scan(text, at: &position), isAtWordEnd {
      guard value.isFinite else {
        throw failure(
          "\"\(word(from: start))\" is too large for a float", remedy: "keep numbers within ±3.4e38")
      }
      return value
    }
    guard start < text.count, !ASCII.isLineEnd(text[start]) else {
      throw failure("\(what()), but the line ends early", remedy: "add what is missing")
    }
    throw failure(
      "\"\(word(from: start))\" is not a finite decimal number", remedy: "write numbers like 0.5 or 5e-1")
  }

  /// Consumes one whole number of this line, at most nine digits.
  mutating func takeInteger(_ what: @autoclosure () -> String) throws -> Int {
    skipBlanks()
    let word = upcomingWord
    guard !word.isEmpty else {
      throw failure("\(what()), but the line ends early", remedy: "add what is missing")
    }
    guard word.count <= 9, word.utf8.allSatisfy({ ASCII.digit($0) != nil }), let value = Int(word) else {
      throw failure("\"\(word)\" is not a whole number", remedy: "write a size like 33")
    }
    skipWord()
    return value
  }

  /// Whether nothing else is on this line.
  mutating func isAtLineEnd() -> Bool {
    skipBlanks()
    return position >= text.count || ASCII.isLineEnd(text[position])
  }

  /// Checks that nothing else is on this line.
  mutating func expectLineEnd(_ what: @autoclosure () -> String) throws {
    skipBlanks()
    guard position < text.count, !ASCII.isLineEnd(text[position]) else { return }
    throw failure("\(what()), but \"\(upcomingWord)\" follows", remedy: "remove it")
  }

  /// Returns an error at `line`, by default the line reached.
  func failure(
    _ reason: String, remedy: String, line: Int? = nil, code: SafelightError.Code = .corruptData
  ) -> SafelightError {
    SafelightError(code, "\(name):\(line ?? self.line): \(reason)", remedy: remedy)
  }

  private var isAtWordEnd: Bool {
    position >= text.count || ASCII.isBlank(text[position]) || ASCII.isLineEnd(text[position])
  }

  private mutating func skipBlanks() {
    while position < text.count, ASCII.isBlank(text[position]) { position += 1 }
  }

  private mutating func skipWord() {
    while !isAtWordEnd { position += 1 }
  }

  private func word(from start: Int) -> String {
    var word = ""
    var index = start
    while index < text.count, !ASCII.isBlank(text[index]), !ASCII.isLineEnd(text[index]) {
      if word.utf8.count == 32 { return word + "…" }
      let isPrintable = text[index] > ASCII.space && text[index] < 0x7F
      word.append(isPrintable ? Character(Unicode.Scalar(text[index])) : "?")
      index += 1
    }
    return word
  }
}
