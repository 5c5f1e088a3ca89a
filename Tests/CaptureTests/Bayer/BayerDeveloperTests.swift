import CV4L2
import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("Developing mosaics") struct BayerDeveloperTests {
  private func mosaic(
    _ bytes: [UInt8], _ size: PixelSize, _ format: BayerFormat, rowBytes: Int? = nil,
    transfer: ColorTags.Transfer = .linear, neutral: SIMD3<Double>? = nil
  ) throws -> BayerMosaic {
    try BayerMosaic(
      bytes.withUnsafeBytes { EncodedPicture(copying: $0) }, size: size, format: format,
      rowBytes: rowBytes ?? format.rowBytes(width: size.width), transfer: transfer, neutral: neutral)
  }

  /// A mosaic of samples in 16 bits.
  private func mosaic16(
    _ size: PixelSize, _ pattern: BayerFormat.Pattern, _ packing: BayerFormat.Packing = .bits16,
    transfer: ColorTags.Transfer = .linear, _ color: (Int, Int) -> [Double]
  ) throws -> BayerMosaic {
    let format = BayerFormat(pattern, packing)
    var bytes: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let sample = Int((color(x, y)[pattern.channel(x: x, y: y)] * Double(format.maximum)).rounded())
        bytes += [UInt8(sample & 255), UInt8(sample >> 8)]
      }
    }
    return try mosaic(bytes, size, format, transfer: transfer)
  }

  private func developed8(_ mosaic: BayerMosaic) throws -> (PixelBuffer, SIMD3<Double>?) {
    let developer = BayerDeveloper(size: mosaic.size, format: mosaic.format, transfer: mosaic.transfer)
    let target = try PixelBuffer(size: mosaic.size, format: .rgba8)
    let neutral = try mosaic.withPicture { developer.develop($0, into: target) }
    return (target, neutral)
  }

  private func pixel8(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    let row = buffer.row(y, of: 0, as: UInt8.self)
    return (0..<4).map { Int(row[4 * x + $0]) }
  }

  private func pixel16(_ buffer: PixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    let row = buffer.row(y, of: 0, as: UInt16.self)
    return (0..<4).map { Int(row[4 * x + $0]) }
  }

  @Test(
    "Random mosaics of all formats, also of odd and of the smallest sizes, are developed as defined",
    arguments: BayerFormat.allFormats)
  func reference(format: BayerFormat) throws {
    var generator = SeededRandom(seed: UInt64(format.maximum))
    for (width, height, padding) in [(2, 2, 0), (3, 2, 1), (2, 5, 0), (7, 3, 4), (35, 19, 3), (66, 10, 0)] {
      let size = PixelSize(width: width, height: height)
      let rowBytes = format.rowBytes(width: width) + padding
      let bytes = (0..<rowBytes * height).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let isLinear = width % 2 == 1
      let source = try mosaic(
        bytes, size, format, rowBytes: rowBytes, transfer: isLinear ? .linear : .sRGB)
      let reference = try source.withPicture { BayerReference($0) }
      let (eight, neutral) = try developed8(source)
      let sixteen = try mosaic(
        bytes, size, format, rowBytes: rowBytes, transfer: source.transfer, neutral: neutral
      ).developed()
      #expect(sixteen.format == .rgba16 && sixteen.size == size && sixteen.tags == .sRGB)
      for y in 0..<height {
        for x in 0..<width {
          let wanted = reference.developed(x, y, isLinear: isLinear, neutral: neutral) + [1]
          let found = pixel8(eight, x, y)
          let fine = pixel16(sixteen, x, y)
          for channel in 0..<4 {
            #expect(
              abs(Double(found[channel]) - wanted[channel] * 255) < 0.55,
              "\(format) \(size) at \(x), \(y): \(found), not \(wanted)")
            #expect(
              abs(Double(fine[channel]) - wanted[channel] * 65_535) < 1,
              "\(format) \(size) at \(x), \(y): \(fine), not \(wanted)")
          }
        }
      }
    }
  }

  @Test("Flat colours are exact, up to the edges", arguments: BayerFormat.Pattern.allCases)
  func flat(pattern: BayerFormat.Pattern) throws {
    let source = try mosaic16(PixelSize(width: 21, height: 9), pattern, .bits10, transfer: .sRGB) { _, _ in
      [200 / 255, 100 / 255, 40 / 255]
    }
    let buffer = try source.developed()
    for y in 0..<9 {
      for x in 0..<21 {
        let found = pixel16(buffer, x, y).map { Double($0) / 65_535 * 255 }
        #expect(zip(found, [200, 100, 40]).allSatisfy { abs($0 - $1) < 0.13 }, "\(found)")
      }
    }
  }

  @Test("An edge between two greys stays grey, across, down and aslant")
  func edges() throws {
    let size = PixelSize(width: 40, height: 40)
    let edges: [(Int, Int) -> Bool] = [
      { x, _ in x < 19 }, { _, y in y < 20 }, { x, y in 2 * x + y < 61 },
    ]
    for (index, isDark) in edges.enumerated() {
      let source = try mosaic16(size, .grbg) { x, y in [Double](repeating: isDark(x, y) ? 0.1 : 0.8, count: 3)
      }
      let buffer = try source.developed()
      var largest = 0
      for y in 0..<40 {
        for x in 0..<40 {
          let found = pixel16(buffer, x, y)
          largest = max(largest, (found[..<3].max() ?? 0) - (found[..<3].min() ?? 0))
        }
      }
      // Straight edges have no fringe at all; bilinear interpolation gives one of a third of the step and more.
      #expect(Double(largest) / 65_535 < (index < 2 ? 0.001 : 0.6), "\(index): \(largest)")
    }
  }

  @Test("A cast is balanced, what is clipped is white, and the dark is left alone")
  func whiteBalance() throws {
    let cast = [0.5, 1, 0.7]
    let size = PixelSize(width: 64, height: 64)
    let source = try mosaic16(size, .bggr, .bits12) { x, y in
      if x >= 56 { return [1, 1, 1] }
      return cast.map { $0 * (0.1 + 0.012 * Double(x)) }
    }
    let (buffer, neutral) = try developed8(source)
    let found = try #require(neutral)
    #expect(abs(found.x - 0.5) < 0.02 && abs(found.y - 1) < 0.001 && abs(found.z - 0.7) < 0.02, "\(found)")
    let grey = pixel8(buffer, 20, 30)
    #expect((grey[..<3].max() ?? 255) - (grey[..<3].min() ?? 0) <= 4, "\(grey)")
    #expect(pixel8(buffer, 62, 30) == [255, 255, 255, 255])
    let dark = try mosaic16(size, .bggr) { _, _ in [0.004, 0.002, 0.001] }
    #expect(try developed8(dark).1 == nil)
  }

  @Test("The balance follows a scene slowly, and keeps still while nothing changes")
  func follows() {
    var balance = BayerWhiteBalance()
    balance.frame(nil)
    #expect(balance.neutral == nil)
    balance.frame(SIMD3(0.5, 1, 1))
    #expect(balance.neutral == SIMD3(0.5, 1, 1))
    balance.frame(SIMD3(0.501, 1, 1))
    #expect(balance.neutral == SIMD3(0.5, 1, 1))
    balance.frame(SIMD3(0.9, 1, 1))
    let once = balance.neutral?.x ?? 0
    #expect(once > 0.5 && once < 0.54)
    for _ in 0..<200 { balance.frame(SIMD3(0.9, 1, 1)) }
    #expect(abs((balance.neutral?.x ?? 0) - 0.9) < 0.005)
    balance.frame(nil)
    #expect(abs((balance.neutral?.x ?? 0) - 0.9) < 0.005)
  }

  @Test(
    "A driver's frames are developed row by row, whatever lies between the rows, and short ones are refused")
  func converter() throws {
    var format = cv4l2_format()
    (format.width, format.height) = (6, 4)
    format.bytes_per_line.0 = 10
    format.colorspace = V4L2_COLORSPACE_RAW.rawValue
    let bayer = BayerFormat(.rggb, .bits8)
    let converter = try BayerConverter(format, bayer, tags: .sRGB, bufferCount: 2)
    #expect(converter.requiredBytes == 36)
    let bytes = (0..<40).map { UInt8($0 % 10 < 6 ? 128 : 255) }
    var held: [PixelBuffer] = []
    for _ in 0..<2 {
      let developed = try #require(try bytes.withUnsafeBytes { try converter.develop($0) })
      held.append(developed.picture)
      // Half of the light.
      #expect(pixel8(developed.picture, 5, 3) == [188, 188, 188, 255])
    }
    #expect(try bytes.withUnsafeBytes { try converter.develop($0) } == nil, "both buffers are in use")
    held = []
    #expect(try bytes.withUnsafeBytes { try converter.develop($0) } != nil)
    #expect(throws: SafelightError.self) {
      try bytes[..<35].withUnsafeBytes { try converter.develop($0) }
    }
    // Rows that are shorter than their samples are a driver's mistake.
    format.bytes_per_line.0 = 5
    #expect(try BayerConverter(format, bayer, tags: .sRGB, bufferCount: 1).requiredBytes == 24)
    format.height = 1
    #expect(throws: SafelightError.self) { try BayerConverter(format, bayer, tags: .sRGB, bufferCount: 1) }
  }

  @Test("Samples count light where the driver says that they are raw, otherwise codes of sRGB")
  func transfer() {
    func transfer(_ space: v4l2_colorspace, _ stated: v4l2_xfer_func) -> ColorTags.Transfer {
      var format = cv4l2_format()
      (format.colorspace, format.transfer) = (space.rawValue, stated.rawValue)
      return BayerConverter.transfer(of: format)
    }
    #expect(transfer(V4L2_COLORSPACE_RAW, V4L2_XFER_FUNC_DEFAULT) == .linear)
    #expect(transfer(V4L2_COLORSPACE_SRGB, V4L2_XFER_FUNC_NONE) == .linear)
    #expect(transfer(V4L2_COLORSPACE_SRGB, V4L2_XFER_FUNC_DEFAULT) == .sRGB)
    #expect(transfer(V4L2_COLORSPACE_DEFAULT, V4L2_XFER_FUNC_DEFAULT) == .sRGB)
  }

  @Test("Each of V4L2's codes names a format of its own")
  func codes() {
    #expect(BayerFormat.byFourCC.count == 32)
    #expect(Set(BayerFormat.byFourCC.values) == Set(BayerFormat.allFormats))
    #expect(CaptureEncoding(bayer: "pgAA") == .bayer(BayerFormat(.grbg, .bits10Packed)))
    #expect(CaptureEncoding(bayer: "BYR2") == .bayer(BayerFormat(.bggr, .bits16)))
    #expect(CaptureEncoding(bayer: "YUYV") == nil)
    #expect(CaptureEncoding.bayer(BayerFormat(.gbrg, .bits12)).label == "GB12")
  }
}
