/// The name of an XML element or attribute: the namespace of its prefix, and the local name.
package struct XMLName: Sendable, Hashable {
  /// Empty if the name is in no namespace.
  package var namespace: String
  package var local: String

  package init(_ namespace: String, _ local: String) { (self.namespace, self.local) = (namespace, local) }
}

/// An XML element with its contents.
package struct XMLElement: Sendable {
  package struct Attribute: Sendable {
    package var name: XMLName
    package var value: String
    /// Where it stands in the text, from its name to the quote behind its value.
    package var place: Range<Int>
    /// Where its value stands, without the quotes.
    package var valuePlace: Range<Int>
  }

  package var name: XMLName
  /// In document order, without namespace declarations.
  package var attributes: [Attribute] = []
  package var children: [XMLElement] = []
  /// The character data directly in it.
  package var text = ""

  /// Where it stands in the bytes that were parsed, with its tags.
  package var place = 0..<0
  /// Where the name stands in its first tag.
  package var namePlace = 0..<0
  /// The last attribute of its first tag, which may be a declaration; empty, behind the name, if there is none.
  package var lastAttributePlace = 0..<0
  /// What is between its tags; nil for `<a/>`.
  package var contentPlace: Range<Int>?
  /// The namespaces of the prefixes that are declared here.
  package var namespaces: [String: String] = [:]

  package subscript(_ name: XMLName) -> String? { attributes.first { $0.name == name }?.value }

  /// Parses a document.
  ///
  /// Small and strict: XMP and tables of colours need only elements, attributes, text, comments, CDATA and processing
  /// instructions.
  /// Document types are refused, and with them all entities but XML's five predefined ones, so text can neither
  /// expand nor refer to files.
  /// Sources: XML 1.0 (fifth edition); Namespaces in XML 1.0 (third edition).
  ///
  /// - Parameters:
  ///   - text: UTF-8; a byte order mark is skipped.
  ///   - file: the file's name, for errors.
  ///   - limits: what the document may hold.
  /// - Throws: `SafelightError`; its text begins with `FILE:LINE:` if the document is malformed.
  package init(parsing text: [UInt8], file: String, limits: XMLLimits = .packet) throws {
    var parser = XMLParser(text, file: file, limits: limits)
    self = try parser.parse()
  }

  package init(name: XMLName) { self.name = name }
}

/// What a document may hold, and what to do about one that holds more.
package struct XMLLimits: Sendable {
  /// The maximum size of the text.
  package var bytes: Int
  /// The remedy for documents beyond a limit.
  package var remedy: String

  package init(bytes: Int, remedy: String) { (self.bytes, self.remedy) = (bytes, remedy) }

  /// Masks painted with a brush make XMP packets of several MiB.
  package static let packet = XMLLimits(bytes: 16 << 20, remedy: "save it without brush strokes")
}
