import LibraryTestSupport
import Safelight
import Testing

@testable import FrameAnalysis

/// Photos that analyses read smaller than they are give what the whole photo gives.
@Suite("Photo samples")
struct PhotoSampleTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A tilted shore between a light sky and a dark sea, with a fine pattern. Rows are put together from a few
  /// painted ones, so that large pictures are made fast.
  private func shore(_ width: Int, _ height: Int, format: PixelFormat = .rgba8) throws -> PixelBuffer {
    func row(isSea: Bool, phase: Int) -> [UInt8] {
      (0..<width).flatMap { x -> [UInt8] in
        let level = (isSea ? 70 : 190 + 30 * x / width) + ((x &* 37 ^ phase &* 59) & 7)
        return [level, level * 7 / 8, isSea ? level + 20 : level * 3 / 4, 255].map { UInt8($0) }
      }
    }
    let painted = (0..<8).map { phase in [true, false].map { row(isSea: $0, phase: phase) } }
    let picture = try PixelBuffer(size: PixelSize(width: width, height: height), format: format)
    for y in 0..<height {
      // The shore falls by 3 rows in 100 columns.
      let shore = min(max((y - height / 3) * 100 / 3, 0), width)
      let codes = painted[y % 8][0][..<(4 * shore)] + painted[y % 8][1][(4 * shore)...]
      if format == .rgba8 {
        _ = picture.row(y, as: UInt8.self).update(fromContentsOf: codes)
      } else {
        _ = picture.row(y, as: UInt16.self).update(fromContentsOf: codes.map { UInt16($0) * 257 })
      }
    }
    return picture
  }

  private func write(
    _ picture: PixelBuffer, to name: String, chroma: ChromaSubsampling = .automatic,
    metadata: PhotoMetadata = PhotoMetadata()
  ) throws -> String {
    let path = scratch(name)
    let writer = try PhotoWriter(
      to: path, size: picture.size, bitsPerSample: picture.format.bitsPerSample, quality: 92,
      tags: picture.tags, metadata: metadata, chroma: chroma, overwrite: true)
    try writer.write(picture)
    try writer.finish()
    return path
  }

  /// EXIF with an orientation only (EXIF 2.32, section 4.6.4).
  private func exif(_ orientation: Orientation) -> PhotoMetadata {
    PhotoMetadata(
      exif: Array("II*\0".utf8) + [
        8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation.rawValue, 0, 0, 0,
      ]
        + [0, 0, 0, 0])
  }

  /// Compares the proxy of a sample with that of the whole photo: the worst luma but for the outermost samples, its
  /// mean, by how many bins of lightness pixels moved, and the horizon to 0.02°.
  private func compare(_ path: String, luma: Float, mean: Float, moved: Double, comment: Comment) throws {
    let sample = try PhotoSample(contentsOf: path)
    let photo = try Photo(contentsOf: path)
    let whole = AnalysisProxy()
    try whole.update(from: photo.buffer, orientation: photo.orientation)
    #expect(sample.size == photo.orientation.applied(to: photo.buffer.size), comment)
    #expect(sample.orientation == photo.orientation && sample.warnings == photo.warnings, comment)
    try #require(sample.proxy.size == whole.size, comment)

    let width = whole.size.width
    let differences = zip(sample.proxy.luma, whole.luma).map { abs($0 - $1) }
    let worst = differences.enumerated().reduce(Float(0)) { worst, next in
      let (x, y) = (next.offset % width, next.offset / width)
      let isInside = x > 0 && y > 0 && x < width - 1 && y < whole.size.height - 1
      return isInside ? max(worst, next.element) : worst
    }
    #expect(worst <= luma, "\(comment): worst luma \(worst)")
    let average = differences.reduce(0, +) / Float(differences.count)
    #expect(average <= mean, "\(comment): mean luma \(average)")

    // How far the cumulative counts lie apart, over all bins: how many bins a pixel moved, on average.
    let (small, large) = (Histogram(sample.proxy), Histogram(whole))
    var (balance, distance) = (0.0, 0.0)
    for (a, b) in zip(small.lightness, large.lightness) {
      balance += Double(a) / Double(small.count) - Double(b) / Double(large.count)
      distance += abs(balance)
    }
    #expect(distance <= moved, "\(comment): moved by \(distance) bins")

    let detector = HorizonDetector()
    let found = detector.detect(in: sample.proxy)
    let expected = detector.detect(in: whole)
    #expect(
      abs((found.degrees ?? 90) - (expected.degrees ?? 90)) < 0.02,
      "\(comment): \(String(describing: found.degrees)), not \(String(describing: expected.degrees))")
    withExtendedLifetime((sample, whole)) {}
  }

  @Test("A JPEG gives the proxy of the whole photo", arguments: [ChromaSubsampling.yuv444, .yuv420])
  func jpeg(chroma: ChromaSubsampling) throws {
    // Shrunk by 2 and by 4. Where a size does not divide, the reduced picture is up to a part of a pixel larger, so
    // that edges shift by less than half a sample of the proxy.
    for (width, height) in [(2560, 900), (5120, 404), (2563, 901), (5121, 1501)] {
      let path = try write(try shore(width, height), to: "shore.jpg", chroma: chroma)
      let sample = try PhotoSample(contentsOf: path)
      let divisor = width > 5000 ? 4 : 2
      #expect(
        sample.buffer.size
          == PixelSize(width: (width + divisor - 1) / divisor, height: (height + divisor - 1) / divisor))
      #expect(sample.size == PixelSize(width: width, height: height))
      let isOdd = width % 2 == 1
      try compare(
        path, luma: isOdd ? 0.3 : 0.06, mean: isOdd ? 0.006 : 0.003, moved: 2, comment: "\(width) \(chroma)"
      )
    }
  }

  @Test("In every orientation", arguments: Orientation.allCases)
  func orientations(orientation: Orientation) throws {
    let path = try write(try shore(2560, 400), to: "turned.jpg", metadata: exif(orientation))
    let sample = try PhotoSample(contentsOf: path)
    #expect(sample.orientation == orientation)
    #expect(sample.proxy.size == orientation.applied(to: PixelSize(width: 640, height: 100)))
    try compare(path, luma: 0.06, mean: 0.003, moved: 2, comment: "\(orientation)")
  }

  @Test("Other formats are shrunk while they are read", arguments: [PixelFormat.rgba8, .rgba16])
  func bands(format: PixelFormat) throws {
    let picture = try shore(2600, 131, format: format)
    let path = try write(picture, to: "shore.png")
    let sample = try PhotoSample(contentsOf: path)
    #expect(sample.buffer.size == PixelSize(width: 1300, height: 66) && sample.buffer.format == format)
    #expect(sample.size == picture.size)
    // Two pixels of two rows, by hand; the last row stands alone.
    func code(_ buffer: PixelBuffer, _ x: Int, _ y: Int, _ channel: Int) -> Int {
      format == .rgba8
        ? Int(buffer.row(y, as: UInt8.self)[4 * x + channel])
        : Int(buffer.row(y, as: UInt16.self)[4 * x + channel])
    }
    for (x, y) in [(0, 0), (700, 33), (1299, 64), (651, 65)] {
      for channel in 0..<4 {
        let rows = y == 65 ? [130] : [2 * y, 2 * y + 1]
        let codes = rows.flatMap { row in [2 * x, 2 * x + 1].map { code(picture, $0, row, channel) } }
        let mean = Double(codes.reduce(0, +)) / Double(codes.count)
        #expect(code(sample.buffer, x, y, channel) == Int(mean.rounded()))
      }
    }
    let even = try write(try shore(2600, 400, format: format), to: "even.png")
    try compare(even, luma: 0.06, mean: 0.003, moved: 2, comment: "PNG \(format)")
  }

  @Test("What the camera said of its level stays with a photo until it is turned or mirrored")
  func levelOfEditedPhotos() throws {
    let edits: [(filters: [any Filter], keeps: Bool)] = [
      ([], true), ([Resize(longEdge: 50), Exposure(stops: 1)], true), ([Rotate(.clockwise)], true),
      ([Crop(.proportions(width: 1, height: 1))], true), ([Straighten(1)], false),
      ([Flip(.horizontal)], false),
      ([Flip(.horizontal), Flip(.vertical)], true),
    ]
    let xmp = #"<x drone-dji:GimbalRollDegree="+1.50" drone-dji:GimbalPitchDegree="-12.30"/>"#
    let path = try write(
      try shore(90, 60), to: "level.jpg", metadata: PhotoMetadata(xmp: Array(xmp.utf8)))
    var export = PhotoExport()
    export.overwrite = true
    for (filters, keeps) in edits {
      let recipe = Recipe(filters: filters)
      _ = try export.run(path, through: recipe, to: scratch("edited.jpg"))
      let expected = keeps ? 1.5 : nil
      #expect(try PhotoHeader.read(scratch("edited.jpg")).metadata.gravityRoll == expected, "\(filters)")
      let edited = try CPURenderer().render(try Photo(contentsOf: path), through: recipe)
      #expect(edited.metadata.gravityRoll == expected, "\(filters)")
    }
  }

  @Test("Small photos are read as they are")
  func small() throws {
    let picture = try shore(1500, 60)
    let sample = try PhotoSample(contentsOf: try write(picture, to: "small.png"))
    #expect(sample.buffer.size == picture.size)
    for y in [0, 31, 59] {
      #expect(sample.buffer.row(y, as: UInt8.self).elementsEqual(picture.row(y, as: UInt8.self)))
    }
  }
}
