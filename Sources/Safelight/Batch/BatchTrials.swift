import FilterGraph
import FrameCore
import PhotoIO
import Rendering
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds out, beside the photos at work, whether a GPU renders those of a batch faster than its jobs do.
///
/// Jobs and worker processes ask for each photo what was measured last, and render on the processor until then.
public final class BatchTrials: Sendable {
  /// Photos that are looked at for kinds of plans, and kinds that are measured: more would take longer than they save.
  private static let mostPhotos = 64
  private static let mostKinds = 4

  private let chooser: BackendChooser
  private let jobs: Int
  private let isClosed = Mutex(false)
  private let thread = Mutex<WorkerThread?>(nil)

  /// - Parameter jobs: photos that are edited at a time, each on one core.
  /// - Returns: nil where there is nothing to find out, since a backend is named or there is no GPU.
  public convenience init?(_ request: BackendRequest, jobs: Int) {
    self.init(request, jobs: jobs, host: .system, cache: BackendCache(), trial: .measured)
  }

  init?(_ request: BackendRequest, jobs: Int, host: GPUHost, cache: BackendCache, trial: BackendTrial) {
    guard request.backend == .auto, request.gpu != nil || host.mayHaveGPU() else { return nil }
    chooser = BackendChooser(selector: request.gpu, host: host, cache: cache, trial: trial)
    self.jobs = max(1, jobs)
  }

  deinit { finish() }

  /// Begins to measure plans of these photos, edited as `settings` say. Called once.
  public func start(_ photos: [String], _ settings: LocalBatchEditor.Settings) {
    let photos = photos.prefix(Self.mostPhotos)
    // Without a thread nothing is measured, and the processor renders.
    let worker = try? WorkerThread(name: "sl-trial") { [self] in
      WorkerThread.lowerCurrentPriority()
      run(photos, settings)
    }
    thread.withLock { $0 = worker }
  }

  /// Ends what is measured, and returns when it has: a driver must not be at work when the program ends.
  public func finish() {
    isClosed.withLock { $0 = true }
    thread.withLock { $0.take() }?.join()
  }

  /// Why a GPU that was named is not used.
  public func takeNotes() -> [String] { chooser.takeNotes() }

  private func run(_ photos: ArraySlice<String>, _ settings: LocalBatchEditor.Settings) {
    let processor = CPURenderer(threads: 1)
    var measured = 0
    for photo in photos where measured < Self.mostKinds {
      guard !isClosed.withLock({ $0 }) else { return }
      do {
        let header = try PhotoHeader.read(photo)
        let input = try header.planInput
        let format = settings.format ?? header.fileFormat ?? .jpeg
        let isDeep = input.format == .rgba16 && format.bitDepths.contains(16)
        let output = PlanOutput(
          format: isDeep ? .rgba16 : .rgba8,
          space: try settings.export.colorSpace.space(original: header.tags),
          interpolation: settings.export.interpolation)
        let recipe = try settings.recipe(photo)
        let draft = try Plan(recipe, input: input, output: output, optimized: false)
        guard case .unknown = chooser.answer(for: PlanShape(draft, use: .stored)) else { continue }
        measured += 1
        _ = try measure(processor.plan(recipe, input: input, output: output), processor)
      } catch is CancellationError {
        return
      } catch {
        // What is wrong with a photo is told in its turn.
        continue
      }
    }
  }

  private func measure(_ plan: Plan, _ processor: CPURenderer) throws -> BackendChooser.Answer {
    let isCancelled: @Sendable () -> Bool = { [self] in isClosed.withLock { $0 } }
    return try chooser.measure(plan, use: .stored, gpuShare: jobs, isCancelled: isCancelled) {
      try BackendTrial.processorSeconds(plan, processor, isCancelled)
    }
  }
}

extension BackendTrial {
  /// Seconds of this thread's own work for a frame: other threads of the batch want the cores too.
  ///
  /// - Parameter processor: with one thread, which is the caller's.
  fileprivate static func processorSeconds(
    _ plan: Plan, _ processor: CPURenderer, _ isCancelled: @Sendable () -> Bool
  ) throws -> Double {
    let source = try picture(plan.input, seed: 0)
    let output = try PixelBuffer(
      size: plan.outputSize, format: plan.output.format, alpha: plan.outputAlpha)
    let prepared = processor.prepare(plan)
    var least = Double.infinity
    for _ in 0..<3 {
      if isCancelled() { throw CancellationError() }
      let began = threadSeconds()
      try processor.renderFrame(source, through: prepared, into: output)
      least = min(least, threadSeconds() - began)
    }
    return least
  }

  private static func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + 1e-9 * Double(time.tv_nsec)
  }
}
