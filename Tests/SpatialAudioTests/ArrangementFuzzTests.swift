import Foundation
import FrameCore
import SpatialAudio
import TestSupport
import Testing

/// Mutated descriptions of spatial recordings, from the corpus `Tests/Fuzz/spatial` and a fixed seed.
@Suite("Fuzzing spatial arrangements")
struct ArrangementFuzzTests {
  private static let tokens = [
    ",", "=", "/", "type1", "type2", "radius=", "pattern=", "order=", "mounting=", "gains=", "mm", "nan",
    "inf", "-", "1e999",
    "0x1p-9", "flu", "frd", "bld", "bru", "15", "0.5", "é", "\u{0}", "\u{202E}", "ambix", "upside-down",
  ]

  private static func corpus() throws -> [(name: String, text: String)] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fuzz/spatial")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try names.filter { $0 != "README.md" }.map { name in
      (name, String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self))
    }
  }

  @Test func theCorpusSaysWhatCanBeRead() throws {
    let corpus = try Self.corpus()
    #expect(corpus.count == 18)
    for (name, text) in corpus {
      #expect(((try? SpatialArrangement(text)) != nil) == name.hasPrefix("good-"), "\(name)")
    }
  }

  @Test func whatIsReadIsWrittenAndReadTheSame() throws {
    let parts = try Self.corpus().flatMap { $0.text.split(separator: ",").map(String.init) }
    var random = SeededRandom(seed: 0x5AFE_0018)
    var readable = 0
    for round in 0..<3000 {
      // Parts of several seeds, then noise in most of them.
      var text = (0...Int.random(in: 0...3, using: &random)).compactMap { _ in
        parts.randomElement(using: &random)
      }
      .joined(separator: ",")
      for _ in 0..<round % 3 {
        let place = text.index(text.startIndex, offsetBy: Int.random(in: 0...text.count, using: &random))
        let rest = text[place...].dropFirst(Int.random(in: 0...4, using: &random))
        text = text[..<place] + (Self.tokens.randomElement(using: &random) ?? "") + rest
      }
      do {
        let arrangement = try SpatialArrangement(text)
        readable += 1
        #expect(try SpatialArrangement(arrangement.text).text == arrangement.text, "\(text)")
        _ = try SpatialConverter(arrangement, sampleRate: 8000)
      } catch let error as SafelightError {
        #expect(!error.remedy.isEmpty && error.problem.utf8.count < 1000, "\(text)")
      }
    }
    // Were everything refused, nothing would have been tried.
    #expect(readable > 100)
  }
}
