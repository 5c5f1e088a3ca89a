import FrameCore

/// The name of an XML element or attribute: the namespace of its prefix, and the local name.
struct XMLName: Sendable, Hashable {
  /// Empty if the name is in no namespace.
  var namespace: String
  var local: String

  init(_ namespace: String, _ local: String) { (self.namespace, self.local) = (namespace, local) }
}

/// An XML element with its contents.
struct XMLElement: Sendable {
  struct Attribute: Sendable {
    var name: XMLName
    var value: String
    /// Where it stands in the text, from its name to the quote behind its value.
    var place: Range<Int>
    /// Where its value stands, without the quotes.
    var valuePlace: Range<Int>
  }

  var name: XMLName
  /// In document order, without namespace declarations.
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// The character data directly in it.
  var text = ""

  /// Where it stands in the bytes that were parsed, with its tags.
  var place = 0..<0
  /// Where the name stands in its first tag.
  var namePlace = 0..<0
  /// The last attribute of its first tag, which may be a declaration; empty, behind the name, if there is none.
  var lastAttributePlace = 0..<0
  /// What is between its tags; nil for `<a/>`.
  var contentPlace: Range<Int>?
  /// The namespaces of the prefixes that are declared here.
  var namespaces: [String: String] = [:]

  subscript(_ name: XMLName) -> String? { attributes.first { $0.name == name }?.value }

  /// Parses a document.
  ///
  /// Small and strict: XMP needs only elements, attributes, text, comments, CDATA and processing instructions.
  /// Document types are refused, and with them all entities but XML's five predefined ones, so text can neither
  /// expand nor refer to files.
  /// Sources: XML 1.0 (fifth edition); Namespaces in XML 1.0 (third edition).
  ///
  /// - Parameters:
  ///   - text: UTF-8; a byte order mark is skipped.
  ///   - file: the file's name, for errors.
  /// - Throws: `SafelightError`; its text begins with `FILE:LINE:` if the document is malformed.
  init(parsing text: [UInt8], file: String) throws {
    var parser = XMLParser(text, file: file)
    self = try parser.parse()
  }

  init(name: XMLName) { self.name = name }
}
