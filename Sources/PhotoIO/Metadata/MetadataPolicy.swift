/// What of a photo's metadata goes into its edit.
public enum MetadataPolicy: String, Sendable, Hashable, CaseIterable, Codable {
  /// All that the format can hold.
  case keep
  /// All but where the photo was taken.
  case stripGPS = "strip-gps"
  /// Nothing but the colour profile and what the edit itself says.
  case strip
}

extension PhotoMetadata {
  /// The metadata under a policy.
  public func under(_ policy: MetadataPolicy) -> PhotoMetadata {
    switch policy {
    case .keep: self
    case .stripGPS: withoutLocation
    case .strip: PhotoMetadata()
    }
  }

  /// Without where the photo was taken, in EXIF and in XMP. Blocks that cannot be searched are left out whole.
  public var withoutLocation: PhotoMetadata {
    var result = self
    result.exif = exif.flatMap { bytes in
      guard var block = try? EXIFBlock(bytes), (try? block.removeLocation()) != nil else { return nil }
      return block.bytes
    }
    result.xmp = xmp.map { bytes in
      var packet = XMPPacket(bytes)
      packet.removeLocation()
      return packet.bytes
    }
    // Parts of a packet that is split at any byte cannot be searched one by one.
    result.extendedXMP = []
    return result
  }

  /// With the program that made the picture, and whose it is.
  ///
  /// - Parameters:
  ///   - software: for EXIF's Software.
  ///   - copyright: for EXIF's Copyright; XMP's and IPTC's copies, which would contradict it, go. Nil leaves what is there.
  public func signed(software: String, copyright: String? = nil) -> PhotoMetadata {
    var result = self
    var block = exif.flatMap { try? EXIFBlock($0) }
    if block == nil { block = try? EXIFBlock(TIFFStructure.empty) }
    if var block, (try? block.setOrigin(software: software, copyright: copyright)) != nil {
      result.exif = block.bytes
    }
    guard copyright != nil else { return result }
    result.xmp = xmp.map { bytes in
      var packet = XMPPacket(bytes)
      packet.removeRights()
      return packet.bytes
    }
    result.iptc = iptc.map { IPTCRecords.removing(record: 2, dataSet: 116, from: $0) }
    return result
  }
}

/// IPTC's records: `1C record dataset length(2) value`, one after the other.
///
/// Source: IPTC-NAA Information Interchange Model 4.2, section 1.5.
enum IPTCRecords {
  /// Where the last whole record ends.
  static func end(in bytes: [UInt8]) -> Int {
    var position = 0
    while position + 5 <= bytes.count, bytes[position] == 0x1C {
      let length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      guard length & 0x8000 == 0, position + 5 + length <= bytes.count else { return position }
      position += 5 + length
    }
    return position
  }

  /// Without a data set, wherever it stands. What follows something that is no record stays as it is.
  static func removing(record: UInt8, dataSet: UInt8, from bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position + 5 <= bytes.count, bytes[position] == 0x1C {
      let length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      // Longer values have their length elsewhere; nobody writes such.
      guard length & 0x8000 == 0, position + 5 + length <= bytes.count else { break }
      let next = position + 5 + length
      if bytes[position + 1] != record || bytes[position + 2] != dataSet { result += bytes[position..<next] }
      position = next
    }
    return result + bytes[position...]
  }
}
