import LibraryTestSupport
import Safelight
import Testing

@testable import PhotoPipeline
import Libc

/// Searches over lengths that are made up.
@Suite("The search for a quality")
struct QualitySearchTests {
  /// - Returns: the quality that was found, and how many were tried.
  private func search(
    from quality: Int = 92, limit: Int, _ length: (Int) -> Int
  ) -> (quality: Int?, steps: Int) {
    var search = QualitySearch(limit: limit, quality: quality, bytes: length(quality))
    var steps = 0
    while let next = search.next, steps < 100 {
      #expect((1..<quality).contains(next))
      search.add(quality: next, bytes: length(next))
      steps += 1
    }
    return (search.best, steps)
  }

  @Test(
    "A file of any usual bend uses its bound to nine tenths after five encodings at most, and never exceeds it",
    arguments: [12.0, 17, 20, 25, 40], [0.9, 0.5, 0.2, 0.05])
  func bends(halving: Double, part: Double) {
    // Steeper towards 100, as JPEG is.
    func length(_ quality: Int) -> Int {
      let q = Double(quality)
      return Int(1e6 * exp2((q - 92) / halving + pow(max(0, q - 70), 2) / 900))
    }
    let limit = Int(part * Double(length(92)))
    let found = search(limit: limit, length)
    let best = found.quality ?? 0
    if length(1) > limit { return #expect(found.quality == nil) }
    #expect(length(best) <= limit)
    #expect(found.steps <= 5, "\(found)")
    // One step of quality more would not fit, or the bound is well used.
    #expect(length(best + 1) > limit || Double(length(best)) >= 0.9 * Double(limit), "\(found)")
  }

  @Test("Lengths with a cliff are found too, in bounded steps")
  func cliff() {
    for edge in 2...91 {
      let found = search(limit: 1000) { $0 >= edge ? 1_000_000 : 900 }
      #expect(found.steps <= QualitySearch.mostSteps)
      #expect((found.quality ?? 100) < edge, "\(edge): \(found)")
    }
  }

  @Test("A file may be as long as the bound, and not a byte longer")
  func exactBound() {
    for edge in 2...91 {
      let found = search(limit: 1000) { $0 >= edge ? 1001 : 1000 }
      #expect((1..<edge).contains(found.quality ?? 0), "\(edge): \(found)")
    }
  }

  @Test("Where no quality keeps the bound, none is found")
  func none() {
    #expect(search(limit: 10) { 1000 + $0 }.quality == nil)
    #expect(search(from: 1, limit: 10) { 1000 + $0 }.quality == nil)
  }
}
