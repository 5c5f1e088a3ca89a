import LibraryTestSupport
import Libc
import Safelight
import Testing

@testable import Backends
@testable import BatchEditing

/// Batches, and photos that they store.
extension AutomaticRendererTests {
  /// A run of no photos, with `memory` for those at work.
  private func run(_ scratch: Scratch, memory: Int = 1 << 30) throws -> BatchRun {
    BatchRun(
      to: scratch("out"),
      BatchRun.Options(
        naming: BatchNaming(
          template: try NameTemplate("{stem}{ext}"), format: nil, preset: "", conflict: .fail),
        edit: { _ in "" }, jobs: 1, memory: memory)
    ) { LocalBatchEditor(LocalBatchEditor.Settings(export: PhotoExport()) { _ in Self.recipe }) }
  }

  @Test("of a batch is measured beside it, as the part of the GPU that each job has")
  func batch() throws {
    let scratch = try Scratch()
    try makePicture(64, 48).write(to: scratch("a.jpg"))
    let settings = LocalBatchEditor.Settings(export: PhotoExport()) { _ in Self.recipe }
    // Of 10 s each job would have a half; two gigabytes would be needed by four.
    for (jobs, seconds, backend) in [
      (2, 10.0, "cpu"), (1, 1e-9, "vulkan"), (2, 1e-9, "vulkan"), (4, 1e-9, "cpu"),
    ] {
      let machine = TestMachine(gpuSeconds: seconds)
      let name = "\(jobs)-\(backend)"
      let cache = BackendCache(path: scratch("\(name).json"))
      let opened = { machine.counts.withLock { $0.opened } > 0 }
      let request = BackendRequest()
      #expect(!request.prefersGPU(jobs: jobs, host: machine.host, cache: cache))
      let trials = try #require(
        BatchTrials(request, jobs: jobs, host: machine.host, cache: cache, trial: machine.trial))
      trials.start(
        [scratch("missing.jpg"), scratch("a.jpg"), scratch("a.jpg")], settings, beside: try run(scratch))
      let end = Timestamp.now.advanced(bySeconds: 30)
      while jobs == 4 ? !opened() : cache.entries().isEmpty, Timestamp.now < end { usleep(1000) }
      trials.finish()
      #expect(machine.counts.withLock { $0 } == .init(opened: 1, tried: jobs == 4 ? 0 : 1))
      let renderer = try request.makeRenderer(
        threads: 1, jobs: jobs, host: machine.host, cache: cache, trial: machine.trial)
      let report = try PhotoExport().run(
        scratch("a.jpg"), through: Self.recipe, to: scratch("\(name).png"), renderer: renderer)
      #expect(report.backend.backend == backend, "\(name)")
      // Workers may take the memory of a driver where they will open one, and not before.
      #expect(
        request.prefersGPU(jobs: jobs, host: machine.host, cache: cache) == (backend == "vulkan"), "\(name)")
      #expect(!request.prefersGPU(jobs: jobs + 1, host: machine.host, cache: cache))
    }
    #expect(try scratch.read("1-vulkan.png") == scratch.read("2-cpu.png"))
    let none = TestMachine(gpuSeconds: 0, hasNode: false)
    #expect(
      BatchTrials(
        BackendRequest(), jobs: 1, host: none.host, cache: BackendCache(path: nil), trial: none.trial) == nil)
    #expect(BatchTrials(BackendRequest(.vulkan), jobs: 1) == nil)
    #expect(BackendRequest(.vulkan).prefersGPU(jobs: 1) && !BackendRequest(.cpu).prefersGPU(jobs: 1))
  }

  @Test("of a batch is not measured where that takes more than half of the memory of photos at work")
  func batchMemory() throws {
    let scratch = try Scratch()
    try makePicture(64, 48).write(to: scratch("a.jpg"))
    let settings = LocalBatchEditor.Settings(export: PhotoExport()) { _ in Self.recipe }
    // Three times the photo's 12 KiB do not fit into the half of this.
    for (memory, tried) in [(64 << 10, 0), (1 << 30, 1)] {
      let machine = TestMachine(gpuSeconds: 1)
      let run = try run(scratch, memory: memory)
      let trials = try #require(
        BatchTrials(
          BackendRequest(), jobs: 1, host: machine.host, cache: BackendCache(path: nil), trial: machine.trial)
      )
      trials.start([scratch("a.jpg")], settings, beside: run)
      let end = Timestamp.now.advanced(bySeconds: tried == 0 ? 0.2 : 30)
      while machine.counts.withLock({ $0.tried }) == 0, Timestamp.now < end { usleep(1000) }
      trials.finish()
      #expect(machine.counts.withLock { $0.tried } == tried)
    }
    let run = try run(scratch, memory: 100)
    #expect(run.beside(taking: 50) { run.memory.inUse } == 50)
    #expect(run.beside(taking: 51) { 0 } == nil)
    #expect(run.memory.inUse == 0 && run.memory.running == 0)
  }

  @Test("leaves a batch as many jobs as the GPU has memory for, where it is asked for by name")
  func jobs() throws {
    // A gigabyte.
    let machine = TestMachine(gpuSeconds: 0)
    #expect(try BackendRequest(.vulkan).jobs(of: 16, isolated: true, host: machine.host) == 2)
    #expect(try BackendRequest(.vulkan).jobs(of: 1, isolated: true, host: machine.host) == 1)
    // Which one device serves.
    #expect(try BackendRequest(.vulkan).jobs(of: 16, isolated: false, host: machine.host) == 16)
    #expect(try BackendRequest(.auto).jobs(of: 16, isolated: true, host: machine.host) == 16)
    #expect(machine.counts.withLock { $0 } == .init())
    let broken = TestMachine(
      gpuSeconds: 0, problem: SafelightError(.device, "There is none", remedy: "buy one"))
    for isolated in [true, false] {
      #expect(
        message { _ = try BackendRequest(.vulkan).jobs(of: 2, isolated: isolated, host: broken.host) }
          == "There is none; buy one.")
    }
  }

  @Test("of stored photos is the GPU in batches alone, and only where a run of as many jobs found it faster")
  func stored() throws {
    let (machine, scratch) = (TestMachine(gpuSeconds: 1e-9), try Scratch())
    let draft = try Plan(
      Self.recipe, input: PlanInput(size: PixelSize(width: 64, height: 48)), output: PlanOutput(),
      optimized: false)
    let renderer = try make(machine, scratch, jobs: 2)
    #expect(renderer.backendReport(for: draft).backend == "cpu")
    #expect(machine.counts.withLock { $0 } == .init())

    let chooser = BackendChooser(
      selector: nil, host: machine.host, cache: BackendCache(path: scratch("backends.json")),
      trial: machine.trial, threads: 1, share: 2)
    _ = try chooser.measure(draft, use: .stored) { 1 }
    let later = try make(machine, scratch, jobs: 2)
    #expect(later.backendReport(for: draft) == BackendReport(backend: "vulkan", device: "Test GPU"))
    let opened = machine.counts.withLock { $0.opened }
    for jobs in [nil, 1, 3] {
      #expect(try make(machine, scratch, jobs: jobs).backendReport(for: draft).backend == "cpu")
    }
    #expect(machine.counts.withLock { $0.opened } == opened)
  }
}
