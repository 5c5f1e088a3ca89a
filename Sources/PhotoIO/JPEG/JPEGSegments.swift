/// The segments of a JPEG, without decoding.
///
/// Source: ITU-T T.81, annex B.1 and B.2.
struct JPEGSegments {
  struct Segment {
    /// The second byte of the marker.
    let marker: UInt8
    /// What follows the length.
    let payload: Range<Int>
    /// The entropy-coded data that follow a scan's header; empty for other segments.
    let scan: Range<Int>
  }

  enum Marker {
    static let start: UInt8 = 0xD8
    static let end: UInt8 = 0xD9
    static let huffmanTables: UInt8 = 0xC4
    static let scan: UInt8 = 0xDA
    static let app0: UInt8 = 0xE0
    static let app1: UInt8 = 0xE1
    static let app2: UInt8 = 0xE2
    static let app14: UInt8 = 0xEE
    static let applications: ClosedRange<UInt8> = 0xE0...0xEF
  }

  /// From the first one after the start of the picture to the last one before its end.
  private(set) var segments: [Segment] = []

  /// Reads the segments of a JPEG. Stray bytes between segments, and what follows the end, belong to none. The
  /// end marker may be missing: many webcams leave it out.
  ///
  /// - Throws: `MetadataDamage` if it does not begin like a JPEG, if a segment goes beyond its end, or if
  ///   another picture begins within.
  init(_ bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == Marker.start else {
      throw MetadataDamage("it does not begin like a JPEG")
    }
    var position = 2
    while let (marker, next) = Self.marker(in: bytes, from: position) {
      position = next
      switch marker {
      case Marker.end: return
      case Marker.start: throw MetadataDamage("another picture begins within it")
      // TEM and restart markers have no length.
      case 0x01, 0xD0...0xD7: continue
      default: break
      }
      guard position + 2 <= bytes.count else { throw MetadataDamage("it ends within a segment") }
      let length = Int(bytes[position]) << 8 | Int(bytes[position + 1])
      guard length >= 2, position + length <= bytes.count else {
        throw MetadataDamage("a segment of \(length) bytes does not fit")
      }
      let payload = position + 2..<position + length
      position += length
      let scanEnd = marker == Marker.scan ? Self.endOfScan(in: bytes, from: position) : position
      segments.append(Segment(marker: marker, payload: payload, scan: position..<scanEnd))
      position = scanEnd
    }
  }

  /// Returns the next marker and the place behind it; nil if there is none.
  private static func marker(in bytes: UnsafeRawBufferPointer, from start: Int) -> (UInt8, Int)? {
    var position = start
    while position + 1 < bytes.count {
      // Any number of fill bytes precede a marker; 0 follows a byte of data.
      if bytes[position] == 0xFF, bytes[position + 1] != 0, bytes[position + 1] != 0xFF {
        return (bytes[position + 1], position + 2)
      }
      position += 1
    }
    return nil
  }

  /// Returns the place of the first marker that does not belong to the entropy-coded data; the end if there
  /// is none.
  private static func endOfScan(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position + 1 < bytes.count {
      guard bytes[position] == 0xFF else {
        position += 1
        continue
      }
      switch bytes[position + 1] {
      case 0, 0xD0...0xD7: position += 2
      // A fill byte: the marker that follows decides.
      case 0xFF: position += 1
      default: return position
      }
    }
    return bytes.count
  }
}
