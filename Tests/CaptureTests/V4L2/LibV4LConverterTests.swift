import CV4L2
import FrameCore
import TestSupport
import Testing

@testable import Capture

/// Frames are made here from the kernel's documentation of image formats, and what must come of them follows
/// from ITU-R BT.601: Y'CbCr in limited range of full-range R'G'B'.
@Suite(
  "Formats that libv4lconvert converts",
  .enabled(
    if: (try? LibV4LConverter.requireLibrary(for: FourCC("YVYU"))) != nil, "needs the package libv4l-0"))
struct LibV4LConverterTests {
  private static let size = PixelSize(width: 64, height: 48)

  private func converter(
    _ code: FourCC, size: PixelSize = size, rowBytes: Int = 0, bufferCount: Int = 4
  ) throws -> LibV4LConverter {
    var format = cv4l2_format()
    (format.width, format.height) = (UInt32(size.width), UInt32(size.height))
    format.pixel_format = code.code
    format.bytes_per_line.0 = UInt32(rowBytes)
    format.size_image.0 = UInt32(2 * rowBytes * size.height)
    let conversion = try #require(ConvertedFormat.all[code])
    return try LibV4LConverter(format, conversion, tags: .sRGB, bufferCount: bufferCount, device: nil)
  }

  private func picture(
    _ code: FourCC, _ bytes: [UInt8], rowBytes: Int = 0
  ) throws -> PixelBuffer {
    let converter = try converter(code, rowBytes: rowBytes)
    guard case .converted(let buffer) = try bytes.withUnsafeBytes({ try converter.convert($0) }) else {
      throw SafelightError(.corruptData, "\(code) is not converted: \(converter.problem)")
    }
    return buffer
  }

  private func samples(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    if buffer.format == .rgba8 { return (0..<4).map { Int(buffer.row(y, as: UInt8.self)[4 * x + $0]) } }
    return buffer.planes.enumerated().map { index, plane in
      let divisor = index == 0 ? 1 : 2
      return Int(plane.row(y / divisor).load(fromByteOffset: x / divisor, as: UInt8.self))
    }
  }

  /// ITU-R BT.601-7, 2.5.3, for 8 bits.
  private func bt601(_ color: [Int]) -> [Int] {
    let (r, g, b) = (Double(color[0]) / 255, Double(color[1]) / 255, Double(color[2]) / 255)
    let y = 0.299 * r + 0.587 * g + 0.114 * b
    return [16 + 219 * y, 128 + 224 * (b - y) / 1.772, 128 + 224 * (r - y) / 1.402].map { Int($0.rounded()) }
  }

  /// The left and the right half of the test pictures.
  private static let colors = [[200, 100, 40], [30, 90, 220]]

  /// Looks at both halves, away from the edge between them.
  private func expectColors(_ buffer: PixelBuffer, tolerance: Int, _ label: String) {
    let size = Self.size
    #expect(buffer.size == size && buffer.format == .i420)
    for (half, color) in Self.colors.enumerated() {
      for x in [4, 12, 20] {
        for y in [4, size.height / 2, size.height - 5] {
          let found = samples(buffer, half * size.width / 2 + x, y)
          let wanted = bt601(color)
          #expect(
            zip(found, wanted).allSatisfy { abs($0 - $1) <= tolerance }, "\(label): \(found), not \(wanted)")
        }
      }
    }
  }

  /// A mosaic of the two colours: blue and green, then green and red.
  private static let mosaic: [UInt8] = (0..<size.height).flatMap { y in
    (0..<size.width).map { x -> UInt8 in
      UInt8(colors[x < size.width / 2 ? 0 : 1][[2, 1, 1, 0][(y % 2) * 2 + x % 2]])
    }
  }

  /// A whole frame of Y'CbCr in the order Y, Cr, Y, Cb.
  private static let yvyu = (0..<2 * size.pixelCount).map { UInt8($0 * 7 % 251) }

  @Test("A frame of PAC207 whose rows are not compressed is its mosaic")
  func pac207() throws {
    // Each row begins with 0x0FF0 where it is not compressed; drivers/media/usb/gspca/pac207.c.
    let rows = (0..<Self.size.height).flatMap { y in
      [0x0F, 0xF0] + Self.mosaic[y * Self.size.width..<(y + 1) * Self.size.width]
    }
    expectColors(try picture(FourCC("P207"), rows), tolerance: 3, "PAC207")
  }

  @Test("RGB of 16 and 32 bits becomes its colours")
  func rgb() throws {
    func frame(_ pixel: ([Int]) -> [UInt8]) -> [UInt8] {
      (0..<Self.size.height).flatMap { _ in
        (0..<Self.size.width).flatMap { x in pixel(Self.colors[x < Self.size.width / 2 ? 0 : 1]) }
      }
    }
    let bgr4 = frame { [UInt8($0[2]), UInt8($0[1]), UInt8($0[0]), 7] }
    let rgb4 = frame { [7, UInt8($0[0]), UInt8($0[1]), UInt8($0[2])] }
    expectColors(try picture(FourCC("BGR4"), bgr4), tolerance: 2, "BGR4")
    for code in ["RGB4", "BX24", "BA24"] as [StaticString] {
      expectColors(try picture(FourCC(code), rgb4), tolerance: 2, "\(code)")
    }
    let rgb565 = frame { color in
      let word = (color[0] >> 3) << 11 | (color[1] >> 2) << 5 | color[2] >> 3
      return [UInt8(word & 255), UInt8(word >> 8)]
    }
    let buffer = try picture(FourCC("RGBP"), rgb565)
    for (half, color) in Self.colors.enumerated() {
      // Samples of 5 bits are off by up to 7.
      let found = samples(buffer, half * Self.size.width / 2 + 9, 21)
      #expect(zip(found, color + [255]).allSatisfy { abs($0 - $1) <= 7 }, "RGB565: \(found)")
    }
  }

  @Test("Samples of Y'CbCr keep their values")
  func ycbcr() throws {
    let (width, height) = (Self.size.width, Self.size.height)
    // Luma differs from pixel to pixel; two rows share their colour.
    func luma(_ x: Int, _ y: Int) -> UInt8 { UInt8(16 + (7 * x + 3 * y) % 200) }
    func cb(_ x: Int, _ y: Int) -> UInt8 { UInt8(40 + (x / 2) + (y / 2)) }
    func cr(_ x: Int, _ y: Int) -> UInt8 { UInt8(200 - (x / 2) - (y / 2)) }
    let rows = 0..<height
    let yvyu = rows.flatMap { y in
      stride(from: 0, to: width, by: 2).flatMap { [luma($0, y), cr($0, y), luma($0 + 1, y), cb($0, y)] }
    }
    let lumas = rows.flatMap { y in (0..<width).map { luma($0, y) } }
    let nv61 =
      lumas + rows.flatMap { y in stride(from: 0, to: width, by: 2).flatMap { [cr($0, y), cb($0, y)] } }
    // Two rows of luma, then one of both colours.
    let m420 = stride(from: 0, to: height, by: 2).flatMap { y in
      (0..<width).map { luma($0, y) } + (0..<width).map { luma($0, y + 1) }
        + stride(from: 0, to: width, by: 2).flatMap { [cb($0, y), cr($0, y)] }
    }
    for (code, bytes, rowBytes) in [("YVYU", yvyu, 2 * width), ("NV61", nv61, width), ("M420", m420, width)]
      as [(StaticString, [UInt8], Int)]
    {
      let buffer = try picture(FourCC(code), bytes, rowBytes: rowBytes)
      for y in stride(from: 0, to: height, by: 5) {
        for x in stride(from: 0, to: width, by: 3) {
          let wanted = [luma(x, y), cb(x & ~1, y), cr(x & ~1, y)].map { Int($0) }
          #expect(samples(buffer, x, y) == wanted, "\(code) at \(x), \(y)")
        }
      }
    }
    let y16 = lumas.flatMap { [UInt8(9), $0] }
    let swapped = lumas.flatMap { [$0, UInt8(9)] }
    let bigEndian = FourCC(code: FourCC("Y16 ").code | 0x8000_0000)
    for (code, bytes) in [(FourCC("Y16 "), y16), (bigEndian, swapped)] {
      let buffer = try picture(code, bytes, rowBytes: 2 * width)
      #expect(samples(buffer, 21, 30) == [Int(luma(21, 30)), 128, 128])
    }
  }

  @Test("A frame that is empty, too short or too long is damaged, and the next one is whole")
  func lengths() throws {
    let whole = Self.yvyu
    let converter = try converter(FourCC("YVYU"))
    func outcome(_ bytes: [UInt8]) throws -> Bool {
      let result = try bytes.withUnsafeBytes { try converter.convert($0) }
      if case .converted = result { return true }
      #expect(!converter.problem.isEmpty)
      return false
    }
    #expect(try !outcome([]))
    #expect(try !outcome(Array(whole.dropLast())))
    #expect(try !outcome([7]))
    #expect(try outcome(whole))
    #expect(try outcome(whole + [1, 2, 3]), "drivers pad")
    let compressed = try self.converter(FourCC("P207"))
    for count in [0, 4 * whole.count + 1] {
      let bytes = [UInt8](repeating: 1, count: count)
      let result = try bytes.withUnsafeBytes { try compressed.convert($0) }
      #expect({ if case .damaged = result { true } else { false } }())
    }
  }

  @Test("Gaps between rows are left out, in formats in which the library knows none too")
  func gaps() throws {
    let wide = Self.size.width + 24
    func padded(_ bytes: [UInt8], row: Int) -> [UInt8] {
      stride(from: 0, to: bytes.count, by: row).flatMap {
        bytes[$0..<$0 + row] + [UInt8](repeating: 255, count: 24)
      }
    }
    let row = 2 * Self.size.width
    #expect(
      try tightBytes(picture(FourCC("YVYU"), padded(Self.yvyu, row: row), rowBytes: row + 24))
        == tightBytes(picture(FourCC("YVYU"), Self.yvyu)))
    let nv61 = (0..<2 * Self.size.width * Self.size.height).map { UInt8($0 * 7 % 251) }
    #expect(
      try tightBytes(picture(FourCC("NV61"), padded(nv61, row: Self.size.width), rowBytes: wide))
        == tightBytes(picture(FourCC("NV61"), nv61)))
    // A length of rows that no frame of the driver's has room for is not believed.
    var format = cv4l2_format()
    (format.width, format.height, format.pixel_format) = (64, 48, FourCC("YVYU").code)
    (format.bytes_per_line.0, format.size_image.0) = (4000, 2 * 64 * 48)
    #expect(ConvertedFormat.all[FourCC("YVYU")]?.requiredBytes(of: format) == 2 * 64 * 48)
  }

  @Test("Sizes that the library would round, or that no picture has, are refused")
  func sizes() throws {
    for (width, height) in [(63, 48), (64, 47), (8, 48), (64, 8), (20000, 48), (0, 0)] {
      let size = PixelSize(width: width, height: height)
      #expect(!ConvertedFormat.converts(size))
      #expect(throws: SafelightError.self) { try self.converter(FourCC("YVYU"), size: size) }
    }
    #expect(ConvertedFormat.converts(Self.size))
  }

  @Test("A format that the installed library does not know is refused with the remedy")
  func unknown() throws {
    var format = cv4l2_format()
    (format.width, format.height, format.pixel_format) = (64, 48, FourCC("H264").code)
    let refusal = #expect(throws: SafelightError.self) {
      try LibV4LConverter(
        format, ConvertedFormat(colour: .fromRGB, bitsPerPixel: 8), tags: .sRGB, bufferCount: 2, device: nil)
    }
    let sentence = refusal?.description ?? ""
    #expect(
      sentence.hasPrefix("The installed libv4lconvert does not convert the format H264: "), "\(sentence)")
    #expect(sentence.hasSuffix("; install a newer libv4l-0, or ask for another format."))
  }

  @Test("A converter gives its buffers again once they are free, and says so when none is")
  func buffers() throws {
    let converter = try converter(FourCC("YVYU"), bufferCount: 2)
    let whole = Self.yvyu
    var held: [PixelBuffer] = []
    for _ in 0..<2 {
      guard case .converted(let buffer) = try whole.withUnsafeBytes({ try converter.convert($0) }) else {
        continue
      }
      held.append(buffer)
    }
    #expect(held.count == 2)
    let full = try whole.withUnsafeBytes { try converter.convert($0) }
    #expect({ if case .outOfBuffers = full { true } else { false } }())
    held.removeFirst()
    let free = try whole.withUnsafeBytes { try converter.convert($0) }
    #expect({ if case .converted = free { true } else { false } }())
  }

  @Test("Every format of the table is one that the library knows, and none is read directly")
  func table() throws {
    for (code, conversion) in ConvertedFormat.all {
      #expect(!DevicePixelFormat.all.contains { $0.fourCC == code }, "\(code)")
      // A converter of an uncompressed format tries one frame.
      if conversion.bitsPerPixel > 0 { _ = try converter(code) }
      #expect(DevicePixelFormat.known(code)?.encoding == .converted(code))
    }
    #expect(DevicePixelFormat.known(FourCC("H264")) == nil)
  }
}
