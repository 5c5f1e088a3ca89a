/// HEVC's parameter sets as `hvcC` stores them (ISO/IEC 14496-15, 8.3.3.1).
enum HEVCConfiguration {
  static func unitType(_ unit: UnsafeRawBufferPointer) -> UInt8 { unit[0] >> 1 & 0x3F }
  private static let sets: [UInt8] = [32, 33, 34]
  private static let delimiter: UInt8 = 35

  /// Whether a unit belongs into a sample: parameter sets stand in the configuration.
  static func isKept(_ unit: UnsafeRawBufferPointer) -> Bool {
    let type = unitType(unit)
    return !sets.contains(type) && type != delimiter
  }

  /// Returns the contents of `hvcC` from the sets between start codes; nil if one is missing or broken.
  static func make(header: [UInt8]) -> [UInt8]? {
    let units = header.withUnsafeBytes { bytes in AnnexB.units(bytes).map { (unitType($0), [UInt8]($0)) } }
    let arrays = sets.map { type in units.filter { $0.0 == type }.map { $0.1 } }
    guard arrays.allSatisfy({ !$0.isEmpty && $0.count < 256 }), let sequence = arrays[1].first,
      let shape = Shape(sequence: sequence)
    else { return nil }
    var result: [UInt8] = [1] + shape.profileTierLevel
    // No lower bound of segments, any parallelism, and the shape of samples.
    result += [0xF0, 0, 0xFC, 0xFC | shape.chroma, 0xF8 | shape.lumaDepth, 0xF8 | shape.chromaDepth]
    // The rate varies; lengths of four bytes.
    result += [0, 0, shape.layers << 3 | (shape.isNested ? 4 : 0) | 3, UInt8(sets.count)]
    for (type, array) in zip(sets, arrays) {
      // Complete: no other sets follow in the stream.
      result.append(0x80 | type)
      result.append(bigEndian: UInt16(array.count))
      for set in array {
        guard let count = UInt16(exactly: set.count) else { return nil }
        result.append(bigEndian: count)
        result += set
      }
    }
    return result
  }

  /// What `hvcC` repeats of a sequence parameter set (ITU-T H.265, 7.3.2.2).
  private struct Shape {
    /// 12 bytes: profile, compatibility, constraints, level.
    var profileTierLevel: [UInt8]
    var layers: UInt8
    var isNested: Bool
    var chroma: UInt8
    var lumaDepth: UInt8
    var chromaDepth: UInt8

    init?(sequence: [UInt8]) {
      var reader = BitReader(AnnexB.withoutEmulationPrevention(sequence.dropFirst(2)))
      reader.skip(4)
      let subLayers = Int(reader.bits(3))
      isNested = reader.bit()
      profileTierLevel = (0..<12).map { _ in UInt8(reader.bits(8)) }
      let present = (0..<subLayers).map { _ in (profile: reader.bit(), level: reader.bit()) }
      if subLayers > 0 { reader.skip(2 * (8 - subLayers)) }
      for layer in present { reader.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
      _ = reader.golomb()
      let chroma = reader.golomb()
      if chroma == 3 { reader.skip(1) }
      (_, _) = (reader.golomb(), reader.golomb())
      if reader.bit() { for _ in 0..<4 { _ = reader.golomb() } }
      let (luma, colour) = (reader.golomb(), reader.golomb())
      guard !reader.isPastEnd, chroma < 4, luma < 8, colour < 8 else { return nil }
      (self.chroma, lumaDepth, chromaDepth) = (UInt8(chroma), UInt8(luma), UInt8(colour))
      layers = UInt8(subLayers + 1)
    }
  }
}
