import LibraryTestSupport
import Safelight
import Testing

@testable import BatchEditing

/// The JSON of batches is an interface: it is compared with a recorded example.
@Suite("Recorded reports of batches")
struct RecordedBatchReportTests {
  private func entry(
    _ index: Int, _ path: String, to output: String, in folder: String = "", _ status: BatchReport.Status
  ) -> BatchReport.Entry {
    BatchReport.Entry(
      BatchNaming.Item(
        photo: BatchInputs.Photo(path: path, folder: folder), index: index, output: output, decision: .edit),
      status: status)
  }

  @Test("The report of a run is that recorded, without characters that control a terminal")
  func run() throws {
    var done = entry(1, "in/2025/a.jpg", to: "2025/a.jpg", in: "2025", .done)
    (done.width, done.height, done.bytes) = (60, 40, 4321)
    (done.hash, done.seconds) = (String(repeating: "0f", count: 16), 0.25)
    (done.backend, done.device) = ("vulkan", "A GPU")
    done.warnings = ["A \"profile\" was damaged"]
    var failed = entry(2, "in/b\u{9B}2J.jpg", to: "", .failed)
    failed.reason = "Cannot read in/b: it is empty."
    var skipped = entry(3, "in/c.jpg", to: "c.jpg", .skipped)
    skipped.reason = "done before"
    let left = entry(4, "in/d.jpg", to: "d.jpg", .left)
    try expectRecorded(
      BatchReport(entries: [done], total: 1, seconds: 0.5, megapixels: 0.0024), as: "batch")
    let report = BatchReport(
      entries: [done, failed, skipped, left], workingFolder: "/photos", total: 4, seconds: 1.5,
      megapixels: 0.0024, problem: "The disk is full.", isDiskFull: true,
      notes: ["The journal was damaged"], unusable: ["Cannot open in/private: Permission denied."])
    try expectRecorded(report, as: "batch-stopped")
    let scratch = try Scratch()
    try scratch.write(report.json(), to: "report.json")
    #expect(BatchReport.isReport(scratch("report.json")))
    #expect(try BatchReport(contentsOf: scratch("report.json")) == report)
  }

  @Test("The plan of a run is that recorded")
  func plan() throws {
    let results = [
      BatchRun.PlannedResult(input: "in/a.jpg", output: "a.jpg", action: .edit),
      BatchRun.PlannedResult(input: "in/b.jpg", output: "b.jpg", action: .edit, replaces: true),
      BatchRun.PlannedResult(input: "in/c.jpg", output: "c.jpg", action: .skip, reason: "done before"),
      BatchRun.PlannedResult(input: "in/d.jpg", output: "", action: .fail, reason: "It has no date."),
    ]
    try expectRecorded(results, as: "batch-plan")
    let scratch = try Scratch()
    try scratch.write(results.json(), to: "plan.json")
    #expect(BatchReport.isReport(scratch("plan.json")))
  }
}
