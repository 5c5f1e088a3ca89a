import LibraryTestSupport
import Safelight
import Testing

@testable import Profiling

/// The numbers that the page states.
extension ProfilePageTests {
  @Test("The head says what the profile comes down to")
  func figures() {
    let figures = ProfilePage.figures(makeReport(frames: [2, 2, 2, 4]))
    #expect(figures.map(\.value) == ["2.00", "400", "4.00", "25"])
    #expect(ProfilePage.figures(makeReport(frames: [])).isEmpty)
    // A little is shown as a little, not as nothing.
    #expect(ProfilePage.figures(makeReport(frames: [1e5, 1e5])).last?.value == "0.00050")
  }

  @Test("Waiting has no speed and is not called a stage")
  func waiting() throws {
    var report = makeReport()
    report.stages.append(makeStage("wait", 9, bytes: 0))
    let html = ProfilePage(report).html
    #expect(html.contains("most expensive stage is baked") && !html.contains("stage is wait"))
    // The plots come first, the table's row last.
    let rows = try #require(html.split(separator: "<tr>").last { $0.contains(">wait<") })
    let row = try #require(rows.split(separator: "</tr>").first)
    #expect(row.count { $0 == "–" } == 3, "\(row)")
    #expect(!html.contains("0 % of memcpy"))
  }

  @Test("A size that is only the largest tried is said to be a lower bound")
  func lowerBound() {
    var report = makeReport()
    report.capacities = [
      .init(
        framesPerSecond: 30, width: 7680, height: 4320, p99Milliseconds: 20, frames: 54, isLowerBound: true)
    ]
    let html = ProfilePage(report).html
    #expect(html.contains("30 frames a second hold at least 7680 × 4320"))
    #expect(html.contains("30 fps at least 7680 × 4320 · longest of 54 frames 20"))
    #expect(html.contains(">at least 7680 × 4320</t"))
    #expect(!html.contains("up to 7680"))
  }

  @Test("Few frames have a longest, not percentiles")
  func fewFrames() {
    #expect(ProfilePage.figures(makeReport(frames: [2, 2, 2, 4]))[2].name == "longest of 4")
    let many = makeReport(frames: (0..<100).map { 2 + Double($0) / 100 })
    #expect(ProfilePage.figures(many)[2].name == "99th percentile")
    #expect(ProfilePage(many).html.contains("99 of 100 at most"))
  }
}
