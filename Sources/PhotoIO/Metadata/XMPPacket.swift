import FrameCore

/// Corrects the few properties of an XMP packet that an edit changes, as text, leaving the rest as it is.
///
/// A property is written as an attribute (`tiff:Orientation="6"`) or as an element
/// (`<tiff:Orientation>6</tiff:Orientation>`); XMP specification part 1, section 7.
///
/// Every function takes time in proportion to the packet's length, whatever is in it.
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
    removeElement("xmp:Thumbnails")
  }

  /// Replaces the whole number that stands for `property`, wherever it does.
  private mutating func setNumber(_ property: String, to value: Int) {
    replace(property) { text in
      !text.isEmpty && text.allSatisfy { (0x30...0x39).contains($0) } ? Array(String(value).utf8) : nil
    }
  }

  /// The decimal number that stands for `property`, as an attribute or an element; nil where there is none.
  func number(_ property: String) -> Double? {
    let name = Array(property.utf8)
    var position = 0
    while let found = find(name, from: position) {
      position = found + name.count
      guard found > 0, let text = value(after: position, isElement: bytes[found - 1] == 0x3C) else {
        continue
      }
      // A number of any sensible length; `Double` takes a sign, and no spaces.
      guard text.count <= 40, let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite
      else { continue }
      return number
    }
    return nil
  }

  /// Leaves nothing between the quotes or tags of `property`, wherever it is.
  mutating func clear(_ property: String) { replace(property) { _ in [] } }

  /// Replaces what stands for `property`, as an attribute or an element, wherever it does; nil leaves it.
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

  /// What stands between the quotes or tags after a property's name, without the space around it.
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

  /// Removes an element and what is in it; Photoshop and Lightroom put previews there.
  ///
  /// Ends at the first one that is not closed: no later one is.
  private mutating func removeElement(_ name: String) {
    let opening = Array("<\(name)>".utf8)
    let closing = Array("</\(name)>".utf8)
    var edited: [UInt8] = []
    var copied = 0
    while let start = find(opening, from: copied), let end = find(closing, from: start) {
      edited += bytes[copied..<start]
      copied = end + closing.count
    }
    bytes = edited + bytes[copied...]
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
