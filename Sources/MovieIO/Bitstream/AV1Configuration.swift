/// AV1's sequence header as `av1C` stores it (AV1 Codec ISO Media File Format Binding, 2.3).
enum AV1Configuration {
  private static let (sequenceHeader, delimiter): (UInt8, UInt8) = (1, 2)

  /// An open bitstream unit: its type, and its bytes with the header.
  struct Unit: Hashable {
    var type: UInt8
    var range: Range<Int>
    /// Where its contents begin.
    var payload: Int
  }

  /// The units of a stream, each of which states its size (AV1 specification, 5.3); nil if one does not fit.
  static func units(_ bytes: UnsafeRawBufferPointer) -> [Unit]? {
    var units: [Unit] = []
    var position = 0
    while position < bytes.count {
      let start = position
      let header = bytes[position]
      position += header & 4 != 0 ? 2 : 1
      guard header & 0x80 == 0, header & 2 != 0 else { return nil }
      var (size, shift) = (0, 0)
      while true {
        guard position < bytes.count, shift < 35 else { return nil }
        let byte = bytes[position]
        position += 1
        size |= Int(byte & 0x7F) << shift
        shift += 7
        if byte & 0x80 == 0 { break }
      }
      guard size <= bytes.count - position else { return nil }
      units.append(Unit(type: header >> 3 & 15, range: start..<position + size, payload: position))
      position += size
    }
    return units
  }

  /// A picture's units as containers store them: without the delimiter.
  static func sample(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let units = units(bytes) else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for unit in units where unit.type != delimiter {
      result.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[unit.range]))
    }
    return result
  }

  /// Returns the contents of `av1C` from a stream that contains a sequence header; nil if there is none.
  static func make(header: [UInt8]) -> [UInt8]? {
    // Some encoders give `av1C` itself.
    let stream = header.first == 0x81 && header.count > 4 ? Array(header.dropFirst(4)) : header
    let found = stream.withUnsafeBytes { bytes in
      units(bytes)?.first { $0.type == sequenceHeader }.map {
        (unit: [UInt8](bytes[$0.range]), payload: [UInt8](bytes[$0.payload..<$0.range.upperBound]))
      }
    }
    guard let found, let shape = shape(found.payload) else { return nil }
    return [0x81] + shape + [0] + found.unit
  }

  /// The second and third byte of `av1C` (AV1 specification, 5.5).
  private static func shape(_ payload: [UInt8]) -> [UInt8]? {
    var reader = BitReader(payload)
    let profile = UInt8(reader.bits(3))
    reader.skip(1)
    let isReduced = reader.bit()
    var (level, tier) = (UInt8(0), false)
    if isReduced { level = UInt8(reader.bits(5)) } else { (level, tier) = operatingPoints(&reader) }
    skipTools(&reader, isReduced: isReduced)
    let isHigh = reader.bit()
    let isTwelve = profile == 2 && isHigh && reader.bit()
    let isGrey = profile != 1 && reader.bit()
    var codes: [UInt64] = [2, 2, 2]
    if reader.bit() { codes = (0..<3).map { _ in reader.bits(8) } }
    var (halfWidth, halfHeight) = (true, true)
    var siting: UInt8 = 0
    if isGrey {
      reader.skip(1)
    } else if codes == [1, 13, 0] {
      (halfWidth, halfHeight) = (false, false)
    } else {
      reader.skip(1)
      if profile == 1 { (halfWidth, halfHeight) = (false, false) }
      if profile == 2 {
        halfWidth = isTwelve ? reader.bit() : true
        halfHeight = isTwelve && halfWidth ? reader.bit() : false
      }
      if halfWidth, halfHeight { siting = UInt8(reader.bits(2)) }
    }
    guard !reader.isPastEnd else { return nil }
    func flag(_ value: Bool, _ shift: UInt8) -> UInt8 { value ? 1 << shift : 0 }
    let format = flag(tier, 7) | flag(isHigh, 6) | flag(isTwelve, 5) | flag(isGrey, 4)
    return [profile << 5 | level, format | flag(halfWidth, 3) | flag(halfHeight, 2) | siting]
  }

  /// Reads timing and operating points, and returns the level and the tier of the first.
  private static func operatingPoints(_ reader: inout BitReader) -> (level: UInt8, tier: Bool) {
    var delayBits = 0
    var hasModel = false
    if reader.bit() {
      reader.skip(64)
      if reader.bit() { _ = reader.golomb() }
      hasModel = reader.bit()
      if hasModel {
        delayBits = Int(reader.bits(5)) + 1
        reader.skip(42)
      }
    }
    let hasDisplayDelay = reader.bit()
    let count = Int(reader.bits(5)) + 1
    var first = (level: UInt8(0), tier: false)
    for index in 0..<count {
      reader.skip(12)
      let level = UInt8(reader.bits(5))
      let tier = level > 7 && reader.bit()
      if index == 0 { first = (level, tier) }
      if hasModel, reader.bit() { reader.skip(2 * delayBits + 1) }
      if hasDisplayDelay, reader.bit() { reader.skip(4) }
    }
    return first
  }

  /// Reads the size and what tools are in use, up to the colours.
  private static func skipTools(_ reader: inout BitReader, isReduced: Bool) {
    let (widthBits, heightBits) = (Int(reader.bits(4)) + 1, Int(reader.bits(4)) + 1)
    reader.skip(widthBits + heightBits)
    if !isReduced, reader.bit() { reader.skip(7) }
    reader.skip(3)
    if !isReduced {
      reader.skip(4)
      let hasOrder = reader.bit()
      if hasOrder { reader.skip(2) }
      let choosesTools = reader.bit()
      let hasScreenTools = choosesTools || reader.bit()
      if hasScreenTools, !reader.bit() { reader.skip(1) }
      if hasOrder { reader.skip(3) }
    }
    reader.skip(3)
  }
}
