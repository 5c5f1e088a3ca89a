import FrameCore

/// A property of an XMP packet that is to have another value.
struct XMPChange: Sendable {
  enum Value: Sendable {
    case text(String)
    /// A Seq.
    case list([String])
  }
  let name: XMLName
  /// Nil removes the property.
  let value: Value?

  init(_ name: XMLName, _ text: String?) { (self.name, value) = (name, text.map { .text($0) }) }

  init(_ name: XMLName, list: [String]) { (self.name, value) = (name, .list(list)) }
}

/// Changes properties of an XMP packet and leaves every other byte as it is: comments, padding, line ends, prefixes and
/// the order of properties.
///
/// A property is written where it stands, as an attribute or as an element; a new one becomes an attribute of the first
/// `rdf:Description` that has its namespace, or else of the first. Source: XMP specification part 1, section 7.
struct XMPPacketEditor {
  private(set) var bytes: [UInt8]
  private let file: String

  private static let rdf = XMLName(XMPProperties.rdf, "RDF")
  private static let description = XMLName(XMPProperties.rdf, "Description")

  /// - Parameter file: the name of the file, for errors.
  init(_ bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

  /// Makes changes, all or none.
  ///
  /// - Throws: `SafelightError` if the packet is damaged or is not XMP, or if a property that is not to be changed would
  ///   be another one.
  mutating func apply(_ changes: [XMPChange]) throws {
    var edited = self
    for change in changes { try edited.apply(change) }
    let (before, after) = (
      try XMPProperties(packet: bytes, file: file), try XMPProperties(packet: edited.bytes, file: file)
    )
    let names = Set(changes.map(\.name))
    guard
      before.values.filter({ !names.contains($0.key) }) == after.values.filter({ !names.contains($0.key) })
    else {
      throw SafelightError(
        .unsupported, "\(file) has a form in which it cannot be changed without losing something",
        remedy: "save it again with the program that wrote it")
    }
    self = edited
  }

  private mutating func apply(_ change: XMPChange) throws {
    let root = try XMLElement(parsing: bytes, file: file)
    guard let rdf = root.name == Self.rdf ? root : root.children.first(where: { $0.name == Self.rdf }) else {
      throw SafelightError(
        .corruptData, "\(file) is XML, but not XMP", remedy: "name an .xmp file or a photo that holds XMP")
    }
    let descriptions = rdf.children.filter { $0.name == Self.description }
    for description in descriptions {
      if let attribute = description.attributes.first(where: { $0.name == change.name }) {
        replace(attribute, by: change)
        return
      }
      if let element = description.children.first(where: { $0.name == change.name }) {
        replace(element, by: change)
        return
      }
    }
    guard case .text(let text)? = change.value else { return }
    // exiftool writes one for each namespace.
    let fitting = descriptions.first { Self.prefix(of: change.name.namespace, in: $0) != nil }
    guard let description = fitting ?? descriptions.first else {
      addDescription(to: rdf)
      return try apply(change)
    }
    add(change.name, text, to: description)
  }

  // MARK: Properties

  private mutating func replace(_ attribute: XMLElement.Attribute, by change: XMPChange) {
    switch change.value {
    case .text(let text)?: replace(attribute.valuePlace, by: Self.escaped(text))
    // No program writes a list as an attribute.
    case .list?, nil: replace(withSpaceBefore(attribute.place), by: "")
    }
  }

  private mutating func replace(_ element: XMLElement, by change: XMPChange) {
    guard let value = change.value else { return replace(withSpaceBefore(element.place), by: "") }
    let name = text(in: element.namePlace)
    let content: String
    switch value {
    case .text(let text): content = Self.escaped(text)
    case .list(let items):
      let prefix =
        Self.prefix(of: XMPProperties.rdf, in: element).map { $0.isEmpty ? "" : $0 + ":" } ?? "rdf:"
      let lines = items.map { "<\(prefix)li>\(Self.escaped($0))</\(prefix)li>" }.joined()
      content = items.isEmpty ? "<\(prefix)Seq/>" : "<\(prefix)Seq>\(lines)</\(prefix)Seq>"
    }
    if let place = element.contentPlace, element.attributes.isEmpty {
      replace(place, by: content)
    } else {
      // What qualifies the old value does not qualify the new one. Declarations of prefixes go with it.
      replace(element.place, by: "<\(name)\(declaration(of: name, in: element))>\(content)</\(name)>")
    }
  }

  /// The declaration that a name needs that is declared in its own element alone.
  private func declaration(of name: String, in element: XMLElement) -> String {
    let tag = text(in: element.namePlace.upperBound..<element.lastAttributePlace.upperBound)
    let prefix = name.split(separator: ":").count == 2 ? String(name.split(separator: ":")[0]) : ""
    let key = prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)"
    guard tag.contains(key), let namespace = element.namespaces[prefix] else { return "" }
    return " \(key)=\"\(Self.escaped(namespace))\""
  }

  private mutating func add(_ name: XMLName, _ value: String, to description: XMLElement) {
    var declaration: String?
    let prefix: String
    if let known = Self.prefix(of: name.namespace, in: description), !known.isEmpty {
      prefix = known
    } else {
      let usual = MarkProperty.prefixes[name.namespace] ?? "ns"
      // The usual prefix may stand for something else here; a packet declares 256 at most.
      let names = [usual] + (1...256).map { "\(usual)\($0)" }
      prefix = names.first { description.namespaces[$0] == nil } ?? usual
      declaration = "xmlns:\(prefix)=\"\(Self.escaped(name.namespace))\""
    }
    let last = description.lastAttributePlace
    // On lines of their own where others are.
    let space = last.isEmpty ? " " : text(in: withSpaceBefore(last).lowerBound..<last.lowerBound)
    let attributes = [declaration, "\(prefix):\(name.local)=\"\(Self.escaped(value))\""].compactMap { $0 }
    replace(last.upperBound..<last.upperBound, by: attributes.map { space + $0 }.joined())
  }

  private mutating func addDescription(to rdf: XMLElement) {
    let name = text(in: rdf.namePlace)
    let prefix = Self.prefix(of: XMPProperties.rdf, in: rdf) ?? "rdf"
    let own = prefix.isEmpty ? "Description" : "\(prefix):Description"
    // Without a prefix, attributes are in no namespace.
    let about = prefix.isEmpty ? "" : " \(prefix):about=\"\""
    if let content = rdf.contentPlace {
      replace(content.lowerBound..<content.lowerBound, by: "\n  <\(own)\(about)/>")
    } else {
      let tag = text(in: rdf.namePlace.lowerBound..<rdf.lastAttributePlace.upperBound)
      replace(rdf.place, by: "<\(tag)>\n  <\(own)\(about)/>\n </\(name)>")
    }
  }

  /// The prefix of a namespace: one with a name rather than the empty one; nil if none is declared.
  private static func prefix(of namespace: String, in element: XMLElement) -> String? {
    let known = element.namespaces.filter { $0.value == namespace }.map(\.key).sorted()
    return known.first { !$0.isEmpty } ?? known.first
  }

  // MARK: Bytes

  private func text(in place: Range<Int>) -> String { String(decoding: bytes[place], as: UTF8.self) }

  private func withSpaceBefore(_ place: Range<Int>) -> Range<Int> {
    var start = place.lowerBound
    while start > 0, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start - 1]) { start -= 1 }
    return start..<place.upperBound
  }

  private mutating func replace(_ place: Range<Int>, by text: String) {
    bytes.replaceSubrange(place, with: Array(text.utf8))
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
