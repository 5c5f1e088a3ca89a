import LibraryTestSupport
import Safelight
import Testing

@Suite("A histogram of latencies")
struct LatencyHistogramTests {
  @Test("gives percentiles at most an eighth above the true ones", arguments: 1...8)
  func percentiles(seed: Int) throws {
    var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15
    var histogram = LatencyHistogram()
    var values: [Double] = []
    for _ in 0..<5000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // From 10 µs to 10 s, evenly by octave.
      let value = 1e-5 * Double.maximum(1, Double(state >> 40)) / 16.8
      values.append(value)
      histogram.add(seconds: value)
    }
    values.sort()
    for fraction in [0.01, 0.5, 0.9, 0.99, 1] {
      let exact = values[max(0, Int((5000 * fraction).rounded(.up)) - 1)]
      let found = try #require(histogram.percentile(fraction))
      #expect(
        found >= min(exact, 1e-5) && found >= exact * 0.999 && found <= max(exact * 1.13, 1e-5), "\(fraction)"
      )
    }
    #expect(histogram.maximum == values.last && histogram.count == 5000)
  }

  @Test("has no percentile without durations, and counts what came after an earlier state")
  func difference() {
    var histogram = LatencyHistogram()
    #expect(histogram.percentile(0.5) == nil)
    for _ in 0..<100 { histogram.add(seconds: 0.001) }
    let start = histogram
    #expect(histogram.since(start).percentile(0.5) == nil)
    for _ in 0..<3 { histogram.add(seconds: 0.1) }
    let later = histogram.since(start)
    #expect(later.count == 3)
    #expect(abs((later.percentile(0.5) ?? 0) - 0.1) < 0.009)
  }

  @Test("takes any duration, also none, negative and endless ones")
  func extremes() {
    var histogram = LatencyHistogram()
    for value in [0, -1, 1e-9, 1e9] { histogram.add(seconds: value) }
    #expect(histogram.count == 4 && histogram.maximum == 1e9)
    #expect(histogram.percentile(0.25) == 1e-5)
  }
}
