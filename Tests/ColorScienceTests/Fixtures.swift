import ColorScience
import Foundation

/// Files that the tests read, found beside the sources.
enum Fixtures {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The bytes of `Fixtures/NAME`.
  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent("Fixtures").appendingPathComponent(name)))
  }

  /// Inputs and OpenColorIO's outputs of `Fixtures/NAME.expected.txt`.
  static func expectations(_ name: String) throws -> [(input: SIMD3<Double>, output: SIMD3<Double>)] {
    let text = String(decoding: try bytes("\(name).expected.txt"), as: UTF8.self)
    return text.split(separator: "\n").map { line in
      let n = line.split(separator: " ").compactMap { Double($0) }
      return (SIMD3(n[0], n[1], n[2]), SIMD3(n[3], n[4], n[5]))
    }
  }

  /// The seed corpus of `.cube` files, by name: `Tests/Fuzz/cube`.
  static func cubeCorpus() throws -> [(name: String, bytes: [UInt8])] {
    let corpus = folder.deletingLastPathComponent().appendingPathComponent("Fuzz/cube")
    return try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted().map {
      ($0, [UInt8](try Data(contentsOf: corpus.appendingPathComponent($0))))
    }
  }
}
