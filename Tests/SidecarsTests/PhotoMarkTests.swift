import Foundation
import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@testable import Sidecars

@Suite("Marks of photos")
struct PhotoMarkTests {
  private static func fixture(_ name: String) throws -> [UInt8] {
    try MarkFuzzTests.bytes("good-\(name).xmp")
  }

  /// A folder with a photo, and an XMP file beside it.
  private static func folder(_ photo: String = "a.jpg", xmp: [UInt8]? = nil, as name: String = "a.jpg.xmp")
    throws
    -> (scratch: Scratch, photo: String)
  {
    let scratch = try Scratch()
    try scratch.write([0xFF, 0xD8, 0xFF, 0xD9], to: photo)
    if let xmp { try scratch.write(xmp, to: name) }
    return (scratch, scratch(photo))
  }

  @Test(
    "are read as other programs write them",
    arguments: [
      ("exiftool", PhotoMark(rating: 3, flag: .pick, color: .green)),
      ("darktable", PhotoMark(rating: 2, color: .blue)),
      ("digikam", PhotoMark(rating: 4, flag: .pick, color: .purple)),
      ("lightroom", PhotoMark(rating: 3, flag: .reject, color: .yellow)),
      ("bridge-crlf", PhotoMark(flag: .reject, color: .red)),
      ("prefixes", PhotoMark(rating: 5, flag: .reject, color: .blue)),
      ("no-mark", .neutral), ("empty", .neutral), ("nonsense", PhotoMark(rating: 5)),
    ])
  func reading(_ name: String, _ mark: PhotoMark) throws {
    let (scratch, photo) = try Self.folder("a.nef", xmp: Self.fixture(name), as: "a.nef.xmp")
    #expect(try PhotoMark.read(forPhoto: photo) == mark)
    withExtendedLifetime(scratch) {}
  }

  @Test("change nothing else in a file: these bytes, and no others")
  func bytes() throws {
    func changed(_ name: String, _ change: PhotoMark.Change) throws -> String {
      let (scratch, photo) = try Self.folder("a.nef", xmp: Self.fixture(name), as: "a.xmp")
      try PhotoMark.change(forPhoto: photo, change)
      return String(decoding: try Data(contentsOf: URL(filePath: scratch("a.xmp"))), as: UTF8.self)
    }
    func text(_ name: String) throws -> String { String(decoding: try Self.fixture(name), as: UTF8.self) }
    #expect(
      try changed("darktable", PhotoMark.Change(rating: 5, color: .red))
        == text("darktable").replacing("xmp:Rating=\"2\"", with: "xmp:Rating=\"5\"")
        .replacing(
          "\n    <rdf:Seq>\n     <rdf:li>3</rdf:li>\n    </rdf:Seq>\n   </darktable:c",
          with: "<rdf:Seq><rdf:li>0</rdf:li></rdf:Seq></darktable:c"
        )
        .replacing("history_end=\"1\">", with: "history_end=\"1\"\n   xmp:Label=\"Red\">"))
    #expect(
      try changed("digikam", PhotoMark.Change(flag: PhotoMark.Flag.none, color: PhotoMark.Color.none))
        == text("digikam").replacing("PickLabel=\"3\"", with: "PickLabel=\"0\"")
        .replacing("ColorLabel=\"6\"", with: "ColorLabel=\"0\"").replacing(
          "\n   xmp:Label=\"Purple\"", with: ""))
    #expect(
      try changed("lightroom", PhotoMark.Change(flag: .pick, color: .green))
        == text("lightroom").replacing("xmpDM:pick=\"-1\"", with: "xmpDM:pick=\"1\"")
        .replacing("good=\"False\"", with: "good=\"True\"").replacing("ビューティ", with: "Green")
        .replacing("\"yellow\"", with: "\"green\"").replacing(
          "HasSettings=\"True\">",
          with:
            "HasSettings=\"True\"\n   xmlns:digiKam=\"http://www.digikam.org/ns/1.0/\"\n   digiKam:PickLabel=\"3\">"
        ))
    #expect(
      try changed("bridge-crlf", PhotoMark.Change(rating: 2, color: .blue))
        == text("bridge-crlf").replacing(">Red<", with: ">Blue<").replacing(
          "xmlns:xap=\"http://ns.adobe.com/xap/1.0/\">",
          with:
            "xmlns:xap=\"http://ns.adobe.com/xap/1.0/\"\r\n            xmlns:safelight=\"urn:safelight:marks/1.0/\"\r\n            safelight:Stars=\"2\">"
        ))
    // The usual prefix stands for another namespace here.
    #expect(try changed("no-mark", PhotoMark.Change(rating: 1)).contains(" xmp1:Rating=\"1\">"))
  }

  @Test("keep the stars of a rejected photo, and give them back")
  func rejected() throws {
    let (scratch, photo) = try Self.folder()
    try PhotoMark.change(forPhoto: photo, PhotoMark.Change(rating: 4))
    #expect(
      try PhotoMark.change(forPhoto: photo, PhotoMark.Change(flag: .reject))
        == PhotoMark(rating: 4, flag: .reject))
    let text = try String(decoding: Data(contentsOf: URL(filePath: scratch("a.jpg.xmp"))), as: UTF8.self)
    #expect(text.contains("xmp:Rating=\"-1\"") && text.contains("digiKam:PickLabel=\"1\""))
    #expect(try PhotoMark.read(forPhoto: photo) == PhotoMark(rating: 4, flag: .reject))
    // Another program that knows only of ratings takes it back.
    try scratch.write(text.replacing("Rating=\"-1\"", with: "Rating=\"2\""), to: "b.jpg.xmp")
    try scratch.write([0], to: "b.jpg")
    #expect(try PhotoMark.read(forPhoto: scratch("b.jpg")) == PhotoMark(rating: 2))
    #expect(
      try PhotoMark.change(forPhoto: photo, PhotoMark.Change(flag: PhotoMark.Flag.none))
        == PhotoMark(rating: 4))
    #expect(try PhotoMark.read(forPhoto: photo) == PhotoMark(rating: 4))
  }

  @Test("go into the file that the programs for a kind of photo look for")
  func names() throws {
    func made(_ photo: String, beside others: [String: [UInt8]] = [:]) throws -> [String] {
      let scratch = try Scratch()
      for (name, bytes) in others.merging([photo: [0]], uniquingKeysWith: { first, _ in first }) {
        try scratch.write(bytes, to: name)
      }
      try PhotoMark.change(forPhoto: scratch(photo), PhotoMark.Change(rating: 3))
      return try FileManager.default.contentsOfDirectory(atPath: scratch.path).filter {
        $0.lowercased().hasSuffix(".xmp") && others[$0] == nil
      }
    }
    #expect(try made("a.jpg") == ["a.jpg.xmp"])
    #expect(try made("a.CR2") == ["a.xmp"])
    #expect(try made("a.dng") == ["a.dng.xmp"])
    let plain = try Self.fixture("exiftool")
    // What is there is used.
    #expect(try made("a.jpg", beside: ["a.xmp": plain]) == [])
    #expect(try made("a.nef", beside: ["a.nef.xmp": plain]) == [])
    #expect(try made("a.nef", beside: ["a.XMP": plain]) == [])
    // The raw's is not the JPEG's, nor another raw's.
    #expect(try made("a.jpg", beside: ["a.xmp": plain, "a.NEF": [0]]) == ["a.jpg.xmp"])
    #expect(try made("a.cr2", beside: ["a.xmp": Self.fixture("lightroom")]) == ["a.cr2.xmp"])
  }

  @Test("are not written where nothing is said")
  func nothing() throws {
    let (scratch, photo) = try Self.folder()
    try PhotoMark.change(forPhoto: photo, PhotoMark.Change(rating: 0, flag: PhotoMark.Flag.none))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["a.jpg"])
  }

  @Test("of the photo itself hold where nothing else is said beside it")
  func ownMark() throws {
    let scratch = try Scratch()
    try scratch.save(gradient(60, 40), as: "a.jpg", metadata: PhotoMetadata(xmp: Self.fixture("digikam")))
    let before = try Data(contentsOf: URL(filePath: scratch("a.jpg")))
    let own = PhotoMark(rating: 4, flag: .pick, color: .purple)
    #expect(try PhotoMark.read(forPhoto: scratch("a.jpg")) == own)
    // What is not touched stays.
    #expect(
      try PhotoMark.change(forPhoto: scratch("a.jpg"), PhotoMark.Change(rating: 1))
        == own.applying(PhotoMark.Change(rating: 1)))
    try PhotoMark.change(
      forPhoto: scratch("a.jpg"),
      PhotoMark.Change(rating: 0, flag: PhotoMark.Flag.none, color: PhotoMark.Color.none))
    #expect(try PhotoMark.read(forPhoto: scratch("a.jpg")) == .neutral)
    // The photo never changes.
    #expect(try Data(contentsOf: URL(filePath: scratch("a.jpg"))) == before)
  }

  @Test("beside a broken file are refused in one sentence, and the file stays as it is")
  func broken() throws {
    for name in ["truncated", "twice", "not-xmp", "utf16", "empty"] {
      let bytes = try MarkFuzzTests.bytes("bad-\(name).xmp")
      let (scratch, photo) = try Self.folder(xmp: bytes)
      let text = message { try PhotoMark.change(forPhoto: photo, PhotoMark.Change(rating: 3)) }
      #expect(text?.contains("a.jpg.xmp") ?? false, "\(name): \(text ?? "accepted")")
      #expect(try Array(Data(contentsOf: URL(filePath: scratch("a.jpg.xmp")))) == bytes)
    }
    let (scratch, photo) = try Self.folder()
    #expect(
      message { try PhotoMark.change(forPhoto: photo, PhotoMark.Change(rating: 6)) }
        == "A photo cannot have 6 stars; give 0 to 5.")
    #expect(message { _ = try PhotoMark.read(forPhoto: scratch("b.jpg")) }?.contains("no such file") ?? false)
  }

  @Test("are what exiftool reads, and survive what it writes", .installed(.exiftool))
  func exiftool() throws {
    // It knows XMP by the usual prefixes alone.
    for seed in MarkFuzzTests.seeds where seed.hasPrefix("good-") && seed != "good-prefixes.xmp" {
      let (scratch, photo) = try Self.folder(xmp: MarkFuzzTests.bytes(seed))
      try PhotoMark.change(forPhoto: photo, PhotoMark.Change(rating: 4, flag: .pick, color: .purple))
      let path = scratch("a.jpg.xmp")
      let read = try ExternalProgram.exiftool.run(
        ["-s3", "-n", "-XMP-xmp:Rating", "-XMP-xmp:Label", "-XMP-digiKam:PickLabel", path]
      ).text
      #expect(read.split(separator: "\n") == ["4", "Purple", "3"], "\(seed)")
      try ExternalProgram.exiftool.run(
        ["-q", "-overwrite_original", "-XMP-xmp:Rating=2", "-XMP-xmp:Label=Red", path])
      let mark = try PhotoMark.read(forPhoto: photo)
      #expect(mark.rating == 2 && mark.flag == .pick, "\(seed)")
    }
  }
}
