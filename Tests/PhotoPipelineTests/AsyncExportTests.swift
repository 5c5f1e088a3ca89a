import LibraryTestSupport
import Safelight
import FoundationEssentials
import Synchronization
import Testing

@testable import PhotoPipeline

/// A filter that changes nothing and calls somebody when it is planned: a place in the middle of an export.
private struct Probe: Filter {
  static let id: FilterID = "probe"
  static let phase = FilterPhase.tone
  static let summary = "Calls somebody"
  static let parameters: [Parameter] = []

  var call: @Sendable () -> Void = {}
  init() {}
  init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  func lower(into plan: inout PlanBuilder) { call() }
  static func == (a: Probe, b: Probe) -> Bool { true }
}

@Suite("Exports and batches in async code")
struct AsyncExportTests {
  private func makeFolder(_ names: [String] = ["a.jpg"]) throws -> Scratch {
    let scratch = try Scratch()
    for name in names { try makePhoto(makePicture(900, 1300)).write(to: scratch(name)) }
    return scratch
  }

  @Test("An export gives the same file as without async, on a thread of its own")
  func sameFile() async throws {
    let scratch = try makeFolder()
    let thread = Mutex("")
    let recipe = Recipe {
      Exposure(stops: 0.5)
      Straighten(1)
    }
    let probed = recipe.then(
      Recipe {
        Probe {
          let name = (try? FileContents.read("/proc/thread-self/comm")) ?? []
          thread.withLock { $0 = String(decoding: name, as: UTF8.self) }
        }
      })
    let report = try await PhotoExport().run(scratch("a.jpg"), through: probed, to: scratch("async.jpg"))
    #expect(thread.withLock { $0 } == "export\n")
    func inTurn() throws {
      _ = try PhotoExport().run(scratch("a.jpg"), through: recipe, to: scratch("sync.jpg"))
    }
    try inTurn()
    #expect(try scratch.read("async.jpg") == scratch.read("sync.jpg"))
    #expect(try PhotoHeader.read(scratch("async.jpg")).size == report.outputSize)
  }

  @Test(
    "A task that is cancelled leaves no file, and what was there stays",
    arguments: [(false, false), (true, false), (false, true)])
  func cancelled(isSequential: Bool, isCompared: Bool) async throws {
    let scratch = try makeFolder()
    try scratch.write("mine", to: "out.jpg")
    let running = Monitor<Task<PhotoExport.Report, any Error>?>(nil)
    let recipe = Recipe {
      Straighten(1)
      Probe { running.wait { $0 }.cancel() }
    }
    var export = PhotoExport()
    export.isSequential = isSequential
    export.overwrite = true
    if isCompared { export.comparison = PhotoExport.ComparisonOptions(layout: .sideBySide) }
    let (input, output) = (scratch("a.jpg"), scratch("out.jpg"))
    let task = Task { [export] in try await export.run(input, through: recipe, to: output) }
    running.update { $0 = task }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try scratch.names == ["a.jpg", "out.jpg"])
    #expect(try scratch.read("out.jpg") == Array("mine".utf8))
  }

  @Test("An export whose task was cancelled before does not begin")
  func cancelledBefore() async throws {
    let scratch = try makeFolder()
    let (input, output) = (scratch("a.jpg"), scratch("out.jpg"))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await PhotoExport().run(input, through: Recipe(), to: output)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try scratch.names == ["a.jpg"])
  }

  @Test("A batch edits what it is given, tells how far it is, and reports photo by photo")
  func batch() async throws {
    let scratch = try makeFolder(["a.jpg", "b.jpg"])
    try scratch.write("no picture", to: "c.jpg")
    let progress = Mutex<BatchRun.Progress?>(nil)
    var batch = Batch(
      [scratch.path, scratch("none.jpg")], through: Recipe { Exposure(stops: 0.5) }, to: scratch("out"))
    batch.jobs = 2
    let report = try await batch.run { told in progress.withLock { $0 = told } }
    #expect(report.entries.map(\.status) == [.done, .done, .failed])
    #expect(report.unusable?.count == 1)
    let last = try #require(progress.withLock { $0 })
    #expect((last.done, last.failed, last.total) == (2, 1, 3))
    #expect(try PhotoHeader.read(scratch("out/b.jpg")).size == PixelSize(width: 900, height: 1300))

    // The same again goes on; another edit begins anew.
    batch.resumes = true
    #expect(try await batch.run().entries.map(\.status) == [.skipped, .skipped, .failed])
    batch.export.quality = 50
    #expect(try await batch.run().entries.map(\.status) == [.done, .done, .failed])
    await #expect(throws: SafelightError.self) {
      try await Batch([], through: Recipe(), to: scratch("out")).run()
    }
  }

  @Test("A batch whose task is cancelled leaves nothing half done, and goes on from there")
  func cancelledBatch() async throws {
    let scratch = try makeFolder(["a.jpg", "b.jpg", "c.jpg"])
    let running = Monitor<Task<BatchReport, any Error>?>(nil)
    var batch = Batch(["a.jpg", "b.jpg", "c.jpg"].map { scratch($0) }, to: scratch("out")) { photo in
      Recipe {
        Probe { if photo.hasSuffix("b.jpg") { running.wait { $0 }.cancel() } }
      }
    }
    batch.jobs = 1
    let task = Task { [batch] in try await batch.run() }
    running.update { $0 = task }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(FileContents.kind(of: scratch("out/a.jpg")) == .file)
    #expect(FileContents.kind(of: scratch("out/b.jpg")) == .missing)

    batch.resumes = true
    let report = try await batch.run()
    #expect(report.entries.map(\.status) == [.skipped, .done, .done])
  }

  @Test("URLs of files go where paths go; others are refused")
  func urls() async throws {
    let scratch = try makeFolder()
    let (input, output) = (URL(filePath: scratch("a.jpg")), URL(filePath: scratch("b c.jpg")))
    try Photo(contentsOf: input).write(to: output)
    #expect(try PhotoHeader.read(output).size == PixelSize(width: 900, height: 1300))
    _ = try await PhotoExport().run(input, through: Recipe(), to: URL(filePath: scratch("d.jpg")))
    #expect(try scratch.names == ["a.jpg", "b c.jpg", "d.jpg"])
    let web = try #require(URL(string: "https://example.org/a.jpg"))
    #expect {
      try Photo(contentsOf: web)
    } throws: {
      "\($0)" == "https://example.org/a.jpg is not the URL of a file; load it first, and give its file."
    }
  }
}
