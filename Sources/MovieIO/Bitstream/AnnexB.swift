/// Streams of H.264 and HEVC as encoders write them: units between start codes (ITU-T H.264 and H.265, annex
/// B).
enum AnnexB {
  /// The units without their start codes.
  static func units(_ bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
    var units: [UnsafeRawBufferPointer] = []
    var start: Int?
    var index = 0
    func add(_ range: Range<Int>) {
      var end = range.upperBound
      // The zeros before a start code of four bytes, and trailing ones, are not part of a unit.
      while end > range.lowerBound, bytes[end - 1] == 0 { end -= 1 }
      if end > range.lowerBound {
        units.append(UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound..<end]))
      }
    }
    while index + 2 < bytes.count {
      // Most bytes are not small: a look at the third says whether a start code can begin at any of the
      // three.
      let third = bytes[index + 2]
      if third > 1 {
        index += 3
      } else if third == 1, bytes[index] == 0, bytes[index + 1] == 0 {
        if let start { add(start..<index) }
        start = index + 3
        index += 3
      } else {
        index += 1
      }
    }
    if let start { add(start..<bytes.count) }
    return units
  }

  /// The units, each after its length in four bytes, as containers store them.
  static func lengthPrefixed(
    _ bytes: UnsafeRawBufferPointer, where isKept: (UnsafeRawBufferPointer) -> Bool
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    for unit in units(bytes) where isKept(unit) {
      result.append(bigEndian: UInt32(unit.count))
      result.append(contentsOf: unit)
    }
    return result
  }

  /// The contents of a unit without the bytes that keep start codes from appearing in it.
  static func withoutEmulationPrevention(_ unit: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in unit {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}

extension [UInt8] {
  mutating func append(bigEndian value: UInt32) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
  mutating func append(bigEndian value: UInt16) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}
