import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

@Suite("Which files are camera raws, and damaged ones", .libRawIsInstalled)
struct RawDamageTests {
  private func file(_ bits: Int = 16) -> DNGFile {
    var file = DNGFile(width: 40, height: 30) { x, y, _ in Double((x * 7 + y * 13) % 50) / 60 }
    (file.bits, file.neutral) = (bits, [0.5, 1, 0.7])
    return file
  }

  @Test(
    "A digital negative is told by its content, whatever its name",
    arguments: ["a.dng", "a.tif", "a.jpg", "a"])
  func content(name: String) throws {
    let scratch = try Scratch()
    let path = try scratch.write(file().bytes, to: name)
    #expect(try PhotoHeader.read(path).formatName == "DNG")
    #expect(try Photo(contentsOf: path).buffer.size == PixelSize(width: 40, height: 30))
  }

  @Test("A plain TIFF is no camera raw")
  func plainTIFF() throws {
    let scratch = try Scratch()
    let header = try PhotoHeader.read(try scratch.write(Fixtures.turnedTIFF, to: "photo.tif"))
    #expect(header.fileFormat == .tiff)
    #expect(header.tags != .linearRec2020)
  }

  @Test("A TIFF that begins with a preview, or is called a raw, is not read as a TIFF")
  func preview() throws {
    let scratch = try Scratch()
    for (bytes, name, kind) in [
      (Fixtures.thumbnailTIFF, "photo.tif", "camera raw"),
      (Fixtures.thumbnailTIFF, "photo.NEF", "NEF camera raw"),
      (Fixtures.turnedTIFF, "photo.pef", "PEF camera raw"),
    ] {
      let path = try scratch.write(bytes, to: name)
      #expect(
        message { _ = try Photo(contentsOf: path) }
          == "Cannot read \(path): it looks like a \(kind), but LibRaw does not know its kind, or its header is "
          + "damaged; copy the file again from its source, or develop it to a TIFF first.")
    }
  }

  @Test(
    "Signatures of camera raws are known",
    arguments: [
      ("II*\0\u{10}\0\0\0CR\u{2}\0", "CR2"), ("\0\0\0\u{18}ftypcrx ", "CR3"), ("FUJIFILMCCD-RAW 0201", "RAF"),
      ("IIRO\u{8}\0\0\0", "ORF"), ("IIU\0\u{18}\0\0\0", "RW2"), ("FOVb\0\0", "X3F"), ("\0MRM\0\0", "MRW"),
      ("II\u{1A}\0\0\0HEAPCCDR", "CRW"),
    ])
  func signatures(text: String, kind: String) throws {
    #expect(FileSignature(Array(text.utf8)) == .cameraRaw(kind))
    let scratch = try Scratch()
    let path = try scratch.write(Array(text.utf8), to: "photo.bin")
    let text = try #require(message { _ = try PhotoHeader.read(path) })
    #expect(text.hasPrefix("Cannot read \(path): "))
    #expect(text.contains("\(kind) camera raw"), "\(text)")
  }

  @Test("A camera raw is not written")
  func writing() {
    #expect(
      message { _ = try PhotoFileFormat(forWritingTo: "out.DNG") }?.hasPrefix(
        "Cannot write out.DNG: camera raws are read but not written; use one of .jpg") ?? false)
  }

  @Test("All that is read is in one list, and each ending once")
  func endings() {
    let readable = PhotoFileFormat.readablePathExtensions
    #expect(
      readable.isSuperset(of: ["jpg", "tiff", "webp", "heic", "avif", "jxl", "dng", "cr3", "nef", "raf"]))
    #expect(PhotoFileFormat.picturePathExtensions.isDisjoint(with: CameraRaw.pathExtensions))
    #expect(readable.allSatisfy { $0 == $0.lowercased() && !$0.contains(".") })
  }

  @Test("A raw cut anywhere in the sensor's data is an error, never half a picture", arguments: [12, 14, 16])
  func cut(bits: Int) throws {
    let scratch = try Scratch()
    // The directories come last in the file, so the data are cut by moving them down.
    let pixels = 40 * 30 * bits / 8
    let whole = file(bits).bytes
    #expect(try Photo(contentsOf: try scratch.write(whole, to: "whole.dng")).warnings == [])
    for length in stride(from: 1, to: whole.count, by: 37) {
      let path = try scratch.write(Array(whole[..<length]), to: "cut.dng")
      let text = message { _ = try Photo(contentsOf: path) }
      #expect(text?.hasPrefix("Cannot read \(path): ") ?? false, "\(length) bytes: \(text ?? "read")")
    }
    // The strip now begins so late that it reaches beyond the end of the file.
    for missing in [1, 2, 40, pixels / 2, pixels] {
      var moved = whole
      let field = try #require(Self.valueOfStripOffset(whole))
      let start = whole.count - pixels + missing
      moved.replaceSubrange(
        field..<field + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: start >> (8 * $0)) })
      let path = try scratch.write(moved, to: "moved.dng")
      #expect(
        message { _ = try Photo(contentsOf: path) }?.hasPrefix(
          "Cannot read \(path): the DNG camera raw data are damaged or end early") ?? false, "\(missing)")
      // The header can be read, and warns.
      let header = try PhotoHeader.read(path)
      #expect(header.size == PixelSize(width: 40, height: 30))
      #expect(
        header.warnings
          == ["The file seems to end early, by \(missing) bytes; parts of the picture may be missing"])
    }
  }

  private static func valueOfStripOffset(_ bytes: [UInt8]) -> Int? {
    // Tag 273, LONG, one value.
    bytes.indices.first { bytes[$0...].starts(with: [0x11, 1, 4, 0, 1, 0, 0, 0]) }.map { $0 + 8 }
  }

  @Test(
    "Sizes beyond all bounds are refused before memory is asked for",
    arguments: [
      (60_000, 60_000), (63_000, 30_000), (64_001, 100), (65_535, 65_535), (1_000_000, 10), (3, 3), (0, 0),
    ])
  func absurdSizes(size: (Int, Int)) throws {
    let scratch = try Scratch()
    var claiming = file()
    claiming.claimedSize = size
    let path = try scratch.write(claiming.bytes, to: "photo.dng")
    let text = try #require(message { _ = try Photo(contentsOf: path) })
    #expect(text.hasPrefix("Cannot read \(path)") || text.hasPrefix("The picture is too large"), "\(text)")
  }

  @Test("Bytes changed at random give an error or a picture of the header's size")
  func mutations() throws {
    let scratch = try Scratch()
    var random = SeededRandom(seed: 11)
    let whole = file(14).bytes
    let directories = 40 * 30 * 14 / 8 + 8
    var failures = 0
    for round in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: directories..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      let path = try scratch.write(bytes, to: "changed.dng")
      do {
        let size = try PhotoHeader.read(path).size
        // A size that mutation made huge is not worth the time here.
        guard size.pixelCount < 1_000_000 else { continue }
        let photo = try Photo(contentsOf: path)
        #expect(photo.buffer.size == size, "round \(round)")
      } catch let error as SafelightError {
        failures += 1
        #expect(!error.problem.isEmpty)
      }
    }
    #expect(failures > 20 && failures < 380, "\(failures)")
  }
}
