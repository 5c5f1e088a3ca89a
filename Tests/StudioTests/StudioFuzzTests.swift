import Foundation
import LibraryTestSupport
import Safelight
import Testing

@testable import Studio

/// Damaged messages of a page: whatever the text, it is read or refused with an error for people.
@Suite("Damaged messages of the studio's page")
struct StudioFuzzTests {
  private static let folder = packageFolder + "/Tests/Fuzz/studio"
  static let seeds = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
    $0.hasSuffix(".json")
  }.sorted()

  private static let tokens = [
    "\"", "\\u", "{", "}", "[", "]", ",", ":", "1e999", "-0", "NaN", "null", "true", "\u{0}", "1e300",
    "\"type\"", "\"edit\":{}", "\"values\":{\"exposure\":9}", "\"look\":{}", "\"base\":[{}]", "-1",
    "[[[[[[[[",
  ].map { Array($0.utf8) }

  private static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
    func place() -> Int { Int.random(in: 0...bytes.count, using: &random) }
    func range() -> Range<Int> {
      let (a, b) = (place(), place())
      return min(a, b)..<max(a, b)
    }
    switch random.next() % 5 {
    case 0 where !bytes.isEmpty: bytes[place() % bytes.count] ^= 1 << UInt8(random.next() % 8)
    case 1: bytes.removeSubrange(range())
    case 2: bytes.insert(contentsOf: bytes[range()].prefix(100), at: place())
    case 3: bytes.removeLast(min(bytes.count, Int(random.next() % 20)))
    default: bytes.insert(contentsOf: tokens[Int(random.next() % UInt64(tokens.count))], at: place())
    }
  }

  /// Returns whether a message was read; only errors for people may come out. What is read is planned, too.
  private static func exercise(_ text: String, _ comment: Comment) -> Bool {
    do {
      switch try StudioRequest(text) {
      case .edit(_, _, let edit, _), .commit(_, _, let edit), .looks(_, _, let edit),
        .keepLook(_, _, _, let edit):
        let again = try StudioEdit(JSONValue(parsing: Array(edit.json.line.utf8), file: "edit"))
        #expect(try again.json == edit.json, comment)
        _ = try? edit.recipe(forPhoto: "none.jpg", in: FileSnapshot())
      case .view(_, let view):
        for size in [PixelSize(width: 1, height: 1), PixelSize(width: 6000, height: 4000)] {
          let shown = view.viewport.renderedSize(of: size)
          #expect(shown.width >= 1 && shown.height >= 1 && shown.fits(into: size), comment)
        }
      case .library(.paste(_, _, let edit, let parts)):
        let pasted = StudioEdit().taking(parts, from: edit)
        #expect(try pasted.taking(parts, from: edit).json == pasted.json, comment)
      case .camera, .open, .undo, .redo, .drawn, .auto, .thumbnails, .estimate, .export, .library: break
      }
      return true
    } catch {
      #expect(error is SafelightError, comment)
      return false
    }
  }

  @Test("There are seeds, valid and broken")
  func seedsExist() throws {
    let valid = try Self.seeds.filter { name in
      Self.exercise(try packageFile("Tests/Fuzz/studio/\(name)"), "\(name)")
    }
    #expect(valid.count == 16 && Self.seeds.count == 18, "\(valid)")
  }

  @Test("Mutated messages are read or refused, never more", arguments: seeds)
  func mutations(seed name: String) throws {
    let original = Array(try packageFile("Tests/Fuzz/studio/\(name)").utf8)
    for round in 0..<400 {
      var random = SeededRandom(seed: UInt64(round))
      var bytes = original
      for _ in 0...(round % 4) { Self.mutate(&bytes, using: &random) }
      let text = String(decoding: bytes, as: UTF8.self)
      _ = Self.exercise(text, "\(name), round \(round): \(text)")
    }
  }
}
