import FrameCore

/// The properties of an XMP packet, by namespace and name.
///
/// A property is written as an attribute of `rdf:Description` or as an element in it; the same applies to
/// structures.
/// Source: XMP specification part 1, section 7 and annex C.
struct XMPProperties: Sendable {
  enum Value: Sendable, Hashable {
    case text(String)
    /// A Seq, Bag or Alt of texts.
    case list([String])
    /// A Seq, Bag or Alt with items that have fields; those that are texts have none.
    case structures([[String: Value]])
    /// The text fields; fields that are lists or structures are omitted.
    case structure([String: String])
  }

  private(set) var values: [XMLName: Value] = [:]

  /// Masks painted with a brush, and years of history, make packets of several MiB.
  static let limits = XMLLimits(
    bytes: XMLLimits.packet.bytes, remedy: "save it without brush strokes and without its history")

  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  /// Of `xml:lang`, which belongs to no structure.
  private static let xml = "http://www.w3.org/XML/1998/namespace"
  private static let description = XMLName(rdf, "Description")
  private static let rdfItem = XMLName(rdf, "li")
  private static let lists = Set(["Seq", "Bag", "Alt"].map { XMLName(rdf, $0) })

  /// - Parameters:
  ///   - file: the name of the file that the packet is in, for errors.
  ///   - repeatable: properties that may be given twice, of which the later one counts.
  /// - Throws: `SafelightError` if the packet is damaged or is not XMP.
  init(packet: [UInt8], file: String, repeatable: Set<XMLName> = []) throws {
    let root = try XMLElement(parsing: packet, file: file, limits: Self.limits)
    let name = XMLName(Self.rdf, "RDF")
    guard let rdf = root.name == name ? root : root.children.first(where: { $0.name == name }) else {
      throw SafelightError(
        .corruptData, "\(file) is XML, but not XMP", remedy: "name an .xmp file or a photo that holds XMP")
    }
    for description in rdf.children where description.name == Self.description {
      for (name, value) in Self.fields(of: description) {
        guard values.updateValue(value, forKey: name) == nil || repeatable.contains(name) else {
          throw SafelightError(
            .corruptData, "\(file): the XMP property “\(name.local)” is given twice",
            remedy: "save it again with the program that wrote it")
        }
      }
    }
  }

  /// Adds the properties of another part of the same packet; existing ones are kept.
  mutating func merge(_ other: XMPProperties) { values.merge(other.values) { old, _ in old } }

  private static func fields(of element: XMLElement) -> [(XMLName, Value)] {
    element.attributes
      .filter { $0.name.namespace != rdf && $0.name.namespace != xml && !$0.name.namespace.isEmpty }
      .map { ($0.name, .text($0.value)) }
      + element.children.map { ($0.name, value(of: $0)) }
  }

  private static func value(of property: XMLElement) -> Value {
    guard let child = property.children.first else {
      let fields = fields(of: property)
      return fields.isEmpty ? .text(trimmed(property.text)) : .structure(texts(of: fields))
    }
    if lists.contains(child.name) {
      let items = child.children.filter { $0.name == rdfItem }
      let structures = items.map(structure)
      guard structures.allSatisfy(\.isEmpty) else { return .structures(structures) }
      return .list(items.map { $0.children.isEmpty ? trimmed($0.text) : "" })
    }
    // A structure is a nested Description, or contains its fields directly (parseType="Resource").
    return .structure(texts(of: fields(of: child.name == description ? child : property)))
  }

  /// The fields of an item, whether they are its attributes, its elements or those of a Description in it.
  private static func structure(_ item: XMLElement) -> [String: Value] {
    let inner = item.children.first { $0.name == description }
    return Dictionary(
      (fields(of: item) + (inner.map(fields) ?? [])).filter { $0.0 != description }.map { ($0.0.local, $0.1) }
    ) {
      first, _ in first
    }
  }

  private static func texts(of fields: [(XMLName, Value)]) -> [String: String] {
    var texts: [String: String] = [:]
    for case (let name, .text(let text)) in fields { texts[name.local] = text }
    return texts
  }

  private static func trimmed(_ text: String) -> String {
    func isSpace(_ character: Unicode.Scalar) -> Bool { character.value <= 0x20 }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}
