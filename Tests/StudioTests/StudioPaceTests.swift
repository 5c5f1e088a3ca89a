import Safelight
import Testing

@testable import Studio

@Suite("The pace of a page")
struct StudioPaceTests {
  /// A page on a clock of its own.
  private struct Page {
    var pace = StudioPace()
    var now = Timestamp(nanoseconds: 1_000_000_000)
    var frame = 0

    /// Renders one moving frame and has it drawn; times in milliseconds, of full detail.
    mutating func step(making: Double, showing: Double) {
      let area = pace.detail * pace.detail
      if let begin = pace.nextBegin, begin > now { now = begin }
      frame += 1
      let begun = now
      now = now.advanced(bySeconds: making * area / 1000)
      pace.sent(frame, isMoving: true, begun: begun, at: now)
      now = now.advanced(bySeconds: showing * area / 1000)
      pace.drawn(frame, at: now)
    }
  }

  @Test("A fast page gets all the detail, a slow one less, and it comes back")
  func detail() {
    var page = Page()
    for _ in 0..<60 { page.step(making: 8, showing: 6) }
    #expect(page.pace.detail == 1)
    for _ in 0..<60 { page.step(making: 30, showing: 60) }
    #expect(page.pace.detail <= 0.5)
    for _ in 0..<200 { page.step(making: 8, showing: 6) }
    #expect(page.pace.detail == 1)
  }

  @Test(
    "Detail does not swing between two steps at a steady speed", arguments: [15.0, 25, 35, 45, 60, 90, 200])
  func steady(total: Double) {
    var page = Page()
    for _ in 0..<200 { page.step(making: total / 2, showing: total / 2) }
    var details: Set<Double> = []
    for _ in 0..<200 {
      page.step(making: total / 2, showing: total / 2)
      details.insert(page.pace.detail)
    }
    #expect(details.count == 1, "\(details)")
  }

  @Test("Two frames are on their way at most; the second is begun to arrive when the first is drawn")
  func flights() throws {
    var page = Page()
    for _ in 0..<20 { page.step(making: 5, showing: 20) }
    page.pace.sent(100, isMoving: true, begun: page.now, at: page.now)
    let begin = try #require(page.pace.nextBegin)
    #expect(begin > page.now)
    page.pace.sent(101, isMoving: true, begun: begin, at: begin)
    #expect(page.pace.nextBegin == nil)
    // The page passed over the first.
    page.pace.drawn(101, at: begin.advanced(bySeconds: 0.02))
    #expect(try #require(page.pace.nextBegin) <= begin)
  }
}
