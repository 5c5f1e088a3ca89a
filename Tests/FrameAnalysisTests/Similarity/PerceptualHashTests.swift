import FrameCore
import TestSupport
import Testing

@testable import FrameAnalysis

@Suite("Perceptual hashes")
struct PerceptualHashTests {
  /// Luma of a drawn picture with detail at all scales, by integers alone, so that other programs draw the same.
  static func pattern(_ width: Int, _ height: Int) -> [Float] {
    (0..<width * height).map { place in
      let (x, y) = (place % width, place / width)
      let fine = (x * x * 3 + y * y * 5 + x * y * 7 + x / 9 * (y / 7) * 31) % 256
      return Float((fine + x * 255 / width * 2 + y * y % 251) / 4) / 255
    }
  }

  /// Source: the package pdqhash 0.2.8 of PyPI, which is Facebook's own C++, given these pictures as grey ones.
  @Test(
    "are those of the program that PDQ comes from",
    arguments: [
      (97, 61, "57756259fe7cd71a17afd8cc3b4e748668919dad52c9619180375e12b24b5059", 100),
      (64, 64, "4f45bf4e8e67e822fa507723dd71e1111514f391396ae9175d18f04568aaad95", 100),
      (512, 300, "0344e77128725c0ba53e5977be1873350d635763cd1f41851fb655775c04f5c4", 100),
      (33, 200, "8ace2bc17a76cab2b000a7cdedc8ac3564a29e09ffc46f18ed34216a2aec3be6", 100),
      (511, 512, "12195d650e6b415f2324c9954d14654f19a097f7154fdd54542754f5dd642bdf", 100),
    ])
  func reference(_ width: Int, _ height: Int, _ text: String, _ detail: Int) throws {
    let result = try #require(
      PerceptualHasher().hash(Self.pattern(width, height), PixelSize(width: width, height: height)))
    let expected = try #require(PerceptualHash(text))
    // Waves that are at the median but for rounding.
    #expect(result.hash.distance(to: expected) <= 2, "\(result.hash)")
    #expect(abs(result.detail - detail) <= 1)
  }

  @Test("belong to no picture of fewer than five columns or rows")
  func tiny() {
    let hasher = PerceptualHasher()
    #expect(hasher.hash(Self.pattern(4, 100), PixelSize(width: 4, height: 100)) == nil)
    #expect(hasher.hash(Self.pattern(100, 4), PixelSize(width: 100, height: 4)) == nil)
    #expect(hasher.hash(Self.pattern(1, 1), PixelSize(width: 1, height: 1)) == nil)
  }

  @Test("of one colour have no detail")
  func uniform() throws {
    let result = try #require(
      PerceptualHasher().hash([Float](repeating: 0.3, count: 200 * 100), PixelSize(width: 200, height: 100)))
    #expect(result.detail == 0)
  }

  @Test("do not depend on what was measured before")
  func memory() throws {
    let hasher = PerceptualHasher()
    let small = PixelSize(width: 97, height: 61)
    let fresh = hasher.hash(Self.pattern(97, 61), small)
    _ = hasher.hash(Self.pattern(640, 480), PixelSize(width: 640, height: 480))
    #expect(hasher.hash(Self.pattern(97, 61), small) == fresh)
  }

  @Test("are read as they are written")
  func text() throws {
    var random = SeededRandom(seed: 7)
    for _ in 0..<200 {
      let hash = PerceptualHash(
        words: SIMD4((0..<4).map { _ in random.next() >> UInt64.random(in: 0..<64, using: &random) }))
      #expect(PerceptualHash(hash.description) == hash)
      #expect(hash.description.count == 64)
    }
    for wrong in [
      "", "0", String(repeating: "0", count: 63), String(repeating: "g", count: 64),
      "+" + String(repeating: "0", count: 63), String(repeating: "0", count: 65),
    ] { #expect(PerceptualHash(wrong) == nil, "\(wrong)") }
  }
}
