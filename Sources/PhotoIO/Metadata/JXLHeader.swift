/// The first fields of a JPEG XL codestream.
///
/// Source: ISO/IEC 18181-1, sections C.2 (bundles) and D.1…D.4 (SizeHeader, ImageMetadata, PreviewHeader).
enum JXLHeader {
  /// Whether the header announces more than one picture; false if it is truncated.
  ///
  /// - Parameter bytes: the codestream, starting at its signature.
  static func isAnimation(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: [0xFF, 0x0A]) else { return false }
    var reader = BitReader(bytes: bytes, position: 16)
    guard reader.skipSize(), let isDefault = reader.flag(), !isDefault, let hasExtraFields = reader.flag(),
      hasExtraFields, reader.bits(3) != nil, let hasIntrinsicSize = reader.flag(),
      !hasIntrinsicSize || reader.skipSize(), let hasPreview = reader.flag(),
      !hasPreview || reader.skipPreview(),
      let isAnimation = reader.flag()
    else { return false }
    return isAnimation
  }

  /// Reads bits, starting with the lowest of each byte.
  private struct BitReader {
    let bytes: [UInt8]
    var position: Int

    mutating func bits(_ count: Int) -> Int? {
      guard position + count <= 8 * bytes.count else { return nil }
      var value = 0
      for bit in 0..<count {
        let at = position + bit
        value |= Int(bytes[at / 8] >> (at % 8) & 1) << bit
      }
      position += count
      return value
    }

    mutating func flag() -> Bool? { bits(1).map { $0 == 1 } }

    /// Skips a number whose length is selected from four by two bits.
    mutating func skip(_ lengths: [Int]) -> Bool { bits(2).map { bits(lengths[$0]) != nil } ?? false }

    mutating func skipSize() -> Bool {
      skipEdges(small: { $0.bits(5) != nil }, large: { $0.skip([9, 13, 18, 30]) })
    }

    mutating func skipPreview() -> Bool {
      skipEdges(small: { $0.skip([0, 0, 5, 9]) }, large: { $0.skip([6, 8, 10, 12]) })
    }

    /// Skips height, ratio, and width unless the ratio implies it.
    private mutating func skipEdges(small: (inout BitReader) -> Bool, large: (inout BitReader) -> Bool)
      -> Bool
    {
      guard let isSmall = flag(), isSmall ? small(&self) : large(&self), let ratio = bits(3) else {
        return false
      }
      return ratio != 0 || (isSmall ? small(&self) : large(&self))
    }
  }
}
