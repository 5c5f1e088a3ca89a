import FilterGraph
import Filters
import Foundation
import FrameCore
import TestSupport
import Testing

/// Damaged recipes: whatever the bytes, they are read or refused with an error for people.
@Suite("Damaged recipes")
struct RecipeFuzzTests {
  static let seeds: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".json") }.sorted()
  }()
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzz/recipe")

  /// Pieces that parsers trip over.
  static let tokens = [
    "\"", "\\", "\\u", "\\ud800", "{", "}", "[", "]", ",", ":", "-", "1e999", "-0", "1e-999", "NaN", "null",
    "true",
    "\u{0}", "\n", "99999999999999999999", "\"filter\"", "\"lut\"", "\"file\":\"x.cube\"", "0,0,1,1",
    "1:1@1,1",
    "\"safelight\":1", "\"safelight\":2", "\"tags\":[\"\"]", "\"family\":7", "0.6,0.6", "nan,1,1",
    "\"kind\":\"polygon\"", "\"mask\":{}", "\"points\":[[0,0]]",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
  ].map { Array($0.utf8) }

  static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
    func place() -> Int { Int.random(in: 0...bytes.count, using: &random) }
    switch random.next() % 6 {
    case 0 where !bytes.isEmpty: bytes[place() % bytes.count] ^= 1 << UInt8(random.next() % 8)
    case 1 where !bytes.isEmpty: bytes[place() % bytes.count] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.removeSubrange(sorted(place(), place()))
    case 3: bytes.insert(contentsOf: bytes[sorted(place(), place())].prefix(200), at: place())
    case 4: bytes.removeLast(min(bytes.count, Int(random.next() % 20)))
    default: bytes.insert(contentsOf: tokens[Int(random.next() % UInt64(tokens.count))], at: place())
    }
  }

  private static func sorted(_ a: Int, _ b: Int) -> Range<Int> { min(a, b)..<max(a, b) }

  /// Reads, and where that succeeds, plans and writes; only errors for people may come out.
  static func exercise(_ bytes: [UInt8], _ comment: Comment) -> Bool {
    do {
      let recipe = try RecipeFiles.decode(bytes)
      #expect(try RecipeFiles.decode(recipe.json().utf8).contents == recipe.contents, comment)
      let input = PlanInput(size: PixelSize(width: 48, height: 32))
      _ = try? Plan(recipe, input: input, output: PlanOutput(), optimized: false)
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
    #expect(
      valid == [
        "every-filter.json", "film.json", "groups.json", "masks.json", "rectangles.json", "smallest.json",
      ])
    #expect(Self.seeds.count > valid.count)
  }

  @Test("Mutated recipes are read or refused, never more", arguments: seeds)
  func mutations(seed name: String) throws {
    let original = try Array(Data(contentsOf: Self.folder.appending(path: name)))
    var accepted = 0
    for round in 0..<400 {
      var random = SeededRandom(seed: UInt64(round))
      var bytes = original
      for _ in 0...(round % 4) { Self.mutate(&bytes, using: &random) }
      if Self.exercise(bytes, "\(name), round \(round): \(String(decoding: bytes, as: UTF8.self))") {
        accepted += 1
      }
    }
    #expect(accepted < 400)
  }
}
