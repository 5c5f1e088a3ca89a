/// Which of a photo's metadata are kept in its edit.
public enum MetadataPolicy: String, Sendable, Hashable, CaseIterable, Codable {
  /// Everything that the format can hold.
  case keep
  /// Everything but the place where the photo was taken and the place it shows; see `withoutLocation`.
  case stripLocation = "strip-location"
  /// Only the colour profile and what the edit itself adds.
  case strip

  /// The former name of `stripLocation`, which used to keep place names.
  public static let stripGPS = MetadataPolicy.stripLocation

  /// Returns the policy with this name, or with the former name `strip-gps`.
  public init?(name: String) {
    if name == "strip-gps" { self = .stripGPS } else { self.init(rawValue: name) }
  }
}

extension PhotoMetadata {
  /// Returns the metadata kept under a policy.
  public func under(_ policy: MetadataPolicy) -> PhotoMetadata {
    switch policy {
    case .keep: self
    case .stripLocation: withoutLocation
    case .strip: PhotoMetadata()
    }
  }

  /// The metadata without the places where the photo was taken and that it shows, as coordinates or names: EXIF's
  /// GPS directory, `XMPLocation` and `IPTCRecords.locations`. Blocks that cannot be searched are removed
  /// entirely.
  ///
  /// Keywords, titles and captions are kept, since their meaning cannot be judged; so are maker notes.
  public var withoutLocation: PhotoMetadata {
    var result = self
    result.exif = exif.flatMap { bytes in
      guard var block = try? EXIFBlock(bytes), (try? block.removeLocation()) != nil else { return nil }
      return block.bytes
    }
    result.xmp = xmp.flatMap { bytes in
      var packet = XMPPacket(bytes)
      guard XMPLocation(in: packet).remove(from: &packet) else { return nil }
      // A packet split at arbitrary bytes cannot be searched part by part.
      packet.removeExtension()
      return packet.bytes
    }
    result.iptc = iptc.map { IPTCRecords.removing(record: 2, dataSets: IPTCRecords.locations, from: $0) }
    result.extendedXMP = []
    return result
  }

  /// Returns what a policy removes although it should be kept, one sentence each.
  package func losses(under policy: MetadataPolicy) -> [String] {
    guard policy == .stripLocation else { return [] }
    let kept = withoutLocation
    var lost: [String] = []
    if exif != nil, kept.exif == nil { lost.append("EXIF") }
    if xmp != nil, kept.xmp == nil { lost.append("XMP") }
    return lost.map {
      "The \($0) data were left out entirely, because the location in them cannot be separated from the rest"
    }
  }

  /// Returns the metadata with the program that made the picture, and the copyright.
  ///
  /// - Parameters:
  ///   - software: the text for EXIF's Software.
  ///   - copyright: the text for EXIF's Copyright; copies in XMP and IPTC, which would contradict it, are removed.
  ///     Nil keeps the existing text.
  package func signed(software: String, copyright: String? = nil) -> PhotoMetadata {
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

/// IPTC's records: a sequence of `1C record dataset length(2) value`.
///
/// Source: IPTC-NAA Information Interchange Model 4.2, section 1.5.
enum IPTCRecords {
  /// Returns the end of the last complete record.
  static func end(in bytes: [UInt8]) -> Int {
    var position = 0
    while position + 5 <= bytes.count, bytes[position] == 0x1C {
      let length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      guard length & 0x8000 == 0, position + 5 + length <= bytes.count else { return position }
      position += 5 + length
    }
    return position
  }

  /// The data sets of record 2 that name places: content location code and name, city, sublocation, province or
  /// state, country code and name.
  ///
  /// Source: IPTC-NAA Information Interchange Model 4.2, section 6.
  static let locations: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// Removes the given data sets wherever they occur.
  ///
  /// - Parameter keepingRest: whether to keep what follows an invalid record; otherwise it is removed, since its
  ///   content is unknown.
  static func removing(
    record: UInt8, dataSets: Set<UInt8>, keepingRest: Bool = false, from bytes: [UInt8]
  ) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    while position + 5 <= bytes.count, bytes[position] == 0x1C {
      let length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      // Longer values store their length differently; they do not occur in practice.
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
