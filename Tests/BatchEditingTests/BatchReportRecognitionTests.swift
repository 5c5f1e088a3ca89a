import LibraryTestSupport
import Safelight
import Foundation
import Testing

@testable import BatchEditing
import Libc

@Suite("Which files are reports of batches")
struct BatchReportRecognitionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func report(_ count: Int) throws -> [UInt8] {
    let entries = (1...count).map { index in
      var entry = BatchReport.Entry(
        BatchNaming.Item(
          photo: BatchInputs.Photo(path: "in/{\"}\\ [\(index)].jpg"), index: index, output: "\(index).jpg",
          decision: .edit), status: .done)
      entry.warnings = ["a } and a \" in a warning"]
      return entry
    }
    return try json(BatchReport(entries: entries, total: count, seconds: 1, megapixels: 2))
  }

  private func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value)) + [10]
  }

  private func isReport(_ bytes: [UInt8]) throws -> Bool {
    try scratch.write(bytes, to: "x.json")
    return BatchReport.isReport(scratch("x.json"))
  }

  @Test("Reports of any length are known, long ones by their beginning alone")
  func lengths() throws {
    #expect(try isReport(report(1)) && isReport(report(20)))
    let long = try report(5000)
    #expect(long.count > 2 * BatchReport.longestBeginning)
    #expect(try isReport(long))
    #expect(try isReport(long.dropLast(long.count / 4) + Array("whatever follows".utf8)))
    // Short ones are read as a whole.
    #expect(try !isReport(report(20).dropLast(20) + Array("whatever follows".utf8)))
  }

  @Test("So are lists of what would be done")
  func plans() throws {
    let line = BatchRun.PlannedResult(input: "in/a.jpg", output: "a.jpg", action: .edit)
    #expect(try isReport(json([line])))
    #expect(try isReport(json([BatchRun.PlannedResult](repeating: line, count: 5000))))
    #expect(try !isReport(json([BatchRun.PlannedResult]())))
  }

  @Test(
    "Other files are none, however they begin",
    arguments: [
      "", "{", "[", #"{"entries": []}"#, #"{"entries": [{}]}"#,
      #"{"entries": [{"index": 1, "input": "a"}]}"#,
      #"[{"input": "a"}]"#, #"[[{"action": "edit", "input": "a", "output": "b"}]]"#, #""entries""#,
      "a letter",
    ])
  func others(text: String) throws {
    #expect(try !isReport(Array(text.utf8)))
    for more in [" ", "{},", #", "more": ["#] {
      let long = text + String(repeating: more, count: BatchReport.longestBeginning)
      #expect(try !isReport(Array(long.utf8)))
    }
  }

  @Test("A folder, a pipe and what is not there are none")
  func noFiles() throws {
    #expect(mkfifo(scratch("pipe"), 0o600) == 0)
    for name in ["pipe", "", "none"] { #expect(!BatchReport.isReport(scratch(name))) }
  }
}
