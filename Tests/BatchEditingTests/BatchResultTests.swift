import LibraryTestSupport
import Safelight
import Synchronization
import Testing

/// What a batch writes depends on the photos and the edit alone.
@Suite struct BatchResultTests {
  private static let recipe = Recipe(
    filters: [Exposure(stops: 0.3), Contrast(10), Straighten(2), Resize(longEdge: 60)])

  /// Photos of several sizes, one with alpha, edited into a folder; the bytes of each result.
  private func results(_ scratch: Scratch, jobs: Int, into folder: String) throws -> [String: [UInt8]] {
    let photos = (0..<6).map { BatchInputs.Photo(path: scratch("\($0).\($0 == 4 ? "png" : "jpg")")) }
    let naming = BatchNaming(
      template: try NameTemplate("{stem}{ext}"), format: nil, preset: nil, conflict: .fail)
    var export = PhotoExport()
    export.quality = 90
    let settings = LocalBatchEditor.Settings(export: export) { _ in Self.recipe }
    let run = BatchRun(
      to: scratch(folder), BatchRun.Options(naming: naming, edit: { _ in "edit" }, jobs: jobs)
    ) { LocalBatchEditor(settings) }
    let report = try run.run(photos)
    #expect(report.entries.map(\.status) == Array(repeating: .done, count: photos.count))
    var bytes: [String: [UInt8]] = [:]
    for entry in report.entries { bytes[entry.output] = try scratch.read("\(folder)/\(entry.output)") }
    return bytes
  }

  private func makePhotos() throws -> Scratch {
    let scratch = try Scratch()
    for index in 0..<6 where index != 4 {
      try makePicture(120 + 7 * index, 90 - 4 * index).write(to: scratch("\(index).jpg"))
    }
    try makePicture(133, 71, alpha: .straight).write(to: scratch("4.png"))
    return scratch
  }

  @Test("Results do not depend on the number of jobs")
  func jobs() throws {
    let scratch = try makePhotos()
    let one = try results(scratch, jobs: 1, into: "one")
    #expect(one.count == 6)
    #expect(try results(scratch, jobs: 3, into: "three") == one)
  }

  @Test("A photo comes out of a batch as it does when it is edited alone")
  func alone() throws {
    let scratch = try makePhotos()
    let batch = try results(scratch, jobs: 2, into: "batch")
    var export = PhotoExport()
    export.quality = 90
    for (name, bytes) in batch {
      _ = try export.run(scratch(name), through: Self.recipe, to: scratch("alone-" + name))
      #expect(try scratch.read("alone-" + name) == bytes, "\(name)")
    }
  }

  @Test("A format that the export alone has names results too; two that differ are refused")
  func formats() async throws {
    let scratch = try Scratch()
    try makePicture(24, 18).write(to: scratch("harbour.jpg"))
    var batch = Batch([scratch("harbour.jpg")], through: Recipe(), to: scratch("out"))
    batch.export.format = .png
    let report = try await batch.run()
    #expect(report.entries.map(\.output) == ["harbour.png"])
    #expect(try PhotoHeader.read(scratch("out/harbour.png")).fileFormat == .png)
    batch.resumes = true
    batch.format = .png
    let again = try await batch.run()
    #expect(again.entries.map(\.reason) == ["done before"])
    batch.format = .jpeg
    let refused = batch
    let error = await #expect(throws: SafelightError.self) { try await refused.run() }
    #expect(
      error?.description
        == "The format of the batch is JPEG, and that of its export is PNG; set one of them, or both to the same."
    )
  }

  @Test("A run that is stopped while photos are named edits none, and its report lists them all as left")
  func stoppedWhileNaming() throws {
    let scratch = try makePhotos()
    let stop = Mutex<BatchRun?>(nil)
    let settings = LocalBatchEditor.Settings(export: PhotoExport()) { _ in
      stop.withLock { $0?.stop() }
      return Recipe()
    }
    let naming = BatchNaming(template: try NameTemplate("{camera}-{index}{ext}"))
    let run = BatchRun(
      to: scratch("out"), BatchRun.Options(naming: naming, edit: { _ in "edit" }, jobs: 2)
    ) { LocalBatchEditor(settings) }
    stop.withLock { $0 = run }
    let photos = (0..<6).map { BatchInputs.Photo(path: scratch("\($0).\($0 == 4 ? "png" : "jpg")")) }
    let report = try run.run(photos)
    stop.withLock { $0 = nil }
    #expect(report.entries.map(\.status) == Array(repeating: .left, count: 6))
    #expect(report.entries.map(\.output) == ["camera-1.jpg", "", "", "", "", ""])
    #expect(report.total == 6)
    #expect(report.failedPhotos.map(\.index) == [1, 2, 3, 4, 5, 6])
  }
}
