import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Round trips", .everyFormatIsWritable)
struct RoundTripTests {
  static let losslessCases: [(PhotoFileFormat, Int, AlphaMode)] = [
    (.png, 8, .opaque), (.png, 8, .straight), (.png, 16, .opaque), (.png, 16, .straight),
    (.tiff, 8, .opaque), (.tiff, 8, .straight), (.tiff, 16, .opaque), (.tiff, 16, .straight),
    (.webp, 8, .opaque), (.jxl, 8, .opaque), (.jxl, 8, .straight), (.jxl, 16, .opaque),
  ]

  @Test("Lossless formats give every sample back", arguments: losslessCases)
  func lossless(format: PhotoFileFormat, bits: Int, alpha: AlphaMode) throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(131, 77, format: bits == 8 ? .rgba8 : .rgba16, alpha: alpha)
    let path = scratch("picture.\(format.pathExtensions[0])")
    let writer = try PhotoWriter(
      to: path, size: buffer.size, bitsPerSample: bits, quality: 100, alpha: alpha)
    try write(buffer, with: writer)
    #expect(writer.warnings == [])

    let photo = try Photo(contentsOf: path)
    #expect(photo.fileFormat == format)
    #expect(photo.buffer.size == buffer.size)
    #expect(photo.buffer.format == buffer.format)
    #expect(photo.buffer.alpha == alpha)
    #expect(photo.buffer.tags == .sRGB)
    #expect(photo.orientation == .up)
    #expect(photo.warnings == [])
    #expect(!photo.isGray)
    if bits == 8 {
      #expect(samples8(photo.buffer) == samples8(buffer))
    } else {
      #expect(samples16(photo.buffer) == samples16(buffer))
    }
    #expect(try scratch.names == ["picture.\(format.pathExtensions[0])"])
  }

  @Test("Lossless WebP keeps alpha, and colour wherever it shows")
  func webpAlpha() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(64, 48, alpha: .straight)
    try write(
      buffer, with: PhotoWriter(to: scratch("a.webp"), size: buffer.size, quality: 100, alpha: .straight))
    let read = samples8(try Photo(contentsOf: scratch("a.webp")).buffer)
    let expected = samples8(buffer)
    // Under alpha 0 the encoder is free to choose the colour.
    for start in stride(from: 0, to: 4 * buffer.size.pixelCount, by: 4) {
      let alpha = expected[start + 3]
      #expect(read[start + 3] == alpha)
      if alpha > 0 { #expect(read[start..<start + 3] == expected[start..<start + 3]) }
    }
  }

  @Test(
    "Lossy formats stay close",
    arguments: [
      (PhotoFileFormat.jpeg, 92, ChromaSubsampling.automatic, 1.0), (.jpeg, 100, .yuv444, 0.6),
      (.jpeg, 80, .automatic, 6.0), (.jpeg, 92, .yuv420, 4.0), (.webp, 92, .automatic, 4.0),
      (.heic, 92, .automatic, 4.0), (.avif, 92, .automatic, 4.0), (.jxl, 92, .automatic, 2.0),
    ])
  func lossy(format: PhotoFileFormat, quality: Int, chroma: ChromaSubsampling, bound: Double) throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(203, 101)
    let path = scratch("picture.\(format.pathExtensions[0])")
    try write(buffer, with: PhotoWriter(to: path, size: buffer.size, quality: quality, chroma: chroma))
    let photo = try Photo(contentsOf: path)
    #expect(photo.buffer.alpha == .opaque)
    let error = meanSquaredError(photo.buffer, buffer)
    #expect(error < bound, "mean squared error \(error)")
    #expect(error > 0)
  }

  @Test("JPEG stores colour at full density from quality 90 up, and says so in its frame header")
  func chroma() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(32, 32)
    let cases: [(quality: Int, chroma: ChromaSubsampling, factors: UInt8)] = [
      (89, .automatic, 0x22), (90, .automatic, 0x11), (90, .yuv420, 0x22), (50, .yuv444, 0x11),
    ]
    for (quality, chroma, factors) in cases {
      let path = scratch("\(quality)\(chroma).jpg")
      try write(buffer, with: PhotoWriter(to: path, size: buffer.size, quality: quality, chroma: chroma))
      let bytes = try scratch.read("\(quality)\(chroma).jpg")
      // ITU-T T.81, B.2.2: FFC0, length, precision, height, width, components, then id and sampling factors.
      let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
      #expect(bytes[frame + 11] == factors)
    }
  }

  @Test("The same rows give the same file, however they are banded")
  func bands() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(65, 130)
    for format in PhotoFileFormat.allCases {
      let whole = scratch("whole.\(format.rawValue)")
      let banded = scratch("banded.\(format.rawValue)")
      let writer = try PhotoWriter(to: whole, format: format, size: buffer.size)
      try writer.write(buffer)
      try writer.finish()
      try write(buffer, with: PhotoWriter(to: banded, format: format, size: buffer.size))
      #expect(try scratch.read("whole.\(format.rawValue)") == scratch.read("banded.\(format.rawValue)"))
      // And they are read the same in bands.
      let reader = try PhotoReader(contentsOf: whole)
      let band = try PixelBuffer(size: PixelSize(width: 65, height: 33), format: .rgba8)
      var rows: [UInt8] = []
      while reader.position < reader.size.height {
        let count = try reader.read(into: band)
        rows += (0..<count).flatMap { row8(band, $0) }
      }
      try reader.finish()
      #expect(rows == samples8(try Photo(contentsOf: whole).buffer))
    }
  }

  @Test("JPEG flattens transparency onto white and says so")
  func flattens() throws {
    let scratch = try Scratch()
    let size = PixelSize(width: 16, height: 16)
    let buffer = try PixelBuffer(size: size, format: .rgba8, alpha: .straight)
    for y in 0..<16 {
      for x in 0..<16 {
        let pixel: [UInt8] = x < 8 ? [10, 20, 30, 0] : [100, 100, 100, 128]
        for channel in 0..<4 { buffer.row(y, as: UInt8.self)[4 * x + channel] = pixel[channel] }
      }
    }
    let writer = try PhotoWriter(to: scratch("flat.jpg"), size: size, quality: 100, alpha: .straight)
    try write(buffer, with: writer)
    #expect(writer.warnings == ["JPEG stores no alpha; the picture was flattened onto white"])
    let row = row8(try Photo(contentsOf: scratch("flat.jpg")).buffer, 4)
    #expect(row[0...3].elementsEqual([255, 255, 255, 255]))
    // 100 · 128/255 + 255 · 127/255 = 177.2, and JPEG's rounding.
    #expect(abs(Int(row[60]) - 177) <= 1)
  }

  @Test("A large flattened picture is the same however its rows are brought, and by however many threads")
  func flattensLarge() throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(1500, 1401, alpha: .straight)
    func encode(threads: Int, step: Int) throws -> [UInt8] {
      let writer = try PhotoWriter(
        to: scratch("flat.jpg"), size: buffer.size, alpha: .straight, threads: threads, overwrite: true)
      for first in stride(from: 0, to: buffer.height, by: step) {
        try writer.write(buffer, rows: first..<min(first + step, buffer.height))
      }
      try writer.finish(durable: false)
      return try scratch.read("flat.jpg")
    }
    let rowByRow = try encode(threads: 1, step: 1)
    // More rows than are flattened at a time, and fewer; neither a whole number of strips.
    for (threads, step) in [(1, 1401), (3, 1401), (2, 700), (3, 50)] {
      #expect(try encode(threads: threads, step: step) == rowByRow, "\(threads) threads, \(step) rows")
    }
  }

  @Test("An ICC profile goes through every format unchanged", arguments: PhotoFileFormat.allCases)
  func iccProfile(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let buffer = try makeGradient(16, 16, tags: .displayP3)
    let path = scratch("picture.\(format.rawValue)")
    let profile = ICCFixture.displayP3
    try write(buffer, with: PhotoWriter(to: path, format: format, size: buffer.size, tags: .icc(profile)))
    let photo = try Photo(contentsOf: path)
    #expect(photo.buffer.tags == .icc(profile))
    #expect(photo.warnings == [])
    #expect(try PhotoHeader.read(path).tags == .icc(profile))
  }
}
