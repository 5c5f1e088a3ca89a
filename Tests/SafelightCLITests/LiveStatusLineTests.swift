import FoundationEssentials
import Safelight
import Testing

@testable import SafelightCLI

@Suite("The status line of live runs")
struct LiveStatusLineTests {
  @Test("tells each reason for which frames are dropped")
  func drops() {
    var statistics = LiveStatistics()
    #expect(LiveStatusLine.drops(statistics) == "dropped 0")
    statistics.unrendered = 3
    #expect(LiveStatusLine.drops(statistics) == "dropped 3 because sinks held all pictures")
    statistics.frames.droppedLate = 2
    #expect(LiveStatusLine.drops(statistics) == "dropped 2 late, 3 because sinks held all pictures")
    (statistics.unrendered, statistics.spared) = (0, 4)
    #expect(LiveStatusLine.drops(statistics) == "dropped 2 late, 4 to spare the machine")
  }

  @Test("is explained in the documentation, reason by reason")
  func documentation() throws {
    let page = String(
      decoding: try Data(contentsOf: URL(filePath: Program.package + "/docs/video.md")), as: UTF8.self)
    for reason in DropReason.allCases {
      #expect(page.contains("\n| `\(reason.rawValue)` | \(reason.text) | "), "\(reason)")
    }
    #expect(page.contains("\n| `unrendered`, beside `dropped` | because sinks held all pictures | "))
    #expect(page.contains("\n| `spared`, beside `dropped` | to spare the machine | "))
  }
}
