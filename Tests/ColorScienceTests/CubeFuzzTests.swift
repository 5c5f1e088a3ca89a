import ColorScience
import FrameCore
import TestSupport
import Testing

/// Mutated `.cube` files, from the corpus `Tests/Fuzz/cube` and a fixed seed.
@Suite("Fuzzing .cube files")
struct CubeFuzzTests {
  private static let tokens = [
    "LUT_3D_SIZE 2\n", "LUT_1D_SIZE 2\n", "LUT_3D_SIZE 256\n", "DOMAIN_MIN ", "DOMAIN_MAX ", "TITLE \"",
    "nan", "inf",
    "1e999", "-", ".", "e", "\r", "\n", "\t", "#", "0 0 0\n", "\u{FEFF}", "99999999999999999999", "\0",
    "LUT_1D_INPUT_RANGE 0 1\n", "LUT_3D_INPUT_RANGE -1 2\n",
  ].map { Array($0.utf8) }

  @Test("The corpus is there, and says of each file whether it can be read")
  func corpus() throws {
    let corpus = try Fixtures.cubeCorpus()
    #expect(corpus.count == 12)
    for (name, bytes) in corpus {
      let isValid = (try? ColorLUT(cube: bytes, name: name)) != nil
      #expect(isValid == !name.hasPrefix("bad-"), "\(name)")
    }
  }

  @Test("30,000 mutated files are read or refused by name and line, and what is read is finite")
  func mutations() throws {
    let corpus = try Fixtures.cubeCorpus()
    var generator = SeededRandom(seed: 0x5AFE_1167)
    var readable = 0
    for round in 0..<30_000 {
      var bytes = corpus[round % corpus.count].bytes
      for _ in 0...(round / corpus.count % 4) {
        Self.mutate(&bytes, corpus: corpus.map(\.bytes), using: &generator)
      }
      do {
        let lut = try ColorLUT(cube: bytes, name: "fuzz")
        readable += 1
        let color = lut.evaluate(SIMD3(0.3, -2, 1e9))
        #expect(color.x.isFinite && color.y.isFinite && color.z.isFinite, "round \(round)")
        let entries = (lut.shaper?.size ?? 0) + (lut.cube?.nodes.count ?? 0)
        #expect(entries * 6 <= bytes.count + 1, "round \(round)")
      } catch let error as SafelightError {
        let place = error.problem.split(separator: ":", maxSplits: 2)
        #expect(place.count == 3 && place[0] == "fuzz" && Int(place[1]) != nil, "round \(round): \(error)")
      }
    }
    // Were everything refused at its first byte, nothing would have been tried.
    #expect(readable > 1500)
  }

  private static func mutate(
    _ bytes: inout [UInt8], corpus: [[UInt8]], using generator: inout SeededRandom
  ) {
    let position = Int.random(in: 0...bytes.count, using: &generator)
    let end = min(bytes.count, position + Int.random(in: 1...12, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0 where position < bytes.count:
      bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
    case 1 where position < bytes.count:
      bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2..<5 where position < bytes.count:
      // Bytes that the grammar knows lead further in than random ones do.
      bytes[position] = Array("0123456789.-+e \t\n#".utf8).randomElement(using: &generator) ?? 0
    case 5: bytes.removeSubrange(position..<end)
    case 6: bytes.insert(contentsOf: tokens.randomElement(using: &generator) ?? [], at: position)
    case 7: bytes.insert(contentsOf: bytes[position..<end], at: position)
    default:
      let other = corpus.randomElement(using: &generator) ?? []
      bytes = bytes[..<position] + other.suffix(Int.random(in: 0...other.count, using: &generator))
    }
  }
}
