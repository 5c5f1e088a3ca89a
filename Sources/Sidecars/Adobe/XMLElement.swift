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
  }

  var name: XMLName
  /// In document order, without namespace declarations.
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// The character data directly in it.
  var text = ""

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
