import FrameCore

/// The name of an XML element or attribute: what its prefix stands for, and the name behind it.
struct XMLName: Sendable, Hashable {
  /// Empty where the name is in no namespace.
  var namespace: String
  var local: String

  init(_ namespace: String, _ local: String) { (self.namespace, self.local) = (namespace, local) }
}

/// An XML element with all that is in it.
struct XMLElement: Sendable {
  struct Attribute: Sendable {
    var name: XMLName
    var value: String
  }

  var name: XMLName
  /// In the order of the text, without declarations of namespaces.
  var attributes: [Attribute] = []
  var children: [XMLElement] = []
  /// The character data directly in it.
  var text = ""

  subscript(_ name: XMLName) -> String? { attributes.first { $0.name == name }?.value }

  /// Parses a document.
  ///
  /// Small and strict: XMP needs no more than elements, attributes, text, comments, CDATA and processing instructions.
  /// Document types are refused, and with them all entities but XML's own five; so no text can grow, or name files.
  /// Sources: XML 1.0 (fifth edition); Namespaces in XML 1.0 (third edition).
  ///
  /// - Parameters:
  ///   - text: UTF-8; a byte order mark is skipped.
  ///   - file: its name, for errors.
  /// - Throws: `SafelightError`, whose text begins with `FILE:LINE:` where the text is damaged.
  init(parsing text: [UInt8], file: String) throws {
    var parser = XMLParser(text, file: file)
    self = try parser.parse()
  }

  init(name: XMLName) { self.name = name }
}
