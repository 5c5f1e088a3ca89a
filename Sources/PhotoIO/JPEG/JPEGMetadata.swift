/// The storage of metadata and ICC profiles in the application markers of a JPEG file.
///
/// Sources: EXIF 2.32, section 4.7; XMP specification part 3, section 1.1.3; ICC.1:2010, annex B.4;
/// Photoshop file format specification, image resources; IPTC-IIM 4.2 in resource 0x0404.
enum JPEGMetadata {
  /// An APPn marker with its payload.
  struct Marker {
    let code: Int32
    let payload: [UInt8]
  }

  static let app1: Int32 = 0xE1
  static let app2: Int32 = 0xE2
  static let app13: Int32 = 0xED
  /// A marker's 16-bit length field includes itself.
  static let maximumPayload = 65_533

  private static let exifSignature = Array("Exif\0\0".utf8)
  private static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  private static let extendedXMPSignature = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  private static let iccSignature = Array("ICC_PROFILE\0".utf8)
  private static let photoshopSignature = Array("Photoshop 3.0\0".utf8)
  private static let resourceSignature = Array("8BIM".utf8)
  static let iptcResource = 0x0404

  /// Splits markers into metadata and the ICC profile.
  static func parse(_ markers: [Marker]) -> (
    metadata: PhotoMetadata, iccProfile: [UInt8]?, warnings: [String]
  ) {
    var metadata = PhotoMetadata()
    var chunks: [(number: Int, count: Int, data: ArraySlice<UInt8>)] = []
    var warnings: [String] = []
    for marker in markers {
      let payload = marker.payload
      func body(after signature: [UInt8]) -> ArraySlice<UInt8>? {
        payload.starts(with: signature) ? payload.dropFirst(signature.count) : nil
      }
      switch marker.code {
      case app1:
        if let block = body(after: exifSignature) {
          // Some cameras split long EXIF data over several markers in non-standard ways; only the first is
          // standard.
          if metadata.exif == nil { metadata.exif = Array(block) }
        } else if let packet = body(after: xmpSignature) {
          if metadata.xmp == nil { metadata.xmp = Array(packet) }
        } else if let part = body(after: extendedXMPSignature) {
          metadata.extendedXMP.append(Array(part))
        }
      case app2:
        if let chunk = body(after: iccSignature), chunk.count > 2 {
          let start = chunk.startIndex
          chunks.append((Int(chunk[start]), Int(chunk[start + 1]), chunk.dropFirst(2)))
        }
      case app13:
        if let resources = body(after: photoshopSignature), metadata.iptc == nil {
          metadata.iptc = resource(iptcResource, in: Array(resources))
        }
      default: break
      }
    }
    var profile: [UInt8]?
    if let count = chunks.first?.count {
      chunks.sort { $0.number < $1.number }
      if chunks.map(\.number) == Array(1...max(count, 1)), chunks.allSatisfy({ $0.count == count }) {
        profile = chunks.flatMap(\.data)
      } else {
        warnings.append("The ICC profile is incomplete and was left out; the colours are treated as sRGB")
      }
    }
    return (metadata, profile, warnings)
  }

  /// Returns the markers that store `metadata` and `iccProfile`, and what could not be stored.
  static func markers(for metadata: PhotoMetadata, iccProfile: [UInt8]?) -> (
    markers: [Marker], warnings: [String]
  ) {
    var markers: [Marker] = []
    var warnings: [String] = []
    func add(_ name: String, _ code: Int32, _ signature: [UInt8], _ data: [UInt8]) -> Bool {
      guard signature.count + data.count <= maximumPayload else {
        warnings.append("The \(name) data (\(data.count) bytes) do not fit a JPEG file and were left out")
        return false
      }
      markers.append(Marker(code: code, payload: signature + data))
      return true
    }
    if var exif = metadata.exif {
      // The maker note is usually the long part, and the one that the fewest programs understand.
      if exifSignature.count + exif.count > maximumPayload, let rest = TIFFMetadata.withoutMakerNote(exif),
        exifSignature.count + rest.count <= maximumPayload
      {
        warnings.append(
          "The EXIF data (\(exif.count) bytes) do not fit a JPEG file with the maker note, which was left out"
        )
        exif = rest
      }
      _ = add("EXIF", app1, exifSignature, exif)
    }
    if let xmp = metadata.xmp, add("XMP", app1, xmpSignature, xmp) {
      for part in metadata.extendedXMP { _ = add("XMP", app1, extendedXMPSignature, part) }
    }
    if let iptc = metadata.iptc {
      _ = add("IPTC", app13, photoshopSignature, resourceBlock(iptcResource, holding: iptc))
    }
    if let iccProfile {
      let room = maximumPayload - iccSignature.count - 2
      let count = (iccProfile.count + room - 1) / room
      if count <= 255 {
        for number in 0..<count {
          let part = iccProfile[number * room..<min((number + 1) * room, iccProfile.count)]
          markers.append(
            Marker(code: app2, payload: iccSignature + [UInt8(number + 1), UInt8(count)] + part))
        }
      } else {
        warnings.append(
          "The ICC profile (\(iccProfile.count) bytes) does not fit a JPEG file and was left out")
      }
    }
    return (markers, warnings)
  }

  /// Returns the data of a Photoshop image resource: `8BIM`, a number, a padded Pascal string, a length, data.
  static func resource(_ wanted: Int, in bytes: [UInt8]) -> [UInt8]? {
    var position = 0
    while position + 7 <= bytes.count, bytes[position..<position + 4].elementsEqual(resourceSignature) {
      let number = Int(bytes[position + 4]) << 8 | Int(bytes[position + 5])
      let nameBytes = (1 + Int(bytes[position + 6]) + 1) / 2 * 2
      let lengthAt = position + 6 + nameBytes
      guard lengthAt + 4 <= bytes.count else { return nil }
      let length = bytes[lengthAt..<lengthAt + 4].reduce(0) { $0 << 8 | Int($1) }
      let start = lengthAt + 4
      guard length <= bytes.count - start else { return nil }
      if number == wanted { return Array(bytes[start..<start + length]) }
      position = start + (length + 1) / 2 * 2
    }
    return nil
  }

  private static func resourceBlock(_ number: Int, holding data: [UInt8]) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (24 - 8 * $0)) }
    let padding: [UInt8] = data.count % 2 == 0 ? [] : [0]
    return resourceSignature + [UInt8(number >> 8), UInt8(number & 0xFF), 0, 0] + length + data + padding
  }
}
