import CJPEG
import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Frames of Motion JPEG as photos")
struct MotionJPEGFrameTests {
  private static let seeds: [(name: String, bytes: [UInt8])] = {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.appending(path: "Fuzz/mjpeg")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
    return names.compactMap { name in
      (try? Data(contentsOf: folder.appending(path: name))).map { (name, Array($0)) }
    }
  }()

  private static func seed(_ name: String) throws -> [UInt8] {
    try #require(seeds.first { $0.name == name }?.bytes)
  }

  /// The stored samples of a JPEG, one plane after the other, by libjpeg; nil if it finds any damage.
  private func samples(_ bytes: [UInt8]) -> [UInt8]? {
    guard let decoder = jpeg_frame_decoder_new() else { return nil }
    defer { jpeg_frame_decoder_free(decoder) }
    var header = jpeg_frame_header()
    return bytes.withUnsafeBufferPointer { bytes -> [UInt8]? in
      guard jpeg_frame_decoder_begin(decoder, bytes.baseAddress, bytes.count, &header) == CJPEG_OK else {
        return nil
      }
      let rowBytes = (Int(header.width) + 63) / 16 * 16
      let planeBytes = rowBytes * Int(header.height)
      let count = header.sampling == JPEG_FRAME_GRAY ? 1 : 3
      var samples = [UInt8](repeating: 0, count: count * planeBytes)
      let status = samples.withUnsafeMutableBufferPointer { samples in
        let planes = (0..<count).map { index in
          jpeg_frame_plane(
            base: samples.baseAddress.map { $0 + index * planeBytes }, row_bytes: rowBytes,
            rows: header.height)
        }
        return jpeg_frame_decoder_finish(decoder, planes, Int32(count))
      }
      return status == CJPEG_OK ? samples : nil
    }
  }

  @Test("Seeds are made into photos with the very same samples, or refused, as their names say")
  func corpus() throws {
    #expect(Self.seeds.count >= 20)
    for (name, bytes) in Self.seeds {
      let text = message { _ = try MotionJPEGFrame(bytes) }
      #expect((text == nil) == name.hasPrefix("good-"), "\(name): \(text ?? "accepted")")
      guard text == nil else {
        #expect(text?.contains("amera") == true && text?.contains("; ") == true, "\(name): \(text ?? "")")
        continue
      }
      let frame = try MotionJPEGFrame(bytes)
      #expect(frame.size == PixelSize(width: 72, height: 40), "\(name)")
      let file = frame.file(CapturedPhotoTests.facts, orientation: .left).bytes
      #expect(samples(file) == samples(bytes), "\(name)")
      #expect(samples(file) != nil, "\(name)")
    }
  }

  /// The markers of a JPEG's segments, in order, by code of the tests' own: for files without stray bytes.
  private func markers(_ bytes: [UInt8]) -> [UInt8] {
    var (markers, position): ([UInt8], Int) = ([], 2)
    while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] != 0xDA {
      markers.append(bytes[position + 1])
      position += 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
    }
    return markers
  }

  @Test(
    "A file has what it needs and no more",
    arguments: [
      ("good-no-tables.jpg", [0xE1, 0xE1, 0xC4, 0xDB, 0xDB, 0xC0]),
      ("good-with-tables.jpg", [0xE0, 0xE1, 0xE1, 0xDB, 0xDB, 0xC0, 0xC4, 0xC4, 0xC4, 0xC4]),
      ("good-some-tables.jpg", [0xE1, 0xE1, 0xC4, 0xDB, 0xDB, 0xC0, 0xC4]),
      ("good-jfif-twice.jpg", [0xE0, 0xE1, 0xE1, 0xC4, 0xDB, 0xDB, 0xC0]),
      ("good-avi.jpg", [0xE1, 0xE1, 0xC4, 0xDB, 0xDB, 0xC0]),
      ("good-h264.jpg", [0xE1, 0xE1, 0xC4, 0xDB, 0xDB, 0xC0]),
      ("good-own-exif.jpg", [0xE1, 0xE1, 0xC4, 0xDB, 0xDB, 0xC0]),
    ] as [(String, [UInt8])])
  func segments(name: String, expected: [UInt8]) throws {
    let frame = try MotionJPEGFrame(try Self.seed(name))
    let file = frame.file(CapturedPhotoTests.facts).bytes
    #expect(markers(file) == expected, "\(name): \(markers(file).map { String($0, radix: 16) })")
    #expect(file.suffix(2) == [0xFF, 0xD9])
    #expect(
      frame.warnings == (name == "good-own-exif.jpg" ? ["The camera's own EXIF data were replaced"] : []))
    // Nothing follows the end, and the entropy-coded data are the frame's.
    let scan = try Self.seed("good-no-tables.jpg").suffix(400)
    #expect(file.suffix(400) == scan, "\(name)")
  }

  @Test("The standard tables are those that libjpeg writes into files")
  func standardTables() throws {
    // A file by libjpeg, which has a table each in four segments: luma first.
    let tables = try JPEGSegmentsOf(Self.seed("good-with-tables.jpg")).huffmanTables
    var segment = [UInt8](repeating: 0, count: Int(JPEG_STANDARD_TABLES_BYTES))
    jpeg_write_standard_tables(&segment)
    #expect(Array(segment[..<4]) == [0xFF, 0xC4, 0x01, 0xA2])
    #expect(Array(segment[4...]) == tables.flatMap { $0 })
  }

  /// The payloads of the segments with Huffman tables.
  private struct JPEGSegmentsOf {
    let huffmanTables: [[UInt8]]
    init(_ bytes: [UInt8]) throws {
      huffmanTables = try bytes.withUnsafeBytes { bytes in
        try JPEGSegments(bytes).segments.filter { $0.marker == 0xC4 }.map { Array(bytes[$0.payload]) }
      }
    }
  }

  @Test("Rows that only complete blocks are cut off, and all others stay", arguments: [39, 34, 33])
  func rowsAdded(height: Int) throws {
    // 4:2:0, so that 33 to 48 rows are three rows of blocks.
    let bytes = try Self.seed("good-no-tables.jpg")
    let frame = try MotionJPEGFrame(bytes, expecting: PixelSize(width: 72, height: height))
    #expect(frame.size == PixelSize(width: 72, height: height))
    let file = frame.file(CaptureFacts()).bytes
    let (whole, cut) = (try #require(samples(bytes)), try #require(samples(file)))
    // The planes' rows as `samples` has them.
    let rowBytes = (72 + 63) / 16 * 16
    #expect(cut[..<(height * rowBytes)] == whole[..<(height * rowBytes)])
    for plane in 1...2 {
      let chroma = (height + 1) / 2 * rowBytes
      let (from, stored) = (plane * height * rowBytes, plane * 40 * rowBytes)
      #expect(cut[from..<from + chroma].elementsEqual(whole[stored..<stored + chroma]))
    }
    let scratch = try Scratch()
    let photo = try Photo(contentsOf: try scratch.write(file, to: "photo.jpg"))
    #expect(photo.warnings == [] && photo.buffer.height == height)
  }

  @Test(
    "A frame of another size than the stream's is refused",
    arguments: [(72, 32), (72, 41), (71, 40), (80, 40)])
  func otherSize(width: Int, height: Int) throws {
    let bytes = try Self.seed("good-no-tables.jpg")
    #expect(
      message { _ = try MotionJPEGFrame(bytes, expecting: PixelSize(width: width, height: height)) }
        == "The camera's frame is damaged: it is 72×40, and the camera was asked for \(width)×\(height); take the photo again."
    )
    #expect(try MotionJPEGFrame(bytes, expecting: PixelSize(width: 72, height: 40)).size.height == 40)
    let header = try Self.seed("bad-only-header.jpg").prefix(140)
    #expect(
      message { _ = try MotionJPEGFrame(Array(header), expecting: PixelSize(width: 72, height: 40)) } != nil)
  }

  @Test("The file has the facts and the orientation, and is read as sRGB", arguments: Orientation.allCases)
  func metadata(orientation: Orientation) throws {
    let scratch = try Scratch()
    let frame = try MotionJPEGFrame(try Self.seed("good-no-tables.jpg"))
    let path = scratch("photo.jpg")
    #expect(try frame.write(to: path, CapturedPhotoTests.facts, orientation: orientation) == [])
    let photo = try Photo(contentsOf: path)
    #expect(photo.orientation == orientation)
    #expect(photo.metadata.captureFacts == CapturedPhotoTests.facts)
    #expect(photo.buffer.tags == .sRGB)
    #expect(photo.warnings == [])
    #expect(
      try scratch.read("photo.jpg") == frame.file(CapturedPhotoTests.facts, orientation: orientation).bytes)
  }

  @Test("exiftool finds nothing wrong with the files", .installed(.exiftool))
  func validated() throws {
    let scratch = try Scratch()
    var paths: [String] = []
    for (name, bytes) in Self.seeds where name.hasPrefix("good-") {
      try MotionJPEGFrame(bytes).write(to: scratch(name), CapturedPhotoTests.facts)
      paths.append(scratch(name))
    }
    #expect(try ExifTool.complaints(paths) == [])
  }

  @Test("Damage is told in a sentence, and nothing is written")
  func messages() throws {
    func text(_ name: String) throws -> String? {
      let seed = try Self.seed(name)
      return message { _ = try MotionJPEGFrame(seed) }
    }
    #expect(
      try text("bad-zeros.jpg")
        == "The camera's frame is damaged: it does not begin like a JPEG; take the photo again.")
    #expect(
      try text("bad-segment-too-long.jpg")
        == "The camera's frame is damaged: a segment of 65520 bytes does not fit; take the photo again.")
    #expect(
      try text("bad-fields.jpg")
        == "The camera sends each picture as two fields (interlaced); choose a progressive format, or one that is not Motion JPEG."
    )
    #expect(
      try text("bad-two-starts.jpg")
        == "The camera's frame is damaged: another picture begins within it; take the photo again.")
    #expect(
      try text("bad-truncated.jpg")?.hasPrefix("The camera's frame is damaged: Premature end of JPEG") == true
        || (try text("bad-truncated.jpg")?.hasPrefix("The camera's frame is damaged: Corrupt JPEG data")
          == true)
    )
    let scratch = try Scratch()
    let frame = try MotionJPEGFrame(try Self.seed("good-no-tables.jpg"))
    #expect(
      message { try frame.write(to: scratch("photo.png"), CaptureFacts()) }
        == "Cannot write \(scratch("photo.png")): a frame of Motion JPEG becomes a JPEG file; use .jpg, or decode the frame first."
    )
    try scratch.write("mine", to: "photo.jpg")
    #expect(
      message { try frame.write(to: scratch("photo.jpg"), CaptureFacts()) }?.contains("already exists")
        == true)
    #expect(try scratch.names == ["photo.jpg"] && scratch.read("photo.jpg") == Array("mine".utf8))
  }

  @Test("4,000 mutated frames become photos with the same samples, or are refused")
  func mutations() throws {
    var generator = SeededRandom(seed: 0x5AFE_1170)
    let corpus = Self.seeds.map(\.bytes).filter { !$0.isEmpty }
    var accepted = 0
    for round in 0..<4000 {
      var bytes = corpus[round % corpus.count]
      for _ in 0...(round / corpus.count % 4) { mutate(&bytes, corpus, using: &generator) }
      guard let frame = try? MotionJPEGFrame(bytes) else { continue }
      accepted += 1
      // A mutated size; decoding it once more would take much memory.
      guard frame.size.pixelCount <= 1 << 20 else { continue }
      let file = frame.file(CaptureFacts()).bytes
      // Stray markers may make libjpeg refuse the frame that was mended; never the other way round.
      #expect(samples(file) != nil, "round \(round)")
      if let original = samples(bytes) { #expect(samples(file) == original, "round \(round)") }
    }
    // Were everything refused at its first byte, nothing would have been tried.
    #expect(accepted > 200 && accepted < 3600, "\(accepted)")
  }

  private func mutate(_ bytes: inout [UInt8], _ corpus: [[UInt8]], using generator: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    let position = Int.random(in: 0..<bytes.count, using: &generator)
    let end = min(bytes.count, position + Int.random(in: 1...12, using: &generator))
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    // Markers lead further than random bytes do.
    case 2:
      bytes.replaceSubrange(position..<end, with: [0xFF, UInt8.random(in: 0xC0...0xFE, using: &generator)])
    case 3: bytes.removeSubrange(position..<end)
    case 4: bytes.insert(contentsOf: bytes[position..<end], at: position)
    case 5: bytes.removeSubrange(position...)
    default:
      let other = corpus.randomElement(using: &generator) ?? []
      bytes = bytes[..<position] + other.suffix(Int.random(in: 0...other.count, using: &generator))
    }
  }
}
