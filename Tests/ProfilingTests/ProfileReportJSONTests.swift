import LibraryTestSupport
import Safelight
import FoundationEssentials
import Testing

@testable import Profiling

@Suite("Reading profiles")
struct ProfileReportJSONTests {
  private func json(_ report: ProfileReport = makeReport()) throws -> String {
    String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
  }

  private func failure(_ text: String) -> String? {
    message { _ = try ProfileReport(json: Array(text.utf8), file: "a.json") }
  }

  @Test("A report that was written is read as it was")
  func roundTrip() throws {
    var report = makeReport()
    report.bake?.samples = [3.1, 3.2]
    #expect(try ProfileReport(json: Array(try json(report).utf8), file: "a.json") == report)
    report.bake = nil
    report.device = makeDevice()
    #expect(try ProfileReport(json: Array(try json(report).utf8), file: "a.json") == report)
  }

  @Test("A cause that earlier releases named otherwise is read by its present name")
  func formerName() throws {
    var report = makeReport(frames: [2, 2, 2, 9])
    var counted = [KernelCounters.Reading](repeating: .init(), count: 4)
    counted[3].waitedMilliseconds = 6
    report.interruptions = ProfileReport.Interruptions(
      report.frames.milliseconds, counted: counted, stolenMilliseconds: nil)
    #expect(report.interruptions?.slowest.map(\.cause) == [.coreWait])
    let former = try json(report).replacing("\"coreWait\"", with: "\"otherPrograms\"")
    #expect(former.contains("otherPrograms"))
    #expect(try ProfileReport(json: Array(former.utf8), file: "a.json") == report)
    let message = failure(former.replacing("\"otherPrograms\"", with: "\"moon\""))
    #expect(message?.contains("“interruptions.slowest.1.cause” has a value that does not fit") == true)
  }

  @Test("A file that is no profile, of another version or damaged is refused with what is wrong")
  func refusals() throws {
    let text = try json()
    #expect(failure("")?.hasPrefix("a.json:1:1: the text ends where a value is expected") == true)
    #expect(failure(String(text.dropLast(5)))?.hasPrefix("a.json:1:") == true)
    let none = "a.json is not a profile; give a file that safelight profile --json wrote."
    #expect(failure("[]") == none)
    #expect(failure("{\"version\": 1, \"filters\": []}") == none)
    #expect(
      failure(text.replacing("\"version\":1", with: "\"version\":2"))
        == "a.json is a profile of version 2, and this release reads version 1; measure again with this release."
    )
    #expect(
      failure(text.replacing("\"cores\":2", with: "\"cores\":\"two\""))
        == "a.json is a damaged profile: “machine.cores” has a value of another type; measure again.")
    #expect(
      failure(text.replacing("\"triad\":36.1", with: "\"triads\":36.1"))
        == "a.json is a damaged profile: “roofline.points.2.triad” is missing; measure again.")
    #expect(
      failure(text.replacing("\"cores\":2", with: "\"cores\":2.5"))
        == "a.json is a damaged profile: a number has the wrong type; measure again.")
  }
}
