import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Reading at a reduced size")
struct ScaledReadingTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The picture in a file, read for a long edge of `longEdge`.
  private func read(_ path: String, _ longEdge: Int) throws -> (reader: PhotoReader, buffer: PixelBuffer) {
    let reader = try PhotoReader(contentsOf: path, scaledToLongEdge: longEdge)
    let buffer = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: buffer)
    try reader.finish()
    return (reader, buffer)
  }

  @Test(
    "JPEG shrinks by 2, 4 or 8, rounded up, and its long edge stays as long as asked for",
    arguments: [
      // Asked for, and the divisor: 203 / 8 is 25.4, and so on.
      (1, 8), (25, 8), (26, 4), (50, 4), (51, 2), (101, 2), (102, 1), (203, 1), (4000, 1), (.max, 1),
    ])
  func divisors(longEdge: Int, divisor: Int) throws {
    let path = scratch("a.jpg")
    try write(try makeGradient(203, 77), to: path)
    let reader = try PhotoReader(contentsOf: path, scaledToLongEdge: longEdge)
    let size = PixelSize(width: (203 + divisor - 1) / divisor, height: (77 + divisor - 1) / divisor)
    #expect(reader.size == size)
    #expect(reader.photoSize == PixelSize(width: 203, height: 77))
    #expect(size.longEdge >= min(longEdge, 203))
    #expect(try PhotoReader(contentsOf: path).size == reader.photoSize)
  }

  private func write(
    _ picture: PixelBuffer, to path: String, chroma: ChromaSubsampling = .automatic,
    metadata: PhotoMetadata = PhotoMetadata()
  ) throws {
    let writer = try PhotoWriter(
      to: path, size: picture.size, quality: 95, tags: picture.tags, metadata: metadata, chroma: chroma)
    try writer.write(picture)
    try writer.finish()
  }

  /// The worst difference of a sample of `small` from the mean of its area in `large`, in code values, but for areas
  /// that the picture's edge cuts.
  private func worstDifference(_ small: PixelBuffer, _ large: PixelBuffer, divisor: Int) -> Double {
    var worst = 0.0
    for y in 0..<large.height / divisor {
      let row = row8(small, y)
      let rows = (0..<divisor).map { row8(large, y * divisor + $0) }
      for x in 0..<large.width / divisor {
        for channel in 0..<3 {
          var sum = 0
          for from in rows { for i in 0..<divisor { sum += Int(from[4 * (x * divisor + i) + channel]) } }
          worst = max(worst, abs(Double(row[4 * x + channel]) - Double(sum) / Double(divisor * divisor)))
        }
      }
    }
    return worst
  }

  @Test(
    "A reduced JPEG has the means of the whole one's areas, to three code values on smooth pictures",
    arguments: [ChromaSubsampling.yuv444, .yuv420], [2, 4, 8])
  func means(chroma: ChromaSubsampling, divisor: Int) throws {
    for (width, height) in [(203, 77), (160, 96), (75, 61)] {
      let path = scratch("\(width).jpg")
      try write(try makeGradient(width, height), to: path, chroma: chroma)
      let longEdge = max(width, height) / divisor
      let (reader, small) = try read(path, longEdge)
      let whole = try Photo(contentsOf: path).buffer
      #expect(small.width == (width + divisor - 1) / divisor)
      let worst = worstDifference(small, whole, divisor: divisor)
      #expect(worst <= 3, "\(width)×\(height): \(worst)")
      #expect(reader.warnings.isEmpty && reader.position == small.height)
    }
  }

  @Test("Everything but the size is as without scaling, for grey, CMYK and progressive JPEG too")
  func sameMeaning() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.appending(path: "Fuzz/jpeg").path
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let path = folder + "/" + name
      let whole = Result { try Photo(contentsOf: path) }
      let small = Result { try read(path, 1) }
      switch (whole, small) {
      case (.success(let whole), .success(let small)):
        #expect(small.reader.photoSize == whole.buffer.size)
        #expect(small.buffer.width == (whole.buffer.width + 7) / 8)
        #expect(small.buffer.format == whole.buffer.format && small.buffer.tags == whole.buffer.tags)
        #expect(small.reader.orientation == whole.orientation && small.reader.isGray == whole.isGray)
        #expect(small.reader.metadata == whole.metadata && small.reader.warnings == whole.warnings)
      case (.failure(let whole), .failure(let small)):
        #expect((whole as? SafelightError) == (small as? SafelightError), "\(name)")
      default: Issue.record("\(name): whole \(whole), reduced \(small)")
      }
    }
  }

  @Test("Flat grey and CMYK keep their colour")
  func flatColors() throws {
    let gray = try read(try scratch.write(Fixtures.grayJPEG, to: "gray.jpg"), 8).buffer
    #expect(gray.width == 8 && samples8(gray).enumerated().allSatisfy { $1 == ($0 % 4 == 3 ? 255 : 77) })
    // Left half red, right half of half black.
    let cmyk = try read(try scratch.write(Fixtures.cmykJPEG, to: "cmyk.jpg"), 4).buffer
    let whole = try Photo(contentsOf: scratch("cmyk.jpg")).buffer
    #expect(cmyk.width == 4)
    #expect(worstDifference(cmyk, whole, divisor: 4) <= 2)
  }

  @Test("A JPEG cut anywhere is an error, and one without its end marker a warning")
  func truncation() throws {
    let path = scratch("cut.jpg")
    let picture = try makeGradient(150, 140)
    try write(picture, to: path)
    let whole = try scratch.read("cut.jpg")
    for length in stride(from: 1, to: whole.count - 6, by: 37) {
      try scratch.write(Array(whole[..<length]), to: "cut.jpg")
      let text = message { _ = try read(path, 10) }
      #expect(text?.hasPrefix("Cannot read \(path): ") ?? false, "\(length): \(text ?? "read")")
    }
    try scratch.write(Array(whole.dropLast(2)), to: "cut.jpg")
    #expect(try read(path, 10).reader.warnings == ["The JPEG data are damaged: the end marker is missing"])
  }

  @Test("Other formats are read as they are", arguments: [PhotoFileFormat.png, .tiff, .webp])
  func otherFormats(format: PhotoFileFormat) throws {
    let path = scratch("a.\(format.pathExtensions[0])")
    try write(try makeGradient(90, 40), to: path)
    let reader = try PhotoReader(contentsOf: path, scaledToLongEdge: 10)
    #expect(reader.size == PixelSize(width: 90, height: 40) && reader.photoSize == reader.size)
  }
}
