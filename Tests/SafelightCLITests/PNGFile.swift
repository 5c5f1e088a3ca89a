/// PNG files assembled byte by byte after the PNG specification (third edition), for what no encoder here writes:
/// palettes, single bits, grey with alpha, headers that lie.
enum PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// - Parameters:
  ///   - colorType: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA.
  ///   - rows: packed samples of each row, without the filter byte.
  static func make(
    width: Int, height: Int, bitDepth: UInt8, colorType: UInt8, palette: [UInt8] = [], rows: [[UInt8]]
  ) -> [UInt8] {
    signature
      + chunk("IHDR", bigEndian(width) + bigEndian(height) + [bitDepth, colorType, 0, 0, 0])
      + (palette.isEmpty ? [] : chunk("PLTE", palette))
      + chunk("IDAT", stored(rows.flatMap { [0] + $0 })) + chunk("IEND", [])
  }

  static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let typed = Array(type.utf8) + body
    return bigEndian(body.count) + typed + bigEndian(Int(crc32(typed)))
  }

  /// A zlib stream of one uncompressed block (RFC 1950, RFC 1951); at most 65535 bytes.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    let block = [1, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)]
    return [0x78, 0x01] + block + bytes + bigEndian(Int(b << 16 | a))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
  }

  /// PNG specification, annex D.
  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = ~0
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
    return ~crc
  }
}
