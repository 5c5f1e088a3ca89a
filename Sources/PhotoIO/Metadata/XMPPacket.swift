import FrameCore

/// Corrects the few properties of an XMP packet that an edit changes, as text, leaving the rest unchanged.
///
/// A property is written as an attribute (`tiff:Orientation="6"`) or as an element
/// (`<tiff:Orientation>6</tiff:Orientation>`); XMP specification part 1, section 7.
///
/// Every function takes time proportional to the packet's length, whatever its content.
struct XMPPacket {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func adapt(to size: PixelSize, colorSpace: PhotoMetadata.EditedColorSpace) {
    setNumber("tiff:Orientation", to: 1)
    setNumber("tiff:ImageWidth", to: size.width)
    setNumber("tiff:ImageLength", to: size.height)
    setNumber("exif:PixelXDimension", to: size.width)
    setNumber("exif:PixelYDimension", to: size.height)
    setNumber("exif:ColorSpace", to: colorSpace == .sRGB ? 1 : 65_535)
    for property in Self.pictures + Self.settings { removeProperties(property) }
  }

  /// Properties containing pictures of the photo before the edit: previews by Adobe's programs, under both
  /// prefixes they use, and the extra data of phone portraits (the unblurred original and its depth).
  private static let pictures = [
    "xmp:Thumbnails", "xap:Thumbnails", "xmpGImg:image", "xapGImg:image", "GImage:Data", "GDepth:Data",
  ]

  /// Name prefixes of properties that apply to the original file only: Adobe's develop settings, which would be
  /// applied twice, and declarations that a gain map (Adobe's, Google's or Apple's) or a video follows the
  /// picture.
  private static let settings = [
    "crs:", "hdrgm:", "HDRGainMap:", "Container:", "GContainer:", "GCamera:MicroVideo", "GCamera:MotionPhoto",
  ]

  /// Whether the bytes of a packet, or a part of one, mention something that an edit removes.
  static func holdsOutdated(_ bytes: [UInt8]) -> Bool {
    let packet = XMPPacket(bytes)
    return (pictures + settings).contains { packet.find(Array($0.utf8), from: 0) != nil }
  }

  /// Removes the reference to extended XMP.
  mutating func removeExtension() { removeProperties("xmpNote:HasExtendedXMP") }

  /// Removes the rights, when they are declared elsewhere.
  mutating func removeRights() { removeProperties("dc:rights") }

  /// Removes attributes and elements whose names begin with `prefix`.
  private mutating func removeProperties(_ prefix: String) {
    let name = Array(prefix.utf8)
    var edited: [UInt8] = []
    var copied = 0
    var position = 0
    // An element without an end tag has none later either; repeating the search would take quadratic time.
    var unclosed: Set<[UInt8]> = []
    while let found = find(name, from: position) {
      position = found + name.count
      let end = bytes[position...].firstIndex { !Self.isNameCharacter($0) } ?? bytes.count
      guard found > 0 else { continue }
      let range: Range<Int>?
      switch bytes[found - 1] {
      case 0x3C:
        let full = Array(bytes[found..<end])
        range = unclosed.contains(full) ? nil : elementRange(named: full, from: found - 1)
        if range == nil { unclosed.insert(full) }
      case 0x20, 0x09, 0x0A, 0x0D: range = attributeRange(from: found, nameEnd: end)
      default: range = nil
      }
      guard let range, range.lowerBound >= copied else { continue }
      edited += bytes[copied..<range.lowerBound]
      copied = range.upperBound
      position = copied
    }
    bytes = edited + bytes[copied...]
  }

  /// Removes attributes and elements by name, such as `photoshop:City`.
  ///
  /// - Parameter isRemoved: called for every word in the position of a name.
  /// - Returns: false if one of them has no end.
  mutating func removeProperties(named isRemoved: (ArraySlice<UInt8>) -> Bool) -> Bool {
    var edited: [UInt8] = []
    var copied = 0
    var position = 0
    while position < bytes.count {
      let isElement = bytes[position] == 0x3C
      guard isElement || Self.isSpace(bytes[position]) else {
        position += 1
        continue
      }
      let start = position + 1
      let end = bytes[start...].firstIndex { !Self.isNameCharacter($0) } ?? bytes.count
      position = max(end, start)
      guard end > start, isRemoved(bytes[start..<end]) else { continue }
      let range: Range<Int>
      if isElement {
        guard let found = elementRange(named: Array(bytes[start..<end]), from: start - 1) else {
          return false
        }
        range = found
      } else {
        guard isAttribute(nameEnd: end) else { continue }
        guard let found = attributeRange(from: start, nameEnd: end) else { return false }
        range = found
      }
      edited += bytes[copied..<range.lowerBound]
      copied = range.upperBound
      position = copied
    }
    bytes = edited + bytes[copied...]
    return true
  }

  /// Returns the attributes whose names begin with `start`, in order.
  func attributes(beginningWith start: String) -> [(name: String, value: String)] {
    let pattern = Array(start.utf8)
    var found: [(name: String, value: String)] = []
    var position = 0
    while let start = find(pattern, from: position) {
      position = start + pattern.count
      guard start > 0, Self.isSpace(bytes[start - 1]) else { continue }
      let end = bytes[position...].firstIndex { !Self.isNameCharacter($0) } ?? bytes.count
      guard let range = attributeRange(from: start, nameEnd: end),
        let quote = bytes[end..<range.upperBound].firstIndex(where: { $0 == 0x22 || $0 == 0x27 })
      else { continue }
      found.append(
        (
          String(decoding: bytes[start..<end], as: UTF8.self),
          String(decoding: bytes[quote + 1..<range.upperBound - 1], as: UTF8.self)
        ))
      position = range.upperBound
    }
    return found
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  /// Whether a word is followed by `=` and a quotation mark, and is thus an attribute rather than text.
  private func isAttribute(nameEnd: Int) -> Bool {
    let equals = skippingSpace(nameEnd)
    guard equals < bytes.count, bytes[equals] == 0x3D else { return false }
    let quote = skippingSpace(equals + 1)
    return quote < bytes.count && (bytes[quote] == 0x22 || bytes[quote] == 0x27)
  }

  private static func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x3A: true
    default: byte >= 0x80
    }
  }

  /// Returns the range from `<name` to the end of its `</name>` or `/>`; elements of the same name may be nested.
  private func elementRange(named name: [UInt8], from start: Int) -> Range<Int>? {
    var depth = 0
    var position = start
    // Each match is a tag's name, just after its `<` or `</`.
    while let found = find(name, from: position) {
      position = found + name.count
      let isOpening = bytes[..<found].last == 0x3C
      let isClosing = bytes[..<found].suffix(2).elementsEqual([0x3C, 0x2F])
      guard isOpening || isClosing, position < bytes.count, !Self.isNameCharacter(bytes[position]) else {
        continue
      }
      guard let close = bytes[position...].firstIndex(of: 0x3E) else { return nil }
      if isClosing {
        depth -= 1
      } else if bytes[close - 1] != 0x2F {
        depth += 1
      }
      if depth <= 0 { return start..<close + 1 }
      position = close
    }
    return nil
  }

  /// Returns the range from an attribute's name to its closing quotation mark.
  private func attributeRange(from start: Int, nameEnd: Int) -> Range<Int>? {
    let equals = skippingSpace(nameEnd)
    guard equals < bytes.count, bytes[equals] == 0x3D else { return nil }
    let quote = skippingSpace(equals + 1)
    guard quote < bytes.count, bytes[quote] == 0x22 || bytes[quote] == 0x27,
      let end = bytes[(quote + 1)...].firstIndex(of: bytes[quote])
    else { return nil }
    return start..<end + 1
  }

  /// Replaces the whole number that is the value of `property`, wherever it occurs.
  private mutating func setNumber(_ property: String, to value: Int) {
    replace(property) { text in
      !text.isEmpty && text.allSatisfy { (0x30...0x39).contains($0) } ? Array(String(value).utf8) : nil
    }
  }

  /// Returns the decimal value of `property`, as an attribute or an element; nil if there is none.
  func number(_ property: String) -> Double? {
    let name = Array(property.utf8)
    var position = 0
    while let found = find(name, from: position) {
      position = found + name.count
      guard found > 0, let text = value(after: position, isElement: bytes[found - 1] == 0x3C) else {
        continue
      }
      // A number of reasonable length; `Double` accepts a sign but no spaces.
      guard text.count <= 40, let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite
      else { continue }
      return number
    }
    return nil
  }

  /// Empties the value of `property` wherever it occurs.
  mutating func clear(_ property: String) { replace(property) { _ in [] } }

  /// Replaces the value of `property`, as an attribute or an element, wherever it occurs; nil keeps it.
  private mutating func replace(_ property: String, by replacement: (ArraySlice<UInt8>) -> [UInt8]?) {
    let name = Array(property.utf8)
    var edited: [UInt8] = []
    var copied = 0
    var position = 0
    while let found = find(name, from: position) {
      position = found + name.count
      guard found > 0, let text = value(after: position, isElement: bytes[found - 1] == 0x3C),
        let new = replacement(text)
      else { continue }
      edited += bytes[copied..<text.startIndex] + new
      copied = text.endIndex
      position = copied
    }
    bytes = edited + bytes[copied...]
  }

  /// Returns the trimmed value after a property's name, between its quotes or tags.
  private func value(after position: Int, isElement: Bool) -> ArraySlice<UInt8>? {
    var start = skippingSpace(position)
    guard start < bytes.count, bytes[start] == (isElement ? 0x3E : 0x3D) else { return nil }  // > or =
    var end: UInt8 = 0x3C  // <
    if !isElement {
      start = skippingSpace(start + 1)
      guard start < bytes.count, bytes[start] == 0x22 || bytes[start] == 0x27 else { return nil }
      end = bytes[start]
    }
    let first = skippingSpace(start + 1)
    guard first < bytes.count, let last = bytes[first...].firstIndex(of: end) else { return nil }
    let text = bytes[first..<last]
    guard let closing = text.lastIndex(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) else { return nil }
    return text[...closing]
  }

  private func skippingSpace(_ position: Int) -> Int {
    guard position < bytes.count else { return bytes.count }
    return bytes[position...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
  }

  private func find(_ pattern: [UInt8], from start: Int) -> Int? {
    guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
    let lastStart = bytes.count - pattern.count
    var position = start
    while position <= lastStart, let hit = bytes[position...lastStart].firstIndex(of: first) {
      if bytes[hit..<hit + pattern.count].elementsEqual(pattern) { return hit }
      position = hit + 1
    }
    return nil
  }
}
