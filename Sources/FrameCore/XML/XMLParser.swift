/// Parses XML by recursive descent, with limits on size, depth and number of parts.
struct XMLParser {
  /// The maximum nesting of elements, which bounds the recursion.
  static let maximumDepth = 64
  /// The maximum number of elements and attributes: each takes more memory than its few bytes of text.
  static let maximumParts = 200_000
  /// The maximum number of prefixes in scope; elements that declare any copy the whole table.
  static let maximumNamespaces = 256

  private let text: [UInt8]
  private let file: String
  private let limits: XMLLimits
  private var index = 0
  private var parts = 0

  init(_ text: [UInt8], file: String, limits: XMLLimits) {
    (self.text, self.file, self.limits) = (text, file, limits)
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  mutating func parse() throws -> XMLElement {
    guard text.count <= limits.bytes else {
      throw SafelightError(
        .tooLarge, "\(file) holds \(text.count) bytes of XML, more than \(limits.bytes >> 20) MiB",
        remedy: limits.remedy)
    }
    guard !text.starts(with: [0xFE, 0xFF]), !text.starts(with: [0xFF, 0xFE]), text.dropFirst().first != 0
    else {
      throw SafelightError(
        .unsupported, "\(file) is XML in UTF-16", remedy: "save it as UTF-8")
    }
    try skipMiscellany()
    guard next == UInt8(ascii: "<") else { throw wrong("there is no XML element") }
    let root = try element(namespaces: ["xml": "http://www.w3.org/XML/1998/namespace"], depth: 0)
    try skipMiscellany()
    // Packets are padded, sometimes with NUL.
    while let byte = next, byte == 0 { index += 1 }
    guard index == text.count else { throw wrong("there is text after the end of the element") }
    return root
  }

  // MARK: Errors

  private func wrong(_ problem: String, remedy: String = "save it again with the program that wrote it")
    -> SafelightError
  {
    let line = text[..<min(index, text.count)].count { $0 == UInt8(ascii: "\n") } + 1
    return SafelightError(.corruptData, "\(file):\(line): \(problem)", remedy: remedy)
  }

  private mutating func countPart() throws {
    parts += 1
    guard parts <= Self.maximumParts else {
      throw SafelightError(
        .tooLarge, "\(file) holds more than \(Self.maximumParts) elements and attributes",
        remedy: limits.remedy)
    }
  }

  // MARK: Tokens

  private var next: UInt8? { index < text.count ? text[index] : nil }

  private mutating func skipSpace() {
    while let byte = next, Self.isSpace(byte) { index += 1 }
  }

  private func isNext(_ token: StaticString) -> Bool {
    token.withUTF8Buffer { text[index...].starts(with: $0) }
  }

  private mutating func take(_ token: StaticString) -> Bool {
    guard isNext(token) else { return false }
    index += token.utf8CodeUnitCount
    return true
  }

  /// Consumes everything up to and including `token`; returns what precedes it.
  private mutating func take(until token: StaticString, of what: String) throws -> ArraySlice<UInt8> {
    let start = index
    while index < text.count {
      if isNext(token) {
        defer { index += token.utf8CodeUnitCount }
        return text[start..<index]
      }
      index += 1
    }
    throw wrong("\(what) does not end")
  }

  /// Skips white space, comments and processing instructions, such as `<?xpacket …?>`.
  private mutating func skipMiscellany() throws {
    while true {
      skipSpace()
      guard try skipComment() else { return }
    }
  }

  /// - Returns: whether there was a comment or a processing instruction.
  private mutating func skipComment() throws -> Bool {
    if take("<!--") {
      _ = try take(until: "-->", of: "a comment")
    } else if take("<?") {
      _ = try take(until: "?>", of: "a processing instruction")
    } else if isNext("<!DOCTYPE") {
      throw wrong("it has a document type, which is not read", remedy: "remove the DOCTYPE")
    } else {
      return false
    }
    return true
  }

  /// Parses a name into prefix and local name; the prefix may be empty.
  private mutating func name() throws -> (prefix: String, local: String) {
    let start = index
    while let byte = next, Self.isNameByte(byte) { index += 1 }
    let bytes = text[start..<index]
    guard let first = bytes.first, !Self.isDigitLike(first),
      let name = String(validating: bytes, as: UTF8.self)
    else { throw wrong("a name is expected") }
    let pieces = name.split(separator: ":", omittingEmptySubsequences: false)
    guard pieces.count <= 2, !pieces.contains(where: \.isEmpty) else {
      throw wrong("“\(name.prefix(60))” is not a name")
    }
    return pieces.count == 2 ? (String(pieces[0]), String(pieces[1])) : ("", name)
  }

  // MARK: Elements

  private mutating func element(namespaces: [String: String], depth: Int) throws -> XMLElement {
    guard depth < Self.maximumDepth else {
      throw wrong("elements are nested more than \(Self.maximumDepth) deep")
    }
    try countPart()
    let start = index
    index += 1
    let tag = try name()
    var namespaces = namespaces
    let nameEnd = index
    let (attributes, last) = try attributes(&namespaces)
    var element = XMLElement(name: try resolve(tag, namespaces, isAttribute: false))
    (element.namespaces, element.namePlace, element.lastAttributePlace) =
      (namespaces, start + 1..<nameEnd, last)
    var names: Set<XMLName> = []
    for found in attributes {
      let name = try resolve(found.name, namespaces, isAttribute: true)
      guard names.insert(name).inserted else { throw wrong("the attribute “\(name.local)” is given twice") }
      element.attributes.append(
        XMLElement.Attribute(
          name: name, value: found.value, place: found.place, valuePlace: found.valuePlace))
    }
    if take("/>") {
      element.place = start..<index
      return element
    }
    guard take(">") else { throw wrong("the tag <\(tag.local) does not end") }
    try content(of: &element, namespaces, depth: depth)
    let end = try name()
    guard end == tag else { throw wrong("<\(tag.local)> ends with </\(end.local)>") }
    skipSpace()
    guard take(">") else { throw wrong("the tag </\(tag.local) does not end") }
    element.place = start..<index
    return element
  }

  /// Parses everything up to and including `</`.
  private mutating func content(
    of element: inout XMLElement, _ namespaces: [String: String], depth: Int
  ) throws {
    var characters: [UInt8] = []
    let start = index
    while let byte = next {
      if byte == UInt8(ascii: "<") {
        if take("</") {
          element.contentPlace = start..<(index - 2)
          guard let text = String(validating: characters, as: UTF8.self) else {
            throw wrong("text is not UTF-8")
          }
          element.text = text
          return
        }
        if take("<![CDATA[") {
          characters += try take(until: "]]>", of: "a CDATA section")
        } else if try !skipComment() {
          element.children.append(try self.element(namespaces: namespaces, depth: depth + 1))
        }
      } else {
        characters += try characterData(before: UInt8(ascii: "<"))
      }
    }
    throw wrong("the element <\(element.name.local)> does not end")
  }

  private struct FoundAttribute {
    let name: (prefix: String, local: String)
    let value: String
    let place, valuePlace: Range<Int>
  }

  /// - Returns: the attributes that are no declarations, and the place of the last one of all.
  private mutating func attributes(
    _ namespaces: inout [String: String]
  ) throws -> (attributes: [FoundAttribute], last: Range<Int>) {
    var attributes: [FoundAttribute] = []
    var declared: Set<String> = []
    var last = index..<index
    while true {
      let start = index
      skipSpace()
      guard let byte = next, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") else {
        return (attributes, last)
      }
      guard index > start else { throw wrong("a space is expected before an attribute") }
      try countPart()
      let nameStart = index
      let name = try name()
      skipSpace()
      guard take("=") else { throw wrong("the attribute “\(name.local)” has no value") }
      skipSpace()
      let valueStart = index + 1
      let value = try attributeValue()
      last = nameStart..<index
      let prefix = name.prefix == "xmlns" ? name.local : name == ("", "xmlns") ? "" : nil
      guard let prefix else {
        attributes.append(
          FoundAttribute(name: name, value: value, place: last, valuePlace: valueStart..<(index - 1)))
        continue
      }
      guard declared.insert(prefix).inserted else { throw wrong("the prefix “\(prefix)” is declared twice") }
      namespaces[prefix] = value
      guard namespaces.count <= Self.maximumNamespaces else {
        throw wrong("more than \(Self.maximumNamespaces) prefixes are declared")
      }
    }
  }

  private mutating func attributeValue() throws -> String {
    guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw wrong("a value in quotes is expected")
    }
    index += 1
    var characters: [UInt8] = []
    while let byte = next, byte != quote {
      guard byte != UInt8(ascii: "<") else { throw wrong("a value in quotes holds a <") }
      characters += try characterData(before: quote)
    }
    guard next == quote else { throw wrong("a value in quotes does not end") }
    index += 1
    guard let value = String(validating: characters, as: UTF8.self) else {
      throw wrong("a value is not UTF-8")
    }
    return value
  }

  private func resolve(
    _ name: (prefix: String, local: String), _ namespaces: [String: String], isAttribute: Bool
  ) throws -> XMLName {
    // Attributes without a prefix are in no namespace, whatever the default namespace is.
    if name.prefix.isEmpty { return XMLName(isAttribute ? "" : namespaces[""] ?? "", name.local) }
    guard let namespace = namespaces[name.prefix] else {
      throw wrong("the prefix “\(name.prefix.prefix(60))” is not declared")
    }
    return XMLName(namespace, name.local)
  }

  // MARK: Characters

  /// Returns the bytes of a run of characters before `end`, `<` or `&`, or of the character that a reference
  /// denotes.
  private mutating func characterData(before end: UInt8) throws -> ArraySlice<UInt8> {
    guard next == UInt8(ascii: "&") else {
      let start = index
      while let byte = next, byte != end, byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") {
        guard byte >= 0x20 || Self.isSpace(byte) else { throw wrong("there is a control character") }
        index += 1
      }
      return text[start..<index]
    }
    let start = index
    index += 1
    var reference: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: ";"), reference.count < 10 {
      reference.append(byte)
      index += 1
    }
    guard take(";"), let name = String(validating: reference, as: UTF8.self),
      let character = XMLReference.character(named: name)
    else {
      index = start
      throw wrong("there is an & that does not begin a reference known to XML", remedy: "write &amp; instead")
    }
    return ArraySlice(Array(String(character).utf8))
  }
}
