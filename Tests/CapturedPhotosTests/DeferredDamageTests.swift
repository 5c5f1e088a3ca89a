import Files
import FoundationEssentials
import LibraryTestSupport
import Safelight
import Testing

@testable import CapturedPhotos

/// Records that are damaged, forged, or of another version.
@Suite struct DeferredDamageTests {
  /// Two photos that are unfinished; `a.png` is to be damaged.
  private struct Photos {
    let folder: Scratch
    let a, b: DeliveredPhoto
    /// The files of the first one's record.
    let record: String

    init() throws {
      folder = try Scratch()
      a = try Deferred.delivery(folder("a.png")).deliverProxy(Deferred.captured())
      b = try Deferred.delivery(folder("b.png")).deliverProxy(Deferred.captured())
      record = try Deferred.record(a, in: folder)
    }

    func change(_ name: String, _ body: (inout [UInt8]) -> Void) throws {
      let path = URL(filePath: record + "/" + name)
      var bytes = try Array(Data(contentsOf: path))
      body(&bytes)
      try Data(bytes).write(to: path)
    }

    /// Replaces text in the manifest, whose seal is then right.
    func forge(_ old: String, _ new: String) throws {
      try change("manifest") { bytes in
        let line = String(decoding: bytes.split(separator: 10)[1], as: UTF8.self)
        #expect(line.contains(old), "\(line)")
        bytes = (try? SealedJSON.seal(Array(line.replacing(old, with: new).utf8))) ?? []
      }
    }

    /// The sentence why the first photo cannot be finished. The other one is, and nothing of the first is lost.
    func sentence() throws -> String {
      let proxy = try folder.read("a.png")
      let photos = DeferredPhotos(folder.path)
      var sentence = ""
      for photo in try photos.unfinished() {
        do {
          #expect(try photos.finish(photo.id)?.path == b.path)
        } catch let error as SafelightError {
          sentence = error.description
        }
      }
      try photos.removeLeftovers()
      #expect(try folder.read("a.png") == proxy)
      #expect(try PhotoHeader.read(b.path).bitsPerSample == 16)
      #expect(try folder.names == [".safelight-unfinished", "a.png", "b.png"])
      #expect(FileManager.default.fileExists(atPath: record))
      return sentence
    }
  }

  @Test(
    "A damaged file is one sentence, and the other photos are finished", arguments: ["manifest", "frames"])
  func damaged(name: String) throws {
    let truncated = try Photos()
    try truncated.change(name) { $0.removeLast($0.count / 3) }
    // A list says so before anything is finished.
    let listed = try DeferredPhotos(truncated.folder.path).unfinished()
    #expect(listed.map { $0.problem != nil }.sorted { $0 && !$1 } == [true, false])
    #expect(try truncated.sentence().contains("is damaged"))
    let flipped = try Photos()
    try flipped.change(name) { $0[$0.count / 2] ^= 4 }
    let sentence = try flipped.sentence()
    #expect(sentence.contains("is damaged") && sentence.contains("stays as it is"), "\(sentence)")
    let empty = try Photos()
    try empty.change(name) { $0 = [] }
    #expect(try empty.sentence().contains("is damaged"))
  }

  @Test("Missing frames, and links in their place, are damage")
  func missing() throws {
    let photos = try Photos()
    try FileManager.default.moveItem(atPath: photos.record + "/frames", toPath: photos.folder("moved"))
    let (unfinished, id) = (DeferredPhotos(photos.folder.path), photos.a.deferredID ?? "")
    #expect(throws: SafelightError.self) { try unfinished.finish(id) }
    try FileManager.default.createSymbolicLink(
      atPath: photos.record + "/frames", withDestinationPath: photos.folder("moved"))
    #expect(message { try unfinished.finish(id) }?.contains("is damaged") == true)
  }

  @Test("A newer version says that it is one")
  func newer() throws {
    let photos = try Photos()
    try photos.change("manifest") { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      bytes = Array(text.replacing("\"safelight-deferred\":1", with: "\"safelight-deferred\":7").utf8)
    }
    #expect(try photos.sentence().contains("is of format 7, and this build reads format 1"))
  }

  @Test(
    "A forged name leads nowhere else",
    arguments: ["../a.png", "/tmp/a.png", "x/../../a.png", "./a.png", "", ".safelight-unfinished/a.png"])
  func hostileName(name: String) throws {
    let photos = try Photos()
    try photos.forge("\"name\":\"a.png\"", "\"name\":\"\(name)\"")
    #expect(try photos.sentence().contains("is damaged"))
  }

  @Test("Nor does a link among the folders of a name")
  func hostileLink() throws {
    let photos = try Photos()
    let outside = try Scratch()
    try FileManager.default.createSymbolicLink(
      atPath: photos.folder("link"), withDestinationPath: outside.path)
    try photos.forge("\"name\":\"a.png\"", "\"name\":\"link/a.png\"")
    let sentence = message { try DeferredPhotos(photos.folder.path).finish(photos.a.deferredID ?? "") } ?? ""
    #expect(sentence.contains("behind a link"), "\(sentence)")
    #expect(try outside.names.isEmpty)
    // Such a place is refused when the photo is taken.
    let photo = try PhotoDelivery(names: PhotoNames(photos.folder.path + "/link/c.png")).deliverProxy(
      Deferred.captured())
    #expect(photo.isProxy)
    let other = try PhotoDelivery(names: PhotoNames(photos.folder.path + "/{camera}/c.png"), camera: "link")
      .deliverProxy(Deferred.captured())
    #expect(!other.isProxy && other.warnings.contains { $0.contains("behind a link") })
    // The name that was tried is still free.
    #expect(other.path == photos.folder("link/c-2.png"))
  }

  @Test("A record whose folder is a link is not one")
  func linkedRecord() throws {
    let photos = try Photos()
    let outside = try Scratch()
    try FileManager.default.moveItem(atPath: photos.record, toPath: outside("record"))
    try FileManager.default.createSymbolicLink(atPath: photos.record, withDestinationPath: outside("record"))
    #expect(try DeferredPhotos(photos.folder.path).unfinished().map(\.path) == [photos.b.path])
  }
}

/// Whatever the bytes of a manifest are, they are read or refused with an error for people.
@Suite("Damaged manifests of deferred photos") struct DeferredManifestFuzzTests {
  struct Seed: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  static let seeds: [Seed] = {
    let folder = packageFolder + "/Tests/Fuzz/deferred"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasSuffix(".md") }.sorted().compactMap { name in
      (try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))).map { Seed(name: name, bytes: Array($0)) }
    }
  }()

  private static let tokens = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "1e999", "-1", "0", "9223372036854775807",
    "-9223372036854775808", "18446744073709551615", "NaN", "null", "true", "\u{0}", "\n", "../", "/", "1e300",
    "\"format\":\"rgbaF32\"",
  ].map { Array($0.utf8) }

  /// Reads a manifest, and uses what was read as far as that needs no frames.
  private static func exercise(_ bytes: [UInt8], _ comment: Comment) -> Bool {
    do {
      let manifest = try DeferredManifest(bytes, path: "manifest")
      let photo = UnfinishedPhoto("1", manifest, in: "photos")
      #expect(!photo.path.contains("..") && photo.path.hasPrefix("photos/"), comment)
      _ = manifest.settings.resolved
      for (index, frame) in manifest.frames.enumerated() {
        let facts = manifest.circumstances.facts(ofFrame: index, merged: 8)
        _ = PhotoMetadata.captured(facts, size: PixelSize(width: 64, height: 48), in: .jpeg)
        _ = Timestamp(nanoseconds: frame.time).seconds(since: manifest.settings.pressedAt)
      }
      let files = try FileSnapshot(archive: Array("[]\n".utf8), named: "files", isClosed: true)
      _ = try manifest.maker(
        files: files, catalog: .standard, DeferredPhotos.Environment(renderer: CPURenderer(threads: 1))
      ).edit.recipe(in: files)
      return true
    } catch {
      #expect(error is SafelightError, comment)
      return false
    }
  }

  @Test("There are seeds, valid and broken")
  func seedsExist() {
    for seed in Self.seeds {
      #expect(Self.exercise(seed.bytes, "\(seed.name)") == seed.name.hasPrefix("good-"), "\(seed.name)")
    }
    for kind in ["good-", "bad-"] { #expect(Self.seeds.contains { $0.name.hasPrefix(kind) }) }
  }

  private static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 0...40, using: &random))
    switch random.next() % 5 {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.next() % 8)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3:
      // Another value for a number.
      guard let digit = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) else { return }
      let token = tokens[Int.random(in: 8...13, using: &random)]
      bytes.replaceSubrange(digit...digit, with: token)
    default:
      bytes.insert(contentsOf: tokens[Int.random(in: tokens.indices, using: &random)], at: place)
    }
  }

  @Test("Mutated manifests are read or refused, whether their seal is broken or right", arguments: seeds)
  func mutations(seed: Seed) throws {
    var accepted = 0
    for round in 0..<400 {
      var random = SeededRandom(seed: UInt64(round))
      var bytes = seed.bytes
      if round % 4 == 0 {
        Self.mutate(&bytes, using: &random)
      } else {
        var line = bytes.split(separator: 10).dropFirst().first.map(Array.init) ?? bytes
        for _ in 0...(round % 3) { Self.mutate(&line, using: &random) }
        bytes = try SealedJSON.seal(line)
      }
      if Self.exercise(bytes, "\(seed.name), round \(round): \(String(decoding: bytes, as: UTF8.self))") {
        accepted += 1
      }
    }
    #expect(accepted < 400)
  }
}
