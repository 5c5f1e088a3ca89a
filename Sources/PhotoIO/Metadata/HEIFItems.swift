/// The items of a HEIF file: the `meta` box of HEIC and AVIF, parsed and rebuilt.
///
/// Source: ISO/IEC 14496-12, sections 8.11.1 (meta), 8.11.3 (iloc), 8.11.4 (pitm), 8.11.6 (iinf), 8.11.12 (iref);
/// ISO/IEC 23008-12, section 9.3 (iprp, ipco, ipma).
struct HEIFItems {
  struct Item {
    var id: Int
    /// Four characters, such as `hvc1`, `Exif` or `mime`.
    var type: String
    /// The whole `infe` box.
    var box: [UInt8]
  }

  struct Location {
    enum Place: Int {
      case file = 0
      /// In the `idat` box.
      case metaBox = 1
      case item = 2
    }
    var id: Int
    var place: Place
    /// 0 denotes this file.
    var dataReference: Int
    var extents: [(offset: Int, length: Int)]
  }

  struct Reference {
    var type: String
    var from: Int
    var to: [Int]
  }

  struct Association {
    var id: Int
    /// Property numbers, from 1; 0 denotes none.
    var properties: [(isEssential: Bool, number: Int)]
  }

  var primary = 0
  var items: [Item] = []
  var locations: [Location] = []
  var references: [Reference] = []
  /// Whole boxes.
  var properties: [[UInt8]] = []
  var associations: [Association] = []
  /// Boxes that are not parsed, whole.
  private var others: [[UInt8]] = []

  /// - Parameter content: the content of a `meta` box, starting at its version.
  /// - Throws: `MetadataDamage` if a box is damaged or truncated.
  init(_ content: [UInt8]) throws {
    guard content.count >= 4 else { throw MetadataDamage("the meta box is empty") }
    for box in try ISOBox.boxes(in: content, 4..<content.count) {
      var reader = BigEndianReader(content[box.content])
      let isRead: Bool
      switch box.type {
      case "pitm": isRead = read(primaryIn: &reader)
      case "iinf": isRead = try read(itemsIn: content, box, &reader)
      case "iloc": isRead = read(locationsIn: &reader)
      case "iref": isRead = try read(referencesIn: content, box, &reader)
      case "iprp": isRead = try read(propertiesIn: content, box)
      default:
        others.append(Array(content[box.range]))
        isRead = true
      }
      guard isRead else { throw MetadataDamage("the \(box.type) box ends early or is of an unknown kind") }
    }
  }

  // MARK: - Reading

  private mutating func read(primaryIn reader: inout BigEndianReader) -> Bool {
    guard let version = reader.integer(1), reader.bytes(3) != nil,
      let id = reader.integer(version == 0 ? 2 : 4)
    else { return false }
    primary = id
    return true
  }

  private mutating func read(itemsIn bytes: [UInt8], _ box: ISOBox, _ reader: inout BigEndianReader) throws
    -> Bool
  {
    guard let version = reader.integer(1), reader.bytes(3) != nil, reader.integer(version == 0 ? 2 : 4) != nil
    else { return false }
    let start = box.content.lowerBound + reader.position
    for entry in try ISOBox.boxes(in: bytes, start..<box.content.upperBound) where entry.type == "infe" {
      var reader = BigEndianReader(bytes[entry.content])
      guard let version = reader.integer(1), version >= 2, reader.bytes(3) != nil,
        let id = reader.integer(version == 2 ? 2 : 4), reader.bytes(2) != nil, let type = reader.bytes(4)
      else { return false }
      items.append(Item(id: id, type: String(decoding: type, as: UTF8.self), box: Array(bytes[entry.range])))
    }
    return true
  }

  private mutating func read(locationsIn reader: inout BigEndianReader) -> Bool {
    guard let version = reader.integer(1), version <= 2, reader.bytes(3) != nil,
      let sizes = reader.integer(2),
      let count = reader.integer(version == 2 ? 4 : 2)
    else { return false }
    let offsetSize = sizes >> 12, lengthSize = sizes >> 8 & 15, baseSize = sizes >> 4 & 15
    let indexSize = version == 0 ? 0 : sizes & 15
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy([0, 4, 8].contains) else { return false }
    for _ in 0..<count {
      guard let id = reader.integer(version == 2 ? 4 : 2), let method = version == 0 ? 0 : reader.integer(2),
        let place = Location.Place(rawValue: method & 15), let dataReference = reader.integer(2),
        let base = reader.integer(baseSize), let extentCount = reader.integer(2)
      else { return false }
      // An extent without numbers covers the whole file; several of them would only cost time.
      guard extentCount <= 1 || offsetSize + lengthSize > 0 else { return false }
      var location = Location(id: id, place: place, dataReference: dataReference, extents: [])
      for _ in 0..<extentCount {
        // The index is used only by items constructed from items.
        guard reader.integer(indexSize) != nil, let offset = reader.integer(offsetSize),
          let length = reader.integer(lengthSize),
          case let (start, overflow) = base.addingReportingOverflow(offset),
          !overflow
        else { return false }
        location.extents.append((start, length))
      }
      locations.append(location)
    }
    return true
  }

  private mutating func read(referencesIn bytes: [UInt8], _ box: ISOBox, _ reader: inout BigEndianReader)
    throws
    -> Bool
  {
    guard let version = reader.integer(1), reader.bytes(3) != nil else { return false }
    let idSize = version == 0 ? 2 : 4
    for entry in try ISOBox.boxes(in: bytes, box.content.lowerBound + 4..<box.content.upperBound) {
      var reader = BigEndianReader(bytes[entry.content])
      guard let from = reader.integer(idSize), let count = reader.integer(2) else { return false }
      var reference = Reference(type: entry.type, from: from, to: [])
      for _ in 0..<count {
        guard let id = reader.integer(idSize) else { return false }
        reference.to.append(id)
      }
      references.append(reference)
    }
    return true
  }

  private mutating func read(propertiesIn bytes: [UInt8], _ box: ISOBox) throws -> Bool {
    for part in try ISOBox.boxes(in: bytes, box.content) {
      if part.type == "ipco" {
        properties += try ISOBox.boxes(in: bytes, part.content).map { Array(bytes[$0.range]) }
      } else if part.type == "ipma" {
        var reader = BigEndianReader(bytes[part.content])
        guard let version = reader.integer(1), let flags = reader.integer(3), let count = reader.integer(4)
        else { return false }
        for _ in 0..<count {
          guard let id = reader.integer(version == 0 ? 2 : 4), let number = reader.integer(1) else {
            return false
          }
          var association = Association(id: id, properties: [])
          for _ in 0..<number {
            let isLong = flags & 1 == 1
            guard let value = reader.integer(isLong ? 2 : 1) else { return false }
            let mask = isLong ? 0x8000 : 0x80
            association.properties.append((value & mask != 0, value & ~mask))
          }
          associations.append(association)
        }
      }
    }
    return true
  }

  // MARK: - Writing

  /// Returns the whole `meta` box.
  ///
  /// - Throws: `MetadataDamage` if a number does not fit its field.
  func box() throws -> [UInt8] {
    let ids = items.map(\.id) + locations.map(\.id)
    let offsets = locations.flatMap(\.extents).flatMap { [$0.offset, $0.length] }
    guard ids.allSatisfy({ $0 <= 0xFFFF }), offsets.allSatisfy({ $0 <= 0xFFFF_FFFF }) else {
      throw MetadataDamage("it has too many items or is too long")
    }
    func short(_ value: Int) -> [UInt8] { BigEndian.bytes(value, 2) }
    func long(_ value: Int) -> [UInt8] { BigEndian.bytes(value, 4) }

    var locationTable: [UInt8] = []
    for location in locations {
      locationTable += short(location.id)
      locationTable += short(location.place.rawValue)
      locationTable += short(location.dataReference)
      locationTable += short(location.extents.count)
      for extent in location.extents { locationTable += long(extent.offset) + long(extent.length) }
    }
    var associationTable: [UInt8] = []
    for association in associations {
      associationTable += short(association.id)
      associationTable.append(UInt8(truncatingIfNeeded: association.properties.count))
      for (isEssential, number) in association.properties {
        associationTable += short((isEssential ? 0x8000 : 0) | number)
      }
    }
    var referenceBoxes: [UInt8] = []
    for reference in references {
      let ids = [reference.from, reference.to.count] + reference.to
      referenceBoxes += ISOBox.make(reference.type, ids.flatMap(short))
    }
    // The handler, which is among the others, must come first.
    var content = others.flatMap { $0 }
    content += ISOBox.make("pitm", version: 0, short(primary))
    content += ISOBox.make("iloc", version: 1, short(0x4400) + short(locations.count) + locationTable)
    content += ISOBox.make("iinf", version: 0, short(items.count) + items.flatMap(\.box))
    content += ISOBox.make(
      "iprp",
      ISOBox.make("ipco", properties.flatMap { $0 })
        + ISOBox.make("ipma", version: 0, flags: 1, long(associations.count) + associationTable))
    if !references.isEmpty { content += ISOBox.make("iref", version: 0, referenceBoxes) }
    return ISOBox.make("meta", version: 0, content)
  }
}
