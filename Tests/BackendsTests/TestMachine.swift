import LibraryTestSupport
import Safelight
import Synchronization

@testable import Backends

/// A machine with a GPU that takes so many seconds for a frame, and counts what is asked of it.
final class TestMachine: Sendable {
  struct Counts: Equatable {
    var opened = 0
    var tried = 0
  }
  let counts = Mutex(Counts())
  let renderer: BesideRenderer
  private let seconds: Double
  private let problem: SafelightError?
  private let hasNode: Bool
  /// Called where the GPU is opened, and where it is tried.
  private let onOpening, onTrial: @Sendable () -> Void
  let kind: GPUDescription.Kind

  init(
    gpuSeconds: Double, hasNode: Bool = true, kind: GPUDescription.Kind = .discrete,
    problem: SafelightError? = nil, failure: @escaping @Sendable (Int) -> SafelightError? = { _ in nil },
    onOpening: @escaping @Sendable () -> Void = {}, onTrial: @escaping @Sendable () -> Void = {}
  ) {
    (seconds, self.problem, self.hasNode, self.kind) = (gpuSeconds, problem, hasNode, kind)
    (self.onOpening, self.onTrial) = (onOpening, onTrial)
    renderer = BesideRenderer(failure: failure)
  }

  var host: GPUHost {
    GPUHost(
      mayHaveGPU: { self.hasNode }, devices: { [self.description] },
      describe: { _, _ in
        if let problem = self.problem { throw problem }
        return self.description
      },
      open: { _, allowsSoftware, _ in
        self.counts.withLock { $0.opened += 1 }
        self.onOpening()
        if let problem = self.problem { throw problem }
        guard allowsSoftware || self.kind != .software else {
          throw SafelightError(.device, "The only GPU is a software device")
        }
        return OpenedGPU(description: self.description, renderer: self.renderer)
      })
  }

  var description: GPUDescription {
    GPUDescription(
      number: 0, name: "Test GPU", driver: "test 1", kind: kind, memoryBytes: 1 << 30, vulkanVersion: "1.3.0",
      identifier: "00")
  }

  var trial: BackendTrial {
    BackendTrial { plan, use, renderer, isCancelled in
      if renderer is CPURenderer {
        return try BackendTrial.measured.seconds(plan, use, renderer, isCancelled)
      }
      if isCancelled() { throw CancellationError() }
      self.counts.withLock { $0.tried += 1 }
      self.onTrial()
      return self.seconds
    }
  }
}
