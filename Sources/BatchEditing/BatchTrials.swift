import Backends
import FilterGraph
import FrameCore
import PhotoIO
import Rendering
import Synchronization

/// Measures, while photos are edited, whether a GPU renders the photos of a batch faster than its jobs do.
///
/// Jobs and worker processes query the latest measurement for each photo, and render on the processor until there
/// is one.
package final class BatchTrials: Sendable {
  /// The number of photos examined for kinds of plans, and of kinds measured: more would take longer than they
  /// save.
  private static let mostPhotos = 64
  private static let mostKinds = 4

  private let chooser: BackendChooser
  private let trial: BackendTrial
  private let isClosed = Mutex(false)
  private let thread = Mutex<WorkerThread?>(nil)

  /// - Parameter jobs: the number of photos edited at a time, each on one core.
  /// - Returns: nil if there is nothing to measure, because a backend is named or there is no GPU.
  package convenience init?(_ request: BackendRequest, jobs: Int) {
    self.init(request, jobs: jobs, host: .system, cache: BackendCache(), trial: .measured)
  }

  init?(_ request: BackendRequest, jobs: Int, host: GPUHost, cache: BackendCache, trial: BackendTrial) {
    guard request.backend == .auto, request.gpu != nil || host.mayHaveGPU() else { return nil }
    chooser = BackendChooser(
      selector: request.gpu, host: host, cache: cache, trial: trial, threads: 1, share: jobs)
    self.trial = trial
  }

  deinit { finish() }

  /// Starts to measure plans of these photos, edited according to `settings`. Called once.
  ///
  /// - Parameter run: the run that edits the photos; measurements count towards its memory budget, and a photo
  ///   that would take more than half of it is not measured.
  package func start(
    _ photos: [String], _ settings: LocalBatchEditor.Settings, beside run: BatchRun
  ) {
    let photos = photos.prefix(Self.mostPhotos)
    // Without a thread nothing is measured, and the processor renders.
    let worker = try? WorkerThread(name: "sl-trial") { [self] in
      // At the priority of the jobs, or the measurement would not be representative of them.
      measure(photos, settings, run)
    }
    thread.withLock { $0 = worker }
  }

  /// Ends the measurement, and returns when it has ended: no driver may be active when the program exits.
  package func finish() {
    isClosed.withLock { $0 = true }
    thread.withLock { $0.take() }?.join()
  }

  /// Returns why a requested GPU is not used.
  package func takeNotes() -> [String] { chooser.takeNotes() }

  private func measure(
    _ photos: ArraySlice<String>, _ settings: LocalBatchEditor.Settings, _ run: BatchRun
  ) {
    let processor = CPURenderer(threads: 1)
    var measured = 0
    for photo in photos where measured < Self.mostKinds {
      guard !isClosed.withLock({ $0 }) else { return }
      do {
        let photo = try PhotoFile(photo)
        let draft = try settings.formattedExport.plan(
          settings.recipe(photo), for: photo.header, optimized: false)
        guard case .unknown = chooser.answer(for: PlanShape(draft, use: .stored)) else { continue }
        _ = try run.beside(taking: BackendTrial.storedMemory(draft)) {
          measured += 1
          _ = try measure(draft.optimized(evaluator: processor.evaluator), processor)
        }
      } catch is CancellationError {
        return
      } catch {
        // A photo's error is reported when it is edited.
        continue
      }
    }
  }

  private func measure(_ plan: Plan, _ processor: CPURenderer) throws -> BackendChooser.Answer {
    let isCancelled: @Sendable () -> Bool = { [self] in isClosed.withLock { $0 } }
    return try chooser.measure(plan, use: .stored, isCancelled: isCancelled) {
      try trial.seconds(plan, .stored, processor, isCancelled)
    }
  }
}
