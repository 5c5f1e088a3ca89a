import Testing

@testable import MovieIO

@Suite("Times of MP4 files")
struct MP4TimeTests {
  @Test("are rounded to the nearest tick, and those of damaged files do not overflow")
  func rescale() {
    #expect(MP4Time.rescale(3, from: 2, to: 1) == 2 && MP4Time.rescale(-3, from: 2, to: 1) == -2)
    #expect(MP4Time.rescale(90_000, from: 90_000, to: 600) == 600)
    // The product just fits, and the rounding does not.
    let time: Int64 = 102_481_911_520_608
    #expect(abs(Double(MP4Time.rescale(time, from: 192_000, to: 90_000)) - Double(time) * 90 / 192) < 1e6)
    for extreme in [Int64.max, .min, .max / 90_000, .min / 90_000, 1 << 50] {
      for scale: Int64 in [1, 600, 90_000, 192_000] { _ = MP4Time.rescale(extreme, from: 90_000, to: scale) }
    }
  }
}
