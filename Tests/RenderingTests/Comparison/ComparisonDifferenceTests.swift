import FrameCore
import Testing

@testable import Rendering

@Suite("A difference picture")
struct ComparisonDifferenceTests {
  private func difference(
    _ a: PixelBuffer, _ b: PixelBuffer, gain: Double? = nil, labels: Bool = false
  ) throws -> PixelBuffer {
    try Comparison(a, b, layout: .difference(gain: gain), labels: labels).render()
  }

  @Test("of equal pictures is black, whatever the gain", arguments: [nil, 1, 64] as [Double?])
  func equal(gain: Double?) throws {
    let picture = try patterned(33, 21, seed: 5)
    let result = try difference(picture, picture, gain: gain)
    for y in 0..<21 {
      for x in 0..<33 { #expect(result.pixel(x, y) == [0, 0, 0, 255]) }
    }
  }

  @Test("is |edited − original| times the gain, clipped")
  func gain() throws {
    let original = try plain(5, 3, .rgba8, [100, 100, 100, 255] as [UInt8])
    let edited = try plain(5, 3, .rgba8, [103, 90, 200, 255] as [UInt8])
    #expect(try difference(original, edited, gain: 1).pixel(4, 2) == [3, 10, 100, 255])
    #expect(try difference(original, edited, gain: 8).pixel(4, 2) == [24, 80, 255, 255])
    #expect(try difference(edited, original, gain: 8).pixel(4, 2) == [24, 80, 255, 255])
  }

  @Test(
    "chooses the largest power of two that keeps the largest difference within full brightness",
    arguments: [(1, 128.0), (2, 64), (15, 16), (16, 8), (63, 4), (64, 2), (127, 2), (128, 1), (255, 1)])
  func automaticGain(codes: Int, expected: Double) throws {
    let black = try plain(8, 8, .rgba8, [0, 0, 0, 255] as [UInt8])
    let edited = try plain(8, 8, .rgba8, [0, UInt8(codes), 0, 255])
    #expect(Comparison(black, edited, layout: .difference()).automaticGain() == expected)
    #expect(try difference(black, edited).pixel(0, 0)[1] == UInt8(min(255, codes * Int(expected))))
  }

  @Test("does not let one stray pixel in a thousand darken the rest")
  func strayPixels() throws {
    let original = try plain(100, 100, .rgba8, [50, 50, 50, 255] as [UInt8])
    let edited = try plain(100, 100, .rgba8, [52, 50, 50, 255] as [UInt8])
    for x in 0..<10 { edited.row(40, as: UInt8.self)[4 * x] = 255 }
    #expect(Comparison(original, edited, layout: .difference()).automaticGain() == 64)
    edited.row(40, as: UInt8.self)[40] = 255
    #expect(Comparison(original, edited, layout: .difference()).automaticGain() == 1)
  }

  @Test("sees what 8 bits would hide")
  func deepSamples() throws {
    let original = try plain(4, 4, .rgba16, [30_000, 30_000, 30_000, 65_535] as [UInt16])
    let edited = try plain(4, 4, .rgba16, [30_040, 30_000, 30_000, 65_535] as [UInt16])
    // 40/65535 = 1/1638: 1024 is the largest power of two that keeps it within 1; 255 · 40960/65535 = 159.4.
    #expect(Comparison(original, edited, layout: .difference()).automaticGain() == 1024)
    #expect(try difference(original, edited).pixel(1, 1) == [159, 0, 0, 255])
  }

  @Test("shows what is not a number as full brightness")
  func notANumber() throws {
    let original = try plain(2, 2, .rgbaF32, [0, 0, 0, 1] as [Float])
    let edited = try plain(2, 2, .rgbaF32, [.nan, .infinity, 0, 1] as [Float])
    #expect(try difference(original, edited).pixel(0, 0) == [255, 255, 0, 255])
  }

  @Test("ignores colour behind full transparency")
  func transparency() throws {
    let original = try plain(2, 2, .rgba8, [200, 10, 90, 0] as [UInt8], alpha: .straight)
    let edited = try plain(2, 2, .rgba8, [0, 255, 3, 0] as [UInt8], alpha: .straight)
    #expect(try difference(original, edited, gain: 4).pixel(0, 0) == [0, 0, 0, 255])
  }

  @Test(
    "says what full brightness means",
    arguments: [
      (1, "× 1   WHITE = 100 %"), (8, "× 8   WHITE = 12.5 %"), (32, "× 32   WHITE = 3.13 %"),
      (4096, "× 4096   WHITE = 0.0244 %"), (2.5, "× 2.5   WHITE = 40 %"), (0.5, "× 0.5   WHITE = 200 %"),
    ])
  func scaleText(gain: Double, text: String) {
    #expect(Comparison.scaleText(gain: gain) == text)
  }

  @Test("bears a ramp from black to white in its lower left corner")
  func scaleBar() throws {
    let original = try plain(600, 400, .rgba8, [0, 0, 0, 255] as [UInt8])
    let edited = try plain(600, 400, .rgba8, [8, 8, 8, 255] as [UInt8])
    let result = try difference(original, edited, labels: true)
    // Cap height 9: margin 11, paddings 8 and 6; the bar is 63 columns by 9 rows.
    let (x, y) = (11 + 8, 400 - 11 - 6 - 5)
    let ramp = (0..<63).map { result.pixel(x + $0, y)[0] }
    #expect(ramp.first == 0)
    #expect(ramp.last == 255)
    #expect(zip(ramp, ramp.dropFirst()).allSatisfy { $0 < $1 })
    #expect(result.pixel(599, 399) == [128, 128, 128, 255])
  }
}
