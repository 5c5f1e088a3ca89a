/// What of a photo's metadata goes into its edit.
public enum MetadataPolicy: String, Sendable, Hashable, CaseIterable, Codable {
  /// All that the format can hold.
  case keep
  /// All but where the photo was taken and what it shows: `withoutLocation` says what that is.
  case stripLocation = "strip-location"
  /// Nothing but the colour profile and what the edit itself says.
  case strip

  /// The former name of `stripLocation`, when it left the names of places.
  public static let stripGPS = MetadataPolicy.stripLocation

  /// The policy of this name, or of the former one, `strip-gps`.
  public init?(name: String) {
    if name == "strip-gps" { self = .stripGPS } else { self.init(rawValue: name) }
  }
}

extension PhotoMetadata {
  /// The metadata under a policy.
  public func under(_ policy: MetadataPolicy) -> PhotoMetadata {
    switch policy {
    case .keep: self
    case .stripLocation: withoutLocation
    case .strip: PhotoMetadata()
    }
  }

  /// Without the places where the photo was taken and that it shows, as coordinates and by name: EXIF's GPS directory,
  /// `XMPLocation` and `IPTCRecords.locations`. Blocks that cannot be searched are left out whole.
  ///
  /// Keywords, titles and captions are nobody's to judge: they stay, and so do maker notes.
  public var withoutLocation: PhotoMetadata {
    var result = self
    result.exif = exif.flatMap { bytes in
      guard var block = try? EXIFBlock(bytes), (try? block.removeLocation()) != nil else { return nil }
      return block.bytes
    }
    result.xmp = xmp.flatMap { bytes in
      var packet = XMPPacket(bytes)
      guard XMPLocation(in: packet).remove(from: &packet) else { return nil }
      // Parts of a packet that is split at any byte cannot be searched one by one.
      packet.removeExtension()
      return packet.bytes
    }
    result.iptc = iptc.map { IPTCRecords.removing(record: 2, dataSets: IPTCRecords.locations, from: $0) }
    result.extendedXMP = []
    return result
  }

  /// What a policy leaves out although it was to stay, in one sentence each.
  public func losses(under policy: MetadataPolicy) -> [String] {
    guard policy == .stripLocation else { return [] }
    let kept = withoutLocation
    let lost = [("EXIF", exif, kept.exif), ("XMP", xmp, kept.xmp)].filter { $0.1 != nil && $0.2 == nil }
    return lost.map {
      "The \($0.0) data were left out whole, because the place in them cannot be told from the rest"
    }
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
    result.iptc = iptc.map { IPTCRecords.removing(record: 2, dataSets: [116], keepingRest: true, from: $0) }
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

  /// The data sets of record 2 that name places: content location code and name, city, sub-location, province or state,
  /// country code and name.
  ///
  /// Source: IPTC-NAA Information Interchange Model 4.2, section 6.
  static let locations: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// Without some data sets, wherever they stand.
  ///
  /// - Parameter keepingRest: whether what follows something that is no record stays as it is; else it goes, since nobody
  ///   knows what is in it.
  static func removing(
    record: UInt8, dataSets: Set<UInt8>, keepingRest: Bool = false, from bytes: [UInt8]
  ) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position + 5 <= bytes.count, bytes[position] == 0x1C {
      let length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      // Longer values have their length elsewhere; nobody writes such.
      guard length & 0x8000 == 0, position + 5 + length <= bytes.count else { break }
      let next = position + 5 + length
      if bytes[position + 1] != record || !dataSets.contains(bytes[position + 2]) {
        result += bytes[position..<next]
      }
      position = next
    }
    return keepingRest ? result + bytes[position...] : result
  }
}
