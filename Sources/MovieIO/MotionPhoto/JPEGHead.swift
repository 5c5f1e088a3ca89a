import FrameCore

/// The segments of a JPEG before its picture data, where metadata are.
///
/// Source: ITU-T T.81, annex B.1; EXIF 2.32, section 4.7; XMP specification part 3, section 1.1.3.
struct JPEGHead {
  struct Segment {
    /// The second byte of the marker.
    let marker: UInt8
    /// With the marker and the length.
    let range: Range<Int>
    let payload: Range<Int>
  }

  static let exifSignature = Array("Exif\0\0".utf8)
  static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let app0: UInt8 = 0xE0
  private static let app1: UInt8 = 0xE1
  private static let scan: UInt8 = 0xDA
  /// A segment's 16-bit length includes itself.
  static let largestPayload = 65_533

  let bytes: [UInt8]
  private(set) var segments: [Segment] = []

  /// - Throws: `SafelightError(.corruptData)` if the bytes do not begin like a JPEG.
  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let damaged = SafelightError(.corruptData, "The picture is not a JPEG, or it is damaged")
    guard bytes.starts(with: [0xFF, 0xD8]) else { throw damaged }
    var position = 2
    while true {
      // Any number of fill bytes precede a marker.
      while position + 1 < bytes.count, bytes[position] == 0xFF, bytes[position + 1] == 0xFF { position += 1 }
      guard position + 4 <= bytes.count, bytes[position] == 0xFF else { throw damaged }
      let marker = bytes[position + 1]
      if marker == Self.scan { return }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      guard marker >= 0xC0, !(0xD0...0xD9).contains(marker), length >= 2, position + 2 + length <= bytes.count
      else { throw damaged }
      segments.append(
        Segment(
          marker: marker, range: position..<position + 2 + length,
          payload: position + 4..<position + 2 + length))
      position += 2 + length
    }
  }

  /// The content of the first APP1 segment with a signature, without that.
  func content(_ signature: [UInt8]) -> [UInt8]? {
    segment(signature).map { Array(bytes[$0.payload].dropFirst(signature.count)) }
  }

  private func segment(_ signature: [UInt8]) -> Segment? {
    segments.first { $0.marker == Self.app1 && bytes[$0.payload].starts(with: signature) }
  }

  /// Returns the JPEG with this content of the APP1 segment of a signature, which is replaced or added where
  /// it belongs.
  ///
  /// - Parameter name: of the content, for errors.
  /// - Throws: `SafelightError(.tooLarge)` if it does not fit a segment.
  func replacing(_ signature: [UInt8], by content: [UInt8], name: String) throws -> [UInt8] {
    let payload = signature + content
    guard payload.count <= Self.largestPayload else {
      throw SafelightError(
        .tooLarge,
        "The \(name) data of the picture would have \(payload.count) bytes, but a JPEG holds "
          + "\(Self.largestPayload)", remedy: "remove a part of them")
    }
    let length = payload.count + 2
    let segment = [0xFF, Self.app1, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
    let place: Range<Int>
    if let old = self.segment(signature) {
      place = old.range
    } else {
      // EXIF comes first, XMP after it; what JFIF says stands before both.
      let before = segments.prefix { segment in
        segment.marker == Self.app0
          || signature != Self.exifSignature && segment.marker == Self.app1
            && bytes[segment.payload].starts(with: Self.exifSignature)
      }
      let end = before.last?.range.upperBound ?? 2
      place = end..<end
    }
    return Array(bytes[..<place.lowerBound]) + segment + bytes[place.upperBound...]
  }
}
