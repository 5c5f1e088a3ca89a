import LibraryTestSupport
import Safelight
import TestSupport
import Testing

@testable import Sidecars

/// Damaged looks of other programs: whatever the bytes, they are read or refused with an error for people.
@Suite("Damaged looks of other programs")
struct LookFuzzTests {
  /// Reads; what is read can be rendered, was planned so, and is a recipe.
  private static func exercise(_ bytes: [UInt8], _ name: String, _ comment: Comment) -> Bool {
    do {
      let look = try ImportedLook(bytes, file: name)
      let json = look.recipe.json()
      #expect(
        try Recipe(json: Array(json.utf8), file: "a.json", catalog: .standard, read: { _ in [] }).json()
          == json, comment)
      #expect(!look.name.isEmpty && !look.recipe.filters.isEmpty, comment)
      let names = [look.settings.exact, look.settings.approximate, look.settings.ignored].flatMap { $0 }.map(
        \.name)
      #expect(Set(names).count == names.count, "in one list, once: \(names)")
      return true
    } catch {
      #expect(error is SafelightError, comment)
      return false
    }
  }

  @Test("Seeds are read or refused as their names say")
  func seeds() throws {
    for name in LookSeeds.names {
      #expect(Self.exercise(try LookSeeds.bytes(name), name, "\(name)") == name.hasPrefix("good-"), "\(name)")
    }
    #expect(LookSeeds.names.count >= 30)
  }

  private static let tokens =
    SidecarFuzzTests.tokens
    + [
      "{", "}", "s = {", "ZSTR", "= -", "1e999", "--", "\\999", "gz12", "ffffffff", "0000c07f", "<E K='",
      "' V='1'/>",
      "crs:ShadowTint='9'", ";", "0.5,0.5;", "<plugin>", "</plugin>", "crs:ZeroX='1'",
    ].map { Array($0.utf8) }

  @Test("Mutated looks are read or refused, never more", arguments: LookSeeds.names)
  func mutations(name: String) throws {
    let original = try LookSeeds.bytes(name)
    for round in 0..<200 {
      var random = SeededRandom(seed: UInt64(round))
      var bytes = original
      for _ in 0...(round % 4) {
        if random.next() % 3 == 0 {
          let token = Self.tokens[Int(random.next() % UInt64(Self.tokens.count))]
          bytes.insert(contentsOf: token, at: Int(random.next() % UInt64(bytes.count + 1)))
        } else {
          SidecarFuzzTests.mutate(&bytes, using: &random)
        }
      }
      _ = Self.exercise(bytes, name, "\(name), round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
