import FrameCore

/// Completes HEIC and AVIF files written by libvips, and reads what libvips does not report about others.
///
/// libvips passes EXIF through libexif, which rewrites it and breaks maker notes, invents EXIF if there is none,
/// and declares little or nothing about the colours.
enum HEIFContainer {
  /// Returns the file with the given EXIF and XMP in place of its own, and with its colours declared.
  ///
  /// - Parameter hasProfile: whether an ICC profile describes the colours; otherwise they are sRGB.
  /// - Throws: `MetadataDamage` if the file does not have the expected structure.
  static func adding(_ metadata: PhotoMetadata, to file: UnsafeRawBufferPointer, hasProfile: Bool) throws
    -> [UInt8]
  {
    let bytes = Array(file)
    let boxes = try ISOBox.boxes(in: bytes, 0..<bytes.count)
    guard let meta = boxes.first(where: { $0.type == "meta" }) else {
      throw MetadataDamage("there is no meta box")
    }
    var items = try HEIFItems(Array(bytes[meta.content]))
    items.removeMetadata()
    items.setColor(hasProfile: hasProfile)
    let body = try trimmed(bytes, boxes, to: items)

    var data: [UInt8] = []
    var added: [Int] = []
    func add(_ type: String, _ contentType: String, _ payload: [UInt8]) {
      let id = (items.items.map(\.id).max() ?? 0) + 1
      let entry =
        BigEndian.bytes(id, 2) + [0, 0] + Array(type.utf8) + [0]
        + (contentType.isEmpty ? [] : Array(contentType.utf8) + [0])
      // Flag 1: hidden, not for display.
      items.items.append(.init(id: id, type: type, box: ISOBox.make("infe", version: 2, flags: 1, entry)))
      items.references.append(.init(type: "cdsc", from: id, to: [items.primary]))
      items.locations.append(
        .init(id: id, place: .file, dataReference: 0, extents: [(data.count, payload.count)]))
      added.append(id)
      data += payload
    }
    // ISO/IEC 23008-12, annex A.2: four bytes give the offset of the byte order mark in the block.
    if let exif = metadata.exif { add("Exif", "", [0, 0, 0, 0] + exif) }
    if let xmp = metadata.xmp { add("mime", "application/rdf+xml", xmp) }

    // Locations shift by the growth of the box that stores them, but its length does not depend on their values.
    let growth = try items.box().count - meta.range.count
    let dataStart = meta.range.upperBound + body.count + growth + 8
    for index in items.locations.indices where items.locations[index].place == .file {
      let isAdded = added.contains(items.locations[index].id)
      for extent in items.locations[index].extents.indices {
        if isAdded {
          items.locations[index].extents[extent].offset += dataStart
        } else if items.locations[index].extents[extent].offset >= meta.range.upperBound {
          items.locations[index].extents[extent].offset += growth
        }
      }
    }
    let result = bytes[..<meta.range.lowerBound] + (try items.box()) + body
    return data.isEmpty ? Array(result) : result + ISOBox.make("mdat", data)
  }

  /// Returns what follows the `meta` box, without the data of removed items if they are at the end of the file.
  private static func trimmed(_ bytes: [UInt8], _ boxes: [ISOBox], to items: HEIFItems) throws -> [UInt8] {
    guard let meta = boxes.first(where: { $0.type == "meta" }), let last = boxes.last,
      meta.range.upperBound <= last.range.lowerBound
    else { throw MetadataDamage("the data come before the meta box") }
    let ends = items.locations.filter { $0.place == .file }.flatMap(\.extents).map { $0.offset + $0.length }
    let end = ends.max() ?? 0
    // Expect a length of four bytes, as in all files below 4 GiB.
    guard last.type == "mdat", last.content.lowerBound == last.range.lowerBound + 8,
      last.content.contains(end)
    else {
      return Array(bytes[meta.range.upperBound...])
    }
    return bytes[meta.range.upperBound..<last.range.lowerBound]
      + ISOBox.make("mdat", Array(bytes[last.content.lowerBound..<end]))
  }

  /// Whether a file contains a picture sequence besides the picture that is read.
  static func isSequence(_ file: InputFile) throws -> Bool {
    var found = false
    try ISOBox.forEach(in: file) { box in
      found = box.type == "moov"
      return !found
    }
    return found
  }

  /// Returns the code points in the `colr` box of the primary picture; nil if there are none, or if the file
  /// cannot be followed, which the decoder reports.
  static func codePoints(of file: InputFile) -> (primaries: Int, transfer: Int)? {
    var found: ISOBox?
    try? ISOBox.forEach(in: file) { box in
      if box.type == "meta" { found = box }
      return found == nil
    }
    // Cameras that store hundreds of tiles need some tens of kilobytes.
    guard let found, found.content.count <= 1 << 24,
      let content = try? file.bytes(found.content.count, at: found.content.lowerBound),
      let items = try? HEIFItems(content)
    else { return nil }
    return items.codePoints
  }
}

extension HEIFItems {
  /// The `colr` box type for code points: `nclx`, primaries, transfer, matrix, full range.
  private static let codePointType = Array("nclx".utf8)

  /// The code points of the primary picture.
  fileprivate var codePoints: (primaries: Int, transfer: Int)? {
    let numbers = associations.filter { $0.id == primary }.flatMap { $0.properties.map(\.number) }
    for number in numbers where properties.indices.contains(number - 1) {
      var reader = BigEndianReader(properties[number - 1])
      guard reader.integer(4) != nil, reader.bytes(4).map(Array.init) == Array("colr".utf8),
        reader.bytes(4).map(Array.init) == Self.codePointType, let primaries = reader.integer(2),
        let transfer = reader.integer(2)
      else { continue }
      return (primaries, transfer)
    }
    return nil
  }

  /// Removes the items that contain EXIF, XMP and other text.
  fileprivate mutating func removeMetadata() {
    let removed = Set(items.filter { $0.type == "Exif" || $0.type == "mime" }.map(\.id))
    items.removeAll { removed.contains($0.id) }
    locations.removeAll { removed.contains($0.id) }
    references.removeAll { removed.contains($0.from) }
    associations.removeAll { removed.contains($0.id) }
  }

  /// Declares the colours of the pictures: sRGB, or those of the ICC profile, stored as full-range BT.601 Y′CbCr,
  /// as libheif does. Readers that find no declaration, or `unspecified`, guess.
  ///
  /// The profile is declared as unrestricted: libvips declares it as restricted, which it need not be.
  fileprivate mutating func setColor(hasProfile: Bool) {
    let meaning = (hasProfile ? [2, 2] : [1, 13]).flatMap { BigEndian.bytes($0, 2) }
    // Matrix 6, full range.
    var colr = ISOBox.make("colr", Self.codePointType + meaning + [0, 6, 0x80])
    let isAlpha = properties.map { $0.dropFirst(4).starts(with: "auxC".utf8) }
    for index in properties.indices where properties[index].dropFirst(4).starts(with: "colr".utf8) {
      let kind = properties[index].dropFirst(8).prefix(4)
      if kind.elementsEqual(Self.codePointType) {
        // Keep the matrix and range, which describe how the samples are stored.
        if properties[index].count == colr.count { properties[index].replaceSubrange(12..<16, with: meaning) }
        colr = properties[index]
      } else if kind.elementsEqual("rICC".utf8) {
        properties[index].replaceSubrange(8..<12, with: "prof".utf8)
      }
    }
    let known = properties.firstIndex(of: colr)
    if known == nil { properties.append(colr) }
    let number = (known ?? properties.count - 1) + 1
    let pictures = Set(items.map(\.id)).subtracting(
      associations.filter {
        $0.properties.contains { isAlpha.indices.contains($0.number - 1) && isAlpha[$0.number - 1] }
      }
      .map(\.id))
    for index in associations.indices where pictures.contains(associations[index].id) {
      guard !associations[index].properties.contains(where: { $0.number == number }) else { continue }
      // Descriptive properties precede transformative ones; libheif writes none of the latter.
      associations[index].properties.append((false, number))
    }
  }
}
