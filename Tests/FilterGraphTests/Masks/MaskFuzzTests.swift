import FilterGraph
import Foundation
import FrameCore
import TestSupport
import Testing

/// Damaged masks: whatever the text, it is read or refused with an error for people.
@Suite("Damaged masks")
struct MaskFuzzTests {
  static let folder = RecipeFuzzTests.folder.deletingLastPathComponent().appending(path: "mask")
  static let seeds: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".txt") }.sorted()
  }()

  /// Words that parsers trip over.
  static let words = [
    "not", "feather", "edges", "(", ")", "+", "-", "&", "brush", "erase", "stroke", "0,0", "1e308,-1e308",
    "nan",
    "-inf", "0x1p4", "0.5..0.5", "#", "#12345", "linear", "polygon 0,0", "1x1x1", ",", "…",
  ].map { Array((" " + $0 + " ").utf8) }

  /// Reads, and where that succeeds, writes and reads again; only errors for people may come out.
  static func exercise(_ bytes: [UInt8], _ comment: Comment) -> Bool {
    do {
      let mask = try Mask(String(decoding: bytes, as: UTF8.self))
      #expect(try Mask(mask.text) == mask, comment)
      return true
    } catch {
      #expect(error is SafelightError, comment)
      return false
    }
  }

  @Test("There are seeds, valid and broken")
  func seedsExist() throws {
    let valid = try Self.seeds.filter { name in
      try Self.exercise(Array(Data(contentsOf: Self.folder.appending(path: name))), "\(name)")
    }
    #expect(valid == ["brush.txt", "edges.txt", "far.txt", "linear.txt", "ranges.txt", "tree.txt"])
    #expect(Self.seeds.count > valid.count)
  }

  @Test("Mutated masks are read or refused, never more", arguments: seeds)
  func mutations(seed name: String) throws {
    let original = try Array(Data(contentsOf: Self.folder.appending(path: name)))
    for round in 0..<600 {
      var random = SeededRandom(seed: UInt64(round))
      var bytes = original
      for _ in 0...(round % 4) {
        if random.next() % 2 == 0 {
          RecipeFuzzTests.mutate(&bytes, using: &random)
        } else {
          let place = Int.random(in: 0...bytes.count, using: &random)
          bytes.insert(contentsOf: Self.words[Int(random.next() % UInt64(Self.words.count))], at: place)
        }
      }
      _ = Self.exercise(bytes, "\(name), round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
