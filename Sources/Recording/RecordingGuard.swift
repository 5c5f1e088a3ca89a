import Capture
import FrameCore

/// Makes a recording get slower rather than die when the machine cannot follow: the encoder works faster, then fewer
/// frames are recorded. Each step is told, and undone when the pressure falls.
public final class RecordingGuard: Sendable {
  private let monitor = SystemPressureMonitor()
  private let watch: SystemPressureMonitor.Watch
  private let task: Task<Void, Never>

  /// - Parameters:
  ///   - framesPerSecond: of the source, as far as it is known.
  ///   - tell: receives a sentence for each step.
  /// - Throws: `SafelightError` if the system grants no more threads.
  public init(_ sink: MovieSink, framesPerSecond: Double = 30, tell: @escaping @Sendable (String) -> Void)
    throws
  {
    var responder = PressureResponder()
    responder.setEncoderSpeed = { level in
      sink.recorder.setSpeedStep(level)
      return .done
    }
    responder.setFrameRate = { rate in
      sink.limitRate(to: rate < framesPerSecond ? rate : nil)
      return .done
    }
    responder.requestSize = { _ in .refused }
    let policy = PressurePolicy(
      sink.recorder.abilities(framesPerSecond: framesPerSecond), responder: responder)
    let steps = policy.steps
    task = Task {
      for await step in steps { tell(step.sentence) }
    }
    watch = monitor.watch(sink.recorder.budget, policy: policy)
    try monitor.start()
  }

  public var pressure: SystemPressure { monitor.current }

  public func end() {
    task.cancel()
    monitor.stop()
  }
}
