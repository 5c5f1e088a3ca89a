import FrameCore
import Synchronization

/// How a session does what a policy asks of it. What it cannot do is nil and skipped.
///
/// Called on the monitor's thread, one after another; they must return soon and may not stop the monitor.
public struct PressureResponder: Sendable {
  public enum Answer: Sendable, Hashable {
    case done
    /// It holds from the next file or segment on.
    case later
    /// The session cannot do it; the policy does not ask for it again.
    case refused
  }

  /// Runs analyses on one frame of so many; 1 is all, 0 none.
  public var setAnalysisRate: (@Sendable (_ oneOf: Int) -> Answer)?
  /// Sets how many presets faster than asked for the encoder works; 0 is as asked for.
  public var setEncoderSpeed: (@Sendable (_ level: Int) -> Answer)?
  /// Sets frames a second. The session must tell its `FrameBudget` the new interval.
  public var setFrameRate: (@Sendable (_ rate: Double) -> Answer)?
  /// Asks for pictures of both sides times `scale`. A session that writes a file answers `later` or
  /// `refused`: the size of a file never changes.
  public var requestSize: (@Sendable (_ scale: Double) -> Answer)?
  /// Stops frames, or lets them come again.
  public var interrupt: (@Sendable (_ isInterrupted: Bool) -> Answer)?

  public init() {}

  fileprivate func perform(_ measure: PressureMeasure) -> Answer {
    switch measure {
    case .analyses(let count): setAnalysisRate?(count) ?? .refused
    case .encoderSpeed(let level): setEncoderSpeed?(level) ?? .refused
    case .frameRate(let rate): setFrameRate?(rate) ?? .refused
    case .size(let scale): requestSize?(scale) ?? .refused
    case .interruption(let isOn): interrupt?(isOn) ?? .refused
    }
  }
}

/// What a session does under pressure by default: it gets slower step by step rather than dying, and takes
/// each step back when the pressure falls.
///
/// In this order: analyses on half, a quarter, none of the frames; the encoder one preset faster each time;
/// 30, 24, 15 frames a second; a smaller size, but never within a file; at last an interruption.
public final class PressurePolicy: Sendable {
  private let ladder: Mutex<PressureLadder>
  private let responder: PressureResponder
  private let broadcast = Broadcast<PressureStep>(keepingNewest: 64)

  /// - Parameters:
  ///   - abilities: what the session can do, apart from what the responder leaves nil.
  ///   - responder: does it.
  public init(_ abilities: PressureAbilities, responder: PressureResponder) {
    var abilities = abilities
    if responder.setAnalysisRate == nil { abilities.hasAnalyses = false }
    if responder.setEncoderSpeed == nil { abilities.encoderSpeeds = 0 }
    if responder.setFrameRate == nil { abilities.frameRate = nil }
    if responder.requestSize == nil { abilities.sizes = [] }
    if responder.interrupt == nil { abilities.canInterrupt = false }
    ladder = Mutex(PressureLadder(abilities))
    self.responder = responder
  }

  /// What is in force at present, in the order in which it was done.
  public var measures: [PressureMeasure] { ladder.withLock { $0.measures } }

  /// The steps from now on. A reader that is 64 behind loses the oldest.
  public var steps: AsyncStream<PressureStep> { broadcast.stream() }

  /// Takes the present load and pressure, and does what follows from them. Only one thread at a time may call
  /// it.
  ///
  /// - Parameter load: the window of the session's `FrameBudget` that just ended; nil if none did.
  package func advance(to time: Timestamp, load: FrameLoad?, pressure: SystemPressure) {
    var steps = ladder.withLock { $0.advance(to: time, load: load, pressure: pressure) }[...]
    while var step = steps.popFirst() {
      // Not under the lock: the session may ask for `measures` meanwhile.
      switch responder.perform(step.measure) {
      case .done: break
      case .later: step.sentence += ", from the next file on"
      case .refused:
        let instead = ladder.withLock { $0.refuse(step) }
        // What was to be taken back after it stays in force too.
        if step.isUndo { return }
        if let instead { steps.append(instead) }
        continue
      }
      let told = step
      broadcast.send(told)
    }
  }

  /// Ends the readers' sequences.
  package func finish() { broadcast.finish() }
}
