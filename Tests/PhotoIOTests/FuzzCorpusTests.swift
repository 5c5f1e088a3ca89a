import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import PhotoIO

/// Feeds the seed corpora of `Tests/Fuzz` through the parsers.
@Suite("Fuzz corpora")
struct FuzzCorpusTests {
  private func seeds(_ name: String) throws -> [(name: String, bytes: [UInt8])] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.appending(path: "Fuzz/\(name)")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
      (file, try Array(Data(contentsOf: folder.appending(path: file))))
    }
  }

  @Test("Seeds of EXIF are accepted or refused as their names say")
  func exif() throws {
    let seeds = try seeds("exif")
    #expect(seeds.count >= 8)
    for (name, bytes) in seeds {
      let edited = PhotoMetadata(exif: bytes).edited(
        size: PixelSize(width: 640, height: 480), colorSpace: .sRGB)
      #expect((edited.exif != nil) == name.hasPrefix("good-"), "\(name)")
      if let exif = edited.exif { #expect(exif.count == bytes.count, "\(name)") }
      let hasLevel = name == "good-apple-level" || name == "good-panasonic-level"
      #expect((PhotoMetadata(exif: bytes).gravityRoll != nil) == hasLevel, "\(name)")
    }
  }

  @Test("Seeds of JPEG are read or refused as their names say")
  func jpeg() throws {
    let seeds = try seeds("jpeg")
    #expect(seeds.count >= 8)
    let scratch = try Scratch()
    for (name, bytes) in seeds {
      let path = try scratch.write(bytes, to: name)
      let text = message { _ = try Photo(contentsOf: path) }
      #expect((text == nil) == name.hasPrefix("good-"), "\(name): \(text ?? "read")")
    }
  }

  /// A seed's name says whether it is read (`good-`), with what warning, and what it is.
  private static let pages: [String: String] = [
    "good-two-pages.tif": "Only the first of 2 pictures in the file is read",
    "good-animated.webp": "Only the first of 3 pictures in the file is read",
    "good-collection.heic": "Only the first of 2 pictures in the file is read",
    "good-animated.jxl": "Only the first picture of the animation is read",
    "good-sequence.avif": "Only the first picture of the animation is read",
  ]

  @Test(
    "Seeds of HEIF, JPEG XL, TIFF and WebP are read or refused as their names say",
    arguments: [
      "heif", "jxl", "tiff", "webp",
    ])
  func containers(name: String) throws {
    let seeds = try seeds(name)
    #expect(seeds.count >= 4)
    let scratch = try Scratch()
    for (name, bytes) in seeds {
      let path = try scratch.write(bytes, to: name)
      let text = message { _ = try Photo(contentsOf: path) }
      #expect((text == nil) == name.hasPrefix("good-"), "\(name): \(text ?? "read")")
      guard text == nil else { continue }
      let warnings = try PhotoHeader.read(path).warnings
      let pages = Self.pages[name].map { [$0] } ?? []
      #expect(warnings.filter { $0.hasPrefix("Only") } == pages, "\(name): \(warnings)")
    }
  }
}
