/// Finds JPEG pictures among other bytes.
///
/// Source: ITU-T T.81, annex B.1 (markers and segments).
enum EmbeddedJPEG {
  /// Returns the ranges of pictures, each from its first marker to its last, or to the end of the bytes.
  ///
  /// - Parameter startsWhole: false also accepts pictures whose first byte was replaced, as in Minolta's previews.
  static func ranges(in bytes: ArraySlice<UInt8>, startsWhole: Bool = true) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var position = bytes.startIndex
    while position + 1 < bytes.endIndex, let second = bytes[(position + 1)...].firstIndex(of: 0xD8) {
      let start = second - 1
      position = second
      guard !startsWhole || bytes[start] == 0xFF else { continue }
      // The start is followed by a quantization table, an application segment or a frame; anything else is
      // coincidence.
      guard start + 3 < bytes.endIndex, bytes[start + 1] == 0xD8, bytes[start + 2] == 0xFF,
        [0xC0, 0xC2, 0xC4, 0xDB, 0xFE].contains(bytes[start + 3]) || bytes[start + 3] & 0xF0 == 0xE0
      else { continue }
      let end = end(ofPictureAt: start, in: bytes)
      ranges.append(start..<end)
      position = end
    }
    return ranges
  }

  /// Segments have a length, so that a picture within the metadata does not end the outer one; coded data have
  /// none.
  private static func end(ofPictureAt start: Int, in bytes: ArraySlice<UInt8>) -> Int {
    var position = start + 2
    while position + 1 < bytes.endIndex {
      guard bytes[position] == 0xFF else {
        position += 1
        continue
      }
      switch bytes[position + 1] {
      case 0xD9: return position + 2
      // Stuffing, fill bytes and restart markers.
      case 0x00, 0xFF, 0x01, 0xD0...0xD8: position += bytes[position + 1] == 0xFF ? 1 : 2
      default:
        guard position + 3 < bytes.endIndex else { return bytes.endIndex }
        position += 2 + max(2, Int(bytes[position + 2]) << 8 | Int(bytes[position + 3]))
      }
    }
    return bytes.endIndex
  }
}
