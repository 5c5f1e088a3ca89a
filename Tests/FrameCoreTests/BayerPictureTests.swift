import FrameCore
import Testing

/// Where a bit of a sample is in its row, by the tables of the Linux kernel's pixfmt-srggb8, -10, -10p, -12,
/// -12p, -14, -14p and -16: one bit at a time.
private func place(_ packing: BayerFormat.Packing, x: Int, bit: Int) -> (byte: Int, bit: Int) {
  switch packing {
  case .bits8: (x, bit)
  case .bits10, .bits12, .bits14, .bits16: (2 * x + bit / 8, bit % 8)
  case .bits10Packed: bit >= 2 ? (5 * (x / 4) + x % 4, bit - 2) : (5 * (x / 4) + 4, 2 * (x % 4) + bit)
  case .bits12Packed: bit >= 4 ? (3 * (x / 2) + x % 2, bit - 4) : (3 * (x / 2) + 2, 4 * (x % 2) + bit)
  case .bits14Packed:
    bit >= 6
      ? (7 * (x / 4) + x % 4, bit - 6)
      : (7 * (x / 4) + 4 + (6 * (x % 4) + bit) / 8, (6 * (x % 4) + bit) % 8)
  }
}

@Suite("Mosaics of sensors")
struct BayerPictureTests {
  private func unpacked(_ bytes: [UInt8], _ size: PixelSize, _ format: BayerFormat, rowBytes: Int? = nil)
    throws
    -> [[UInt16]]
  {
    try bytes.withUnsafeBytes { bytes in
      let picture = try BayerPicture(bytes, size: size, format: format, rowBytes: rowBytes)
      return (0..<size.height).map { y in
        [UInt16](unsafeUninitializedCapacity: size.width) { samples, count in
          picture.unpack(row: y, into: samples)
          count = size.width
        }
      }
    }
  }

  @Test(
    "Rows are unpacked as bit by bit, for all widths, with padding and without",
    arguments: BayerFormat.Packing.allCases)
  func unpacking(packing: BayerFormat.Packing) throws {
    var state: UInt32 = 0x5AFE
    func randomByte() -> UInt8 {
      // Numerical Recipes' linear congruential generator; its upper bits are the random ones.
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    let format = BayerFormat(.rggb, packing)
    for width in 2...41 {
      for padding in [0, 7] {
        let size = PixelSize(width: width, height: 3)
        let rowBytes = format.rowBytes(width: width) + padding
        let bytes = (0..<3 * rowBytes).map { _ in randomByte() }
        let rows = try unpacked(bytes, size, format, rowBytes: rowBytes)
        for (y, row) in rows.enumerated() {
          for (x, sample) in row.enumerated() {
            let expected = (0..<packing.bits).reduce(0) { (sum: Int, bit: Int) -> Int in
              let (byte, place) = place(packing, x: x, bit: bit)
              return sum | Int(bytes[y * rowBytes + byte] >> UInt8(place) & 1) << bit
            }
            #expect(Int(sample) == expected, "\(packing) \(width) (\(x), \(y)): \(bytes)")
          }
        }
      }
    }
  }

  @Test("The extremes are 0 and the largest value", arguments: BayerFormat.Packing.allCases)
  func extremes(packing: BayerFormat.Packing) throws {
    let format = BayerFormat(.bggr, packing)
    let size = PixelSize(width: 8, height: 2)
    let count = 2 * format.rowBytes(width: 8)
    #expect(format.maximum == [8: 255, 10: 1023, 12: 4095, 14: 16_383, 16: 65_535][packing.bits])
    for byte in [UInt8(0), 255] {
      let rows = try unpacked([UInt8](repeating: byte, count: count), size, format)
      #expect(rows.joined().allSatisfy { $0 == (byte == 0 ? 0 : UInt16(format.maximum)) })
    }
  }

  @Test("The kernel's examples: one set field at a time")
  func examples() throws {
    // pixfmt-srggb14p: G01's low bits 1–0 are bits 7–6 of byte 4, its bits 5–2 bits 3–0 of byte 5.
    let size = PixelSize(width: 4, height: 2)
    var row: [UInt8] = [0, 0x80, 0, 0, 0b1000_0000, 0b0000_1001, 0]
    #expect(
      try unpacked(row + row, size, BayerFormat(.bggr, .bits14Packed))[0] == [0, 0x2000 | 0b10_0110, 0, 0])
    // R02's low bits 5–4 are bits 1–0 of byte 6, G03's low bits its bits 7–2.
    row = [0, 0, 1, 0, 0, 0, 0b0000_0111]
    #expect(
      try unpacked(row + row, size, BayerFormat(.bggr, .bits14Packed))[0] == [0, 0, 64 | 0b11_0000, 1])
    // pixfmt-srggb10p: the last sample's low bits are the uppermost.
    row = [1, 0, 0, 0xFF, 0b1000_0001]
    #expect(try unpacked(row + row, size, BayerFormat(.bggr, .bits10Packed))[0] == [5, 0, 0, 1022])
    // pixfmt-srggb12p.
    row = [0xAB, 0xCD, 0x21, 0, 0, 0]
    #expect(try unpacked(row + row, size, BayerFormat(.bggr, .bits12Packed))[0] == [0xAB1, 0xCD2, 0, 0])
  }

  @Test("Patterns are named by their first rows", arguments: BayerFormat.Pattern.allCases)
  func patterns(pattern: BayerFormat.Pattern) {
    let letters = [(0, 0), (1, 0), (0, 1), (1, 1)].map { ["r", "g", "b"][pattern.channel(x: $0.0, y: $0.1)] }
    #expect(letters.joined() == pattern.rawValue)
    #expect(pattern.channel(x: 102, y: 51) == pattern.channel(x: 0, y: 1))
  }

  @Test("What is no mosaic is refused in a sentence")
  func refusals() throws {
    func message(_ width: Int, _ height: Int, count: Int, rowBytes: Int? = nil) -> String? {
      do {
        _ = try unpacked(
          [UInt8](repeating: 0, count: count), PixelSize(width: width, height: height),
          BayerFormat(.rggb, .bits10Packed), rowBytes: rowBytes)
        return nil
      } catch { return "\(error)" }
    }
    #expect(message(8, 2, count: 20) == nil)
    // The last row needs no padding.
    #expect(message(8, 2, count: 16 + 10, rowBytes: 16) == nil)
    #expect(
      message(8, 2, count: 19)
        == "A mosaic of 8×2 takes 20 bytes, and the frame has only 19; take the photo again.")
    #expect(
      message(8, 2, count: 99, rowBytes: 9)
        == "Rows of 9 bytes do not hold 8 pixels of bits10Packed, which take 10; check the size and the format of the frame."
    )
    #expect(
      message(1, 8, count: 99)
        == "A mosaic of 1×8 pixels does not have all colours; capture at least 2×2 pixels.")
    #expect(message(0, 8, count: 99)?.hasPrefix("The picture is empty") == true)
  }
}
