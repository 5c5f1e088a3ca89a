@testable import Files
import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO
import Libc

@Suite("Errors of reading")
struct ReadingErrorTests {
  private func readError(_ path: String) -> String? {
    let photo = message { _ = try Photo(contentsOf: path) }
    #expect(message { _ = try PhotoHeader.read(path) } == photo)
    return photo
  }

  @Test("A missing file")
  func missing() throws {
    let scratch = try Scratch()
    let path = scratch("none.jpg")
    #expect(readError(path) == "Cannot read \(path): there is no such file; check the spelling.")
  }

  @Test("A folder, a pipe and a device are refused, and a pipe does not block")
  func notAFile() throws {
    let scratch = try Scratch()
    #expect(
      readError(scratch.path) == "Cannot read \(scratch.path): it is a folder; name a picture in it.")
    let pipe = scratch("pipe.jpg")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(
      readError(pipe) == "Cannot read \(pipe): it is not a regular file; save the data to a file first.")
    #expect(
      readError("/dev/null")
        == "Cannot read /dev/null: it is not a regular file; save the data to a file first."
    )
  }

  @Test("A file without permission", .enabled(if: geteuid() != 0, "root may read every file"))
  func unreadable() throws {
    let scratch = try Scratch()
    let path = try scratch.write(Fixtures.grayJPEG, to: "secret.jpg")
    #expect(chmod(path, 0) == 0)
    #expect(
      readError(path) == "Cannot read \(path): permission is denied; change the file's permissions.")
  }

  @Test(
    "What is no picture says what it looks like",
    arguments: [
      ("", "the file is empty; copy it again from its source."),
      (
        "Dear diary,\n",
        "it looks like text, which is not a supported format; use a photo such as a JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL."
      ),
      (
        "%PDF-1.7\n",
        "it looks like a PDF document, which is not a supported format; use a photo such as a JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL."
      ),
      (
        "\0\0\0\u{18}ftypisom",
        "it looks like a video, which is not a supported format; use a photo such as a JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL."
      ),
      (
        "\u{1}\u{2}\u{3}",
        "it is not a picture in a known format; "
          + "use a photo such as a JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL."
      ),
    ])
  func notAPicture(text: String, expected: String) throws {
    let scratch = try Scratch()
    let path = try scratch.write(Array(text.utf8), to: "photo.jpg")
    #expect(readError(path) == "Cannot read \(path): \(expected)")
  }

  @Test("Samples that are not supported are named")
  func unsupportedSamples() throws {
    let scratch = try Scratch()
    let path = try scratch.write(Fixtures.int32TIFF, to: "photo.tif")
    #expect(
      readError(path)
        == "Cannot read \(path): this kind of TIFF is not supported (3 channels); "
        + "convert it to RGB with 8 or 16 bits.")
  }

  @Test("The content decides, not the name")
  func wrongName() throws {
    let scratch = try Scratch()
    let path = try scratch.write(Fixtures.deepPNG, to: "photo.jpg")
    #expect(try Photo(contentsOf: path).fileFormat == .png)
  }

  @Test("Names with brackets are names, not options of libvips")
  func brackets() throws {
    let scratch = try Scratch()
    let path = try scratch.write(Fixtures.deepPNG, to: "photo[access=random].png")
    #expect(try Photo(contentsOf: path).buffer.width == 2)
  }

  @Test("A header of 65535 × 65535 is refused before memory is asked for")
  func hugeJPEG() throws {
    let scratch = try Scratch()
    var bytes = Fixtures.grayJPEG
    let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    let path = try scratch.write(bytes, to: "huge.jpg")
    #expect(
      readError(path)
        == "The picture is too large (65500×65500): at most 65535 pixels per edge and 1200 megapixels are accepted."
    )
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0, 0, 0, 0])
    let empty = try scratch.write(bytes, to: "empty.jpg")
    #expect(message { _ = try Photo(contentsOf: empty) } != nil)
  }

  @Test("A PNG header of 100000 × 100000 is refused before memory is asked for")
  func hugePNG() throws {
    let scratch = try Scratch()
    var bytes = Array(Fixtures.deepPNG[0..<8])
    let size: [UInt8] = [0, 1, 0x86, 0xA0]
    bytes += PNGChunks.chunk("IHDR", size + size + [8, 6, 0, 0, 0])
    bytes += Fixtures.deepPNG[33...]
    let path = try scratch.write(bytes, to: "huge.png")
    #expect(
      readError(path)
        == "The picture is too large (100000×100000): "
        + "at most 65535 pixels per edge and 1200 megapixels are accepted.")
  }
}

@Suite("Truncated files", .everyFormatIsWritable)
struct TruncationTests {
  /// A picture with detail everywhere, so that no end of the file is padding.
  private func noise(_ format: PhotoFileFormat, quality: Int = 92) throws -> [UInt8] {
    let scratch = try Scratch()
    var generator = SeededRandom(seed: 7)
    let size = PixelSize(width: 96, height: 80)
    let buffer = try PixelBuffer(size: size, format: .rgba8)
    for y in 0..<size.height {
      for x in 0..<4 * size.width {
        buffer.row(y, as: UInt8.self)[x] = x % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &generator)
      }
    }
    try write(buffer, with: PhotoWriter(to: scratch("a"), format: format, size: size, quality: quality))
    return try scratch.read("a")
  }

  @Test("A file cut anywhere is an error, never half a picture", arguments: PhotoFileFormat.allCases)
  func cut(format: PhotoFileFormat) throws {
    let scratch = try Scratch()
    let whole = try noise(format)
    let path = scratch("cut")
    var lengths = Array(1..<40) + stride(from: 40, to: whole.count - 16, by: max(whole.count / 60, 1))
    // PNG's end chunk and TIFF's trailing tag values hold no pixels; JPEG's last two bytes are the end marker.
    lengths += [whole.count - (format == .jpeg ? 6 : 24)]
    for length in lengths {
      try scratch.write(Array(whole[..<length]), to: "cut")
      let text = message { _ = try Photo(contentsOf: path) }
      #expect(
        text?.hasPrefix("Cannot read \(path): ") ?? false,
        "\(length) of \(whole.count) bytes: \(text ?? "read")")
    }
    try scratch.write(whole, to: "cut")
    #expect(try Photo(contentsOf: path).warnings == [])
  }

  @Test("A progressive JPEG cut anywhere is an error")
  func progressive() throws {
    let scratch = try Scratch()
    let whole = Fixtures.progressiveJPEG
    for length in 1..<whole.count - 2 {
      let path = try scratch.write(Array(whole[..<length]), to: "cut.jpg")
      #expect(message { _ = try Photo(contentsOf: path) } != nil, "\(length) of \(whole.count) bytes")
    }
  }

  @Test("A truncated JPEG says that it ends early")
  func jpegMessage() throws {
    let scratch = try Scratch()
    let whole = try noise(.jpeg)
    let path = try scratch.write(Array(whole[..<(whole.count / 2)]), to: "cut.jpg")
    #expect(
      message { _ = try Photo(contentsOf: path) }
        == "Cannot read \(path): the JPEG data end early; copy the file again from its source.")
    // An end marker after the cut does not make it whole.
    let closed = try scratch.write(Array(whole[..<(whole.count / 2)]) + [0xFF, 0xD9], to: "closed.jpg")
    #expect(
      message { _ = try Photo(contentsOf: closed) }
        == "Cannot read \(closed): the JPEG data end early; copy the file again from its source.")
  }

  @Test("A JPEG that lacks only its end marker is read with a warning")
  func missingEndMarker() throws {
    let scratch = try Scratch()
    let whole = try noise(.jpeg)
    let path = try scratch.write(Array(whole.dropLast(2)), to: "a.jpg")
    #expect(try Photo(contentsOf: path).warnings == ["The JPEG data are damaged: the end marker is missing"])
  }

  @Test("Stray bytes between the markers of a JPEG are tolerated")
  func strayBytes() throws {
    let scratch = try Scratch()
    let whole = try noise(.jpeg)
    let stray = Array(whole[..<20]) + [0x12, 0x34, 0x56] + whole[20...]
    let path = try scratch.write(stray, to: "stray.jpg")
    #expect(
      try samples8(Photo(contentsOf: path).buffer)
        == samples8(Photo(contentsOf: scratch.write(whole, to: "b")).buffer))
  }

  @Test("Two thousand mutated JPEG files neither crash nor read beyond their bytes")
  func mutatedJPEG() throws {
    var generator = SeededRandom(seed: 99)
    let seeds = [
      try noise(.jpeg, quality: 40), Fixtures.progressiveJPEG, Fixtures.cmykJPEG, Fixtures.grayJPEG,
    ]
    var failures = 0
    for round in 0..<2_000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
          in: 0...255, using: &generator)
      }
      do {
        let longEdge = [nil, 1, 8, 16][round / seeds.count % 4]
        let reader = try JPEGRowReader(
          FileContents(bytes, path: "mutated"), path: "mutated", scaledToLongEdge: longEdge)
        _ = JPEGMetadata.parse(reader.markers)
        // Sizes that the mutation made huge cost time, not insight.
        guard reader.size.pixelCount < 1 << 20 else { continue }
        var rows = [UInt8](repeating: 0, count: 4 * reader.size.width)
        for _ in 0..<reader.size.height {
          try rows.withUnsafeMutableBytes { row in
            guard let base = row.baseAddress else { return }
            try reader.read(1, into: base, rowBytes: row.count)
          }
        }
        _ = try reader.finish()
      } catch {
        #expect(error is SafelightError)
        failures += 1
      }
    }
    #expect(failures > 200 && failures < 1_900)
  }
}
