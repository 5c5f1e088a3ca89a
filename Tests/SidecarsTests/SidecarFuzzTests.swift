import LibraryTestSupport
import Safelight
import Foundation
import TestSupport
import Testing

/// Damaged sidecars and XMP: whatever the bytes, they are read or refused with an error for people.
@Suite("Damaged sidecars and XMP")
struct SidecarFuzzTests {
  struct Seed: CustomTestStringConvertible {
    let folder: String
    let name: String
    var bytes: [UInt8] {
      get throws {
        try Array(Data(contentsOf: URL(filePath: "\(packageFolder)/Tests/Fuzz/\(folder)/\(name)")))
      }
    }
    var testDescription: String { "\(folder)/\(name)" }
  }

  static let seeds = ["sidecar", "xmp"].flatMap { folder in
    let files = try? FileManager.default.contentsOfDirectory(atPath: "\(packageFolder)/Tests/Fuzz/\(folder)")
    return (files ?? []).filter { !$0.hasSuffix(".md") }.sorted().map { Seed(folder: folder, name: $0) }
  }

  /// Pieces that parsers trip over.
  static let tokens = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "1e999", "-0", "NaN", "null", "\u{0}", "\n", "\"recipe\":",
    "\"safelight-sidecar\":1", "<", ">", "/>", "</", "&amp;", "&#0;", "&#x10FFFF;", "&", "<!--", "-->",
    "<![CDATA[",
    "]]>", "<?", "?>", "<!DOCTYPE a [", "xmlns:", "='", "rdf:li", "<a:b xmlns:a=''>", "crs:CropAngle=\"45\"",
    "crs:HasCrop=\"True\"", "\u{FEFF}",
  ].map { Array($0.utf8) }

  static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
    func place() -> Int { Int.random(in: 0...bytes.count, using: &random) }
    func range() -> Range<Int> {
      let (a, b) = (place(), place())
      return min(a, b)..<max(a, b)
    }
    switch random.next() % 6 {
    case 0 where !bytes.isEmpty: bytes[place() % bytes.count] ^= 1 << UInt8(random.next() % 8)
    case 1 where !bytes.isEmpty: bytes[place() % bytes.count] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.removeSubrange(range())
    case 3: bytes.insert(contentsOf: bytes[range()].prefix(200), at: place())
    case 4: bytes.removeLast(min(bytes.count, Int(random.next() % 20)))
    default: bytes.insert(contentsOf: tokens[Int(random.next() % UInt64(tokens.count))], at: place())
    }
  }

  /// Reads, and where that succeeds, uses what was read; only errors for people may come out.
  static func exercise(_ bytes: [UInt8], _ seed: Seed, _ comment: Comment) -> Bool {
    do {
      if seed.folder == "sidecar" {
        let sidecar = try RecipeSidecar(json: bytes, file: seed.name)
        let json = try sidecar.json()
        #expect(try RecipeSidecar(json: Array(json.utf8), file: seed.name).json() == json, comment)
      } else {
        let settings = try AdobeSettings(packet: bytes, file: seed.name, isSidecar: true)
        for orientation in [Orientation.up, .leftMirrored] {
          let size = PixelSize(width: 48, height: 32)
          let result = try AdobeImport(settings, size: size, orientation: orientation, isOwn: true)
          // What is imported can be rendered, and be kept.
          _ = try Plan(
            result.recipe, input: PlanInput(size: size, orientation: orientation), output: PlanOutput(),
            optimized: false)
          _ = try RecipeSidecar(recipe: result.recipe, photo: FileFingerprint(of: bytes)).json()
        }
      }
      return true
    } catch {
      #expect(error is SafelightError, comment)
      return false
    }
  }

  @Test("There are seeds, valid and broken")
  func seedsExist() throws {
    for folder in ["sidecar", "xmp"] {
      let own = Self.seeds.filter { $0.folder == folder }
      for seed in own {
        #expect(
          try Self.exercise(seed.bytes, seed, "\(seed.name)") == seed.name.hasPrefix("good-"), "\(seed.name)")
      }
      #expect(own.contains { $0.name.hasPrefix("good-") } && own.contains { $0.name.hasPrefix("bad-") })
    }
  }

  @Test("Mutated files are read or refused, never more", arguments: seeds)
  func mutations(seed: Seed) throws {
    let original = try seed.bytes
    var accepted = 0
    for round in 0..<300 {
      var random = SeededRandom(seed: UInt64(round))
      var bytes = original
      for _ in 0...(round % 4) { Self.mutate(&bytes, using: &random) }
      if Self.exercise(bytes, seed, "\(seed.name), round \(round): \(String(decoding: bytes, as: UTF8.self))")
      {
        accepted += 1
      }
    }
    #expect(accepted < 300)
  }
}
