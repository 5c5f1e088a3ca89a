/// H.264's parameter sets as `avcC` stores them (ISO/IEC 14496-15, 5.3.3.1).
enum AVCConfiguration {
  static func unitType(_ unit: UnsafeRawBufferPointer) -> UInt8 { unit[0] & 0x1F }
  static let (sequenceSet, pictureSet): (UInt8, UInt8) = (7, 8)
  /// Delimiters, and what an encoder says about itself.
  static let delimiter: UInt8 = 9

  /// Whether a unit belongs into a sample: parameter sets stand in the configuration.
  static func isKept(_ unit: UnsafeRawBufferPointer) -> Bool {
    ![sequenceSet, pictureSet, delimiter].contains(unitType(unit))
  }

  /// Returns the contents of `avcC` from the sets between start codes; nil if one is missing or broken.
  static func make(header: [UInt8]) -> [UInt8]? {
    let units = header.withUnsafeBytes { bytes in AnnexB.units(bytes).map { (unitType($0), [UInt8]($0)) } }
    let sequences = units.filter { $0.0 == sequenceSet }.map { $0.1 }
    let pictures = units.filter { $0.0 == pictureSet }.map { $0.1 }
    guard let first = sequences.first, first.count >= 4, !pictures.isEmpty, sequences.count < 32,
      pictures.count < 256, (sequences + pictures).allSatisfy({ $0.count <= Int(UInt16.max) })
    else { return nil }
    let (profile, compatibility, level) = (first[1], first[2], first[3])
    // Lengths of four bytes.
    var result: [UInt8] = [1, profile, compatibility, level, 0xFC | 3, 0xE0 | UInt8(sequences.count)]
    for set in sequences {
      result.append(bigEndian: UInt16(set.count))
      result += set
    }
    result.append(UInt8(pictures.count))
    for set in pictures {
      result.append(bigEndian: UInt16(set.count))
      result += set
    }
    // Only these profiles have other formats of chroma or depths than 4:2:0 of 8 bits.
    guard [100, 110, 122, 144, 244].contains(profile) else { return result }
    var reader = BitReader(AnnexB.withoutEmulationPrevention(first.dropFirst(4)))
    _ = reader.golomb()
    let chroma = reader.golomb()
    if chroma == 3 { reader.skip(1) }
    let (luma, colour) = (reader.golomb(), reader.golomb())
    guard !reader.isPastEnd, chroma < 4, luma < 8, colour < 8 else { return nil }
    return result + [0xFC | UInt8(chroma), 0xF8 | UInt8(luma), 0xF8 | UInt8(colour), 0]
  }
}
