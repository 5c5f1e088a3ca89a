/// Finds JPEG pictures among other bytes.
///
/// Source: ITU-T T.81, annex B.1 (markers and segments).
enum EmbeddedJPEG {
  /// Where pictures are, each from its first marker to its last, or to where the bytes end.
  ///
  /// - Parameter startsWhole: false takes also those whose first byte is another, as Minolta stores previews.
  static func ranges(in bytes: ArraySlice<UInt8>, startsWhole: Bool = true) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var position = bytes.startIndex
    while position + 1 < bytes.endIndex, let second = bytes[(position + 1)...].firstIndex(of: 0xD8) {
      let start = second - 1
      position = second
      guard !startsWhole || bytes[start] == 0xFF else { continue }
      // A quantization table, an application segment or a frame follows the start; other bytes are chance.
      guard start + 3 < bytes.endIndex, bytes[start + 1] == 0xD8, bytes[start + 2] == 0xFF,
        [0xC0, 0xC2, 0xC4, 0xDB, 0xFE].contains(bytes[start + 3]) || bytes[start + 3] & 0xF0 == 0xE0
      else { continue }
      let end = end(ofPictureAt: start, in: bytes)
      ranges.append(start..<end)
      position = end
    }
    return ranges
  }

  /// Segments say their length, so that a picture in a picture's metadata does not end it; what is coded does not.
  private static func end(ofPictureAt start: Int, in bytes: ArraySlice<UInt8>) -> Int {
    var position = start + 2
    while position + 1 < bytes.endIndex {
      guard bytes[position] == 0xFF else {
        position += 1
        continue
      }
      switch bytes[position + 1] {
      case 0xD9: return position + 2
      // Stuffing, fill bytes and restarts.
      case 0x00, 0xFF, 0x01, 0xD0...0xD8: position += bytes[position + 1] == 0xFF ? 1 : 2
      default:
        guard position + 3 < bytes.endIndex else { return bytes.endIndex }
        position += 2 + max(2, Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
      }
    }
    return bytes.endIndex
  }
}
