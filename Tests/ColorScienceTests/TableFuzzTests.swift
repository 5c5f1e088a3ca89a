import ColorScience
import FrameCore
import TestSupport
import Testing

/// Mutated tables of all formats but `.cube`, from the corpora in `Tests/Fuzz` and a fixed seed.
@Suite("Fuzzing tables of colours")
struct TableFuzzTests {
  private static let tokens = [
    "<Array dim=\"2 2 2 3\">", "</Array>", "<Matrix inBitDepth=\"32f\" outBitDepth=\"8i\">", "</Matrix>",
    "<Log style=\"log2\"/>",
    "channel=\"R\"", "halfDomain=\"true\"", "rawHalfs=\"true\"", "base=\"0\"", "nan", "inf", "1e999", "-1",
    "0 0 0\n", "256",
    "<SatNode><Saturation>0</Saturation></SatNode>", "&#x41;", "<!--", "]]>", "\0", "65536", "\"", "FF", "1D",
    "3D", "2\n0 1\n0 1\n",
  ].map { Array($0.utf8) }

  @Test(
    "Mutated files are read or refused with their name, and what is read gives finite colours",
    arguments: [
      ("3dl", 6000, 300), ("csp", 6000, 300), ("look", 5000, 200), ("clf", 12_000, 500), ("cdl", 6000, 300),
      ("link", 300, 20),
    ])
  func mutations(folder: String, rounds: Int, least: Int) throws {
    let corpus = try TableFixtures.corpus(folder)
    var generator = SeededRandom(seed: 0x7AB1_E500)
    var readable = 0
    for round in 0..<rounds {
      var bytes = corpus[round % corpus.count].bytes
      for _ in 0...(round / corpus.count % 3) {
        Self.mutate(&bytes, corpus: corpus.map(\.bytes), using: &generator)
      }
      do {
        let lut = try ColorLUT(file: bytes, name: "fuzz.\(folder)")
        readable += 1
        for color in [SIMD3(0.3, -2, 1e9), SIMD3(-1e30, 0.5, .infinity), SIMD3(1, 0, 0.2)] {
          let result = lut.evaluate(color)
          #expect(result.x.isFinite && result.y.isFinite && result.z.isFinite, "round \(round): \(result)")
        }
      } catch let error as SafelightError {
        #expect(error.problem.hasPrefix("fuzz"), "round \(round): \(error)")
      }
    }
    // Were everything refused at its first byte, nothing would have been tried.
    #expect(readable > least, "\(folder): \(readable)")
  }

  private static func mutate(
    _ bytes: inout [UInt8], corpus: [[UInt8]], using generator: inout SeededRandom
  ) {
    let position = Int.random(in: 0...bytes.count, using: &generator)
    let end = min(bytes.count, position + Int.random(in: 1...12, using: &generator))
    switch Int.random(in: 0..<12, using: &generator) {
    case 0 where position < bytes.count:
      bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
    case 1 where position < bytes.count:
      bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2..<8 where position < bytes.count:
      // Numbers of numbers, which are read again.
      guard (0x30..<0x3A).contains(bytes[position]) else { return }
      bytes[position] = Array("0123456789".utf8).randomElement(using: &generator) ?? 0
    case 8: bytes.removeSubrange(position..<end)
    case 9: bytes.insert(contentsOf: tokens.randomElement(using: &generator) ?? [], at: position)
    default:
      let other = corpus.randomElement(using: &generator) ?? []
      bytes = bytes[..<position] + other.suffix(Int.random(in: 0...other.count, using: &generator))
    }
  }
}
