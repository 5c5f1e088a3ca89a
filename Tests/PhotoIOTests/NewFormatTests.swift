import ColorScience
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("HEIC, AVIF and JPEG XL", .everyFormatIsWritable)
struct HEIFAndJPEGXLTests {
  static let formats: [PhotoFileFormat] = [.heic, .avif, .jxl]

  /// Saturated patches, white, black and greys, each large enough that colour at half density does not matter in its
  /// middle.
  private static let patches: [[Double]] = [
    [1, 1, 1], [0, 0, 0], [0.5, 0.5, 0.5], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0.9, 0.6], [0.2, 0.25, 0.3],
  ]

  private func picture(_ format: PixelFormat, tags: ColorTags = .sRGB) throws -> PixelBuffer {
    let size = PixelSize(width: 32 * Self.patches.count, height: 64)
    let buffer = try PixelBuffer(size: size, format: format, tags: tags)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let color = Self.patches[x / 32] + [1]
        for channel in 0..<4 {
          if format == .rgba8 {
            buffer.row(y, as: UInt8.self)[4 * x + channel] = UInt8((color[channel] * 255).rounded())
          } else {
            buffer.row(y, as: UInt16.self)[4 * x + channel] = UInt16((color[channel] * 65_535).rounded())
          }
        }
      }
    }
    return buffer
  }

  /// The largest difference in the middle of the patches, 0…1: of encoded samples, or of linear light for JPEG XL, whose
  /// loss is bounded as the eye sees it and larger in a channel that is nearly black.
  private func worst(_ buffer: PixelBuffer, isLinear: Bool) -> Double {
    var worst = 0.0
    for (index, color) in Self.patches.enumerated() {
      for channel in 0..<3 {
        let at = 4 * (32 * index + 16) + channel
        let value =
          buffer.format == .rgba8
          ? Double(row8(buffer, 32)[at]) / 255 : Double(row16(buffer, 32)[at]) / 65_535
        let (one, other) = (value, color[channel])
        worst = max(
          worst,
          isLinear
            ? abs(TransferFunction.sRGB.decode(one) - TransferFunction.sRGB.decode(other)) : abs(one - other))
      }
    }
    return worst
  }

  @Test("Colours come back within two steps of 255, white as white", arguments: formats, [8, 16])
  func colors(format: PhotoFileFormat, bits: Int) throws {
    let scratch = try Scratch()
    let buffer = try picture(bits == 8 ? .rgba8 : .rgba16)
    let path = scratch("a.\(format.rawValue)")
    try write(buffer, with: PhotoWriter(to: path, size: buffer.size, bitsPerSample: bits, quality: 95))
    let photo = try Photo(contentsOf: path)
    #expect(photo.fileFormat == format)
    #expect(photo.buffer.format == buffer.format)
    #expect(worst(photo.buffer, isLinear: format == .jxl) < 2.5 / 255)
    #expect(photo.warnings == [])
    #expect(try ColorSpace(tags: photo.buffer.tags).primaries.red.x.isApproximately(0.64))
  }

  @Test("Deep files hold more than 8 bits: a ramp of 1024 steps keeps hundreds of levels", arguments: formats)
  func depth(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let buffer = try PixelBuffer(size: PixelSize(width: 1024, height: 64), format: .rgba16)
    let ramp = (0..<1024).map { UInt16(20_000 + 16 * $0) }
    for y in 0..<64 {
      let row = buffer.row(y, as: UInt16.self)
      for (x, value) in ramp.enumerated() {
        for channel in 0..<3 { row[4 * x + channel] = value }
        row[4 * x + 3] = 65_535
      }
    }
    let path = scratch("a.\(format.rawValue)")
    try write(buffer, with: PhotoWriter(to: path, size: buffer.size, bitsPerSample: 16, quality: 98))
    let row = row16(try Photo(contentsOf: path).buffer, 32)
    let greens = ramp.indices.map { row[4 * $0 + 1] }
    // The ramp spans 64 of 256 levels.
    #expect(Set(greens).count > 150)
    for (green, value) in zip(greens, ramp) { #expect(abs(Int(green) - Int(value)) < 400) }
  }

  @Test("Wide gamut survives: greens beyond sRGB in Display P3 and Adobe RGB", arguments: formats, [8, 16])
  func wideGamut(format: PhotoFileFormat, bits: Int) throws {
    for space in [ColorSpace.displayP3, .adobeRGB] {
      let scratch = try Scratch()
      let tags = ColorTags.icc(try space.iccProfile().bytes)
      let buffer = try picture(bits == 8 ? .rgba8 : .rgba16, tags: tags)
      let path = scratch("a.\(format.rawValue)")
      try write(
        buffer, with: PhotoWriter(to: path, size: buffer.size, bitsPerSample: bits, quality: 95, tags: tags))
      let photo = try Photo(contentsOf: path)
      #expect(worst(photo.buffer, isLinear: format == .jxl) < 3.5 / 255, "\(space.name)")
      let read = try ColorSpace(tags: photo.buffer.tags).primaries
      #expect(read.green.x.isApproximately(space.primaries.green.x), "\(space.name)")
      #expect(read.green.y.isApproximately(space.primaries.green.y), "\(space.name)")
      #expect(read.red.x.isApproximately(space.primaries.red.x), "\(space.name)")
    }
  }

  @Test("JPEG XL says where a profile can only be kept without loss")
  func losslessProfile() throws {
    let scratch = try Scratch()
    for (space, isLossless) in [(ColorSpace.displayP3, false), (.adobeRGB, true)] {
      let tags = ColorTags.icc(try space.iccProfile().bytes)
      let buffer = try makeGradient(64, 48, tags: tags)
      let writer = try PhotoWriter(
        to: scratch("\(isLossless).jxl"), size: buffer.size, quality: 80, tags: tags)
      try write(buffer, with: writer)
      #expect(writer.warnings.count == (isLossless ? 1 : 0))
      let read = try Photo(contentsOf: scratch("\(isLossless).jxl"))
      #expect((samples8(read.buffer) == samples8(buffer)) == isLossless)
    }
  }

  @Test("Odd sizes and single pixels come back in their size", arguments: formats)
  func oddSizes(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    for (width, height) in [(1, 1), (2, 3), (17, 63), (65, 1), (129, 77)] {
      for alpha in [AlphaMode.opaque, .straight] {
        let buffer = try makeGradient(width, height, alpha: alpha)
        let path = scratch("\(width)x\(height)-\(alpha).\(format.rawValue)")
        try write(buffer, with: PhotoWriter(to: path, size: buffer.size, quality: 95, alpha: alpha))
        let photo = try Photo(contentsOf: path)
        #expect(photo.buffer.size == buffer.size)
        #expect(photo.buffer.alpha == alpha)
        #expect(photo.warnings == [])
      }
    }
  }

  @Test("Alpha comes back close to what it was", arguments: formats)
  func alpha(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let buffer = try PixelBuffer(size: PixelSize(width: 64, height: 64), format: .rgba8, alpha: .straight)
    for y in 0..<64 {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<64 {
        let values: [UInt8] = [120, 130, 140, UInt8(4 * x)]
        for (channel, value) in values.enumerated() { row[4 * x + channel] = value }
      }
    }
    let path = scratch("a.\(format.rawValue)")
    try write(buffer, with: PhotoWriter(to: path, size: buffer.size, quality: 95, alpha: .straight))
    let row = row8(try Photo(contentsOf: path).buffer, 30)
    for x in 0..<64 {
      let alpha = Int(row[4 * x + 3])
      #expect(abs(alpha - 4 * x) <= 6)
    }
  }

  @Test("A lower quality makes a smaller file", arguments: formats)
  func quality(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(200, 160)
    let lengths = try [20, 60, 95].map { quality in
      try write(
        buffer,
        with: PhotoWriter(to: scratch("q\(quality)"), format: format, size: buffer.size, quality: quality))
      return try scratch.read("q\(quality)").count
    }
    #expect(lengths == lengths.sorted() && lengths[0] < lengths[2])
  }

  @Test(
    "The file does not depend on how many threads encode it", arguments: [PhotoFileFormat.heic, .avif],
    [8, 16])
  func threads(format: PhotoFileFormat, bits: Int) throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(320, 384, format: bits == 8 ? .rgba8 : .rgba16)
    let files = try [1, 2, 7, nil].map { threads in
      let path = scratch("\(threads ?? 0).\(format.rawValue)")
      try write(
        buffer, with: PhotoWriter(to: path, size: buffer.size, bitsPerSample: bits, threads: threads))
      return try scratch.read("\(threads ?? 0).\(format.rawValue)")
    }
    #expect(files.allSatisfy { $0 == files[0] })
  }

  @Test("4:4:4 keeps the colour of single pixels; HEIC has it only where it is asked for")
  func fullChroma() throws {
    let scratch = try Scratch()
    let buffer = try PixelBuffer(size: PixelSize(width: 64, height: 64), format: .rgba8)
    let colors: [[UInt8]] = [[200, 100, 40, 255], [40, 100, 200, 255]]
    for y in 0..<64 {
      let row = buffer.row(y, as: UInt8.self)
      for x in 0..<64 {
        for (channel, value) in colors[x % 2].enumerated() { row[4 * x + channel] = value }
      }
    }
    func contrast(_ format: PhotoFileFormat, _ chroma: ChromaSubsampling) throws -> Int {
      let path = scratch("\(chroma.rawValue).\(format.rawValue)")
      try write(buffer, with: PhotoWriter(to: path, size: buffer.size, quality: 95, chroma: chroma))
      let row = row8(try Photo(contentsOf: path).buffer, 32)
      let (even, odd) = (Int(row[4 * 32 + 2]), Int(row[4 * 33 + 2]))
      return even - odd
    }
    for format in [PhotoFileFormat.heic, .avif] {
      #expect(try contrast(format, .yuv444) < -130)
      #expect(try contrast(format, .yuv420) > -80)
    }
    #expect(try contrast(.heic, .automatic) > -80)
    #expect(try contrast(.avif, .automatic) < -130)
  }

  @Test("This machine writes every format, as the tests need it")
  func writable() throws {
    for format in PhotoFileFormat.allCases {
      #expect(format.isWritable)
      #expect(message { try format.requireEncoder(toWrite: "a") } == nil)
    }
  }
}

extension Double {
  fileprivate func isApproximately(_ other: Double) -> Bool { abs(self - other) < 0.002 }
}
