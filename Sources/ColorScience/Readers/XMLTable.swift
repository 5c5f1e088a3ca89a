import FrameCore

/// A table of colours as XML: its elements by their local names, whatever their namespace, and errors by line.
struct XMLTable {
  let bytes: [UInt8]
  let name: String
  let root: XMLElement

  /// Larger than a lattice of 129³ in decimals.
  private static let limits = XMLLimits(bytes: 96 << 20, remedy: "export a smaller LUT")

  init(_ bytes: [UInt8], name: String) throws {
    (self.bytes, self.name) = (bytes, name)
    root = try XMLElement(parsing: bytes, file: name, limits: Self.limits)
  }

  func failure(
    at element: XMLElement, _ reason: String, remedy: String, code: SafelightError.Code = .corruptData
  ) -> SafelightError {
    let line = bytes[..<min(element.place.lowerBound, bytes.count)].count { $0 == ASCII.lineFeed } + 1
    return SafelightError(code, "\(name):\(line): \(reason)", remedy: remedy)
  }

  /// Returns the attribute without white space around it.
  func attribute(_ key: String, of element: XMLElement) -> String? {
    element[XMLName("", key)].map { Self.trimmed($0) }
  }

  /// Returns a number that an attribute must be, if it is there.
  func number(_ key: String, of element: XMLElement) throws -> Double? {
    guard let text = attribute(key, of: element) else { return nil }
    guard let number = Self.number(text) else {
      throw failure(
        at: element,
        "\(key) of \(element.name.local) is “\(NearestName.shortened(text))”, which is no number",
        remedy: "write a decimal number")
    }
    return number
  }

  /// Returns the one child of a name, nil if there is none.
  func child(_ local: String, of element: XMLElement) throws -> XMLElement? {
    let found = element.children.filter { $0.name.local == local }
    guard found.count <= 1 else {
      throw failure(
        at: found[1], "\(element.name.local) has \(found.count) elements \(local)", remedy: "keep one of them"
      )
    }
    return found.first
  }

  /// Returns all numbers in an element's text.
  ///
  /// - Parameter most: more are an error.
  func numbers(in element: XMLElement, atMost most: Int) throws -> [Float] {
    var numbers: [Float] = []
    numbers.reserveCapacity(min(most, element.text.utf8.count / 2 + 1))
    var text = element.text
    var wrong: String?
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      var position = 0
      while true {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count, numbers.count <= most else { return }
        let start = position
        guard let number = DecimalScanner.scan(bytes, at: &position), number.isFinite,
          position == bytes.count || Self.isSpace(bytes[position])
        else {
          var end = start
          while end < bytes.count, !Self.isSpace(bytes[end]) { end += 1 }
          wrong = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
          return
        }
        numbers.append(number)
      }
    }
    if let wrong {
      throw failure(
        at: element,
        "“\(NearestName.shortened(wrong))” in \(element.name.local) is not a finite decimal number",
        remedy: "write numbers like 0.5 or 5e-1")
    }
    guard numbers.count <= most else {
      throw failure(
        at: element, "\(element.name.local) has more than the \(most) values that it is to have",
        remedy: "correct its size, or remove the excess")
    }
    return numbers
  }

  /// Returns a fixed number of numbers in double precision.
  func doubles(in element: XMLElement, count: Int) throws -> [Double] {
    let words = Self.words(of: element.text, atMost: count + 1)
    let numbers = words.map { Self.number(String($0)) }
    guard words.count == count, !numbers.contains(nil) else {
      // There may be a million of them.
      let start = Self.trimmed(String(element.text.drop(while: \.isWhitespace).prefix(200)))
      throw failure(
        at: element,
        "\(element.name.local) is “\(NearestName.shortened(start))”, not \(count == 1 ? "a number" : "\(count) numbers")",
        remedy: "write decimal numbers with spaces between them")
    }
    return numbers.compactMap(\.self)
  }

  /// Returns the first words of a text, which may have many more.
  static func words(of text: String, atMost most: Int) -> [Substring] {
    var (words, rest) = ([Substring](), text[...])
    while words.count < most {
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { break }
      let word = rest.prefix { !$0.isWhitespace }
      words.append(word)
      rest = rest[word.endIndex...]
    }
    return words
  }

  static func trimmed(_ text: String) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }

  /// Returns a finite decimal number; nil for other text, of which Swift reads some, such as hexadecimal numbers.
  static func number(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy {
      ASCII.digit($0) != nil
        || [ASCII.plus, ASCII.minus, ASCII.point, ASCII.lowerE, ASCII.upperE].contains($0)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func isSpace(_ byte: UInt8) -> Bool { ASCII.isBlank(byte) || ASCII.isLineEnd(byte) }
}
