import FrameCore

/// A bracket under way: carries out what `BracketStateMachine` decides, on a thread of its own.
final class BracketRun: Sendable {
  typealias Machine = BracketStateMachine

  private struct State {
    var machine: Machine
    /// What the machine decided and the thread has yet to do.
    var actions: [Machine.Action] = []
  }

  private let state: Monitor<State>
  /// The longest sleep of the thread, in nanoseconds.
  private static let longestSleep: Int64 = 3_600_000_000_000

  init(_ machine: Machine) { state = Monitor(State(machine: machine)) }

  private func tell(_ event: (inout Machine) -> [Machine.Action]) {
    state.update { $0.actions += event(&$0.machine) }
  }

  func frame(meanLuma: Double, at time: Timestamp) {
    tell { $0.frame(meanLuma: meanLuma, at: time, now: .now) }
  }

  func memoryIsShort() { tell { $0.memoryIsShort() } }
  func cancel() { tell { $0.cancel() } }
  func closed() { tell { $0.closed() } }
  func captured(_ index: Int) { tell { $0.captured(index) } }
  func refused(_ index: Int, _ error: SafelightError) { tell { $0.refused(index, error) } }

  /// Takes the bracket; returns when the controls are put back.
  ///
  /// - Parameters:
  ///   - camera: sets the exposures.
  ///   - take: takes the frame of an exposure; `captured` or `refused` follows.
  ///   - wasPutBack: called once, when nothing is taken any more, with what ended the bracket before its time, and with
  ///     why controls could not be put back.
  func run(
    _ camera: BracketCamera, take: (Int, Timestamp, Machine.Brightness, CameraValues) -> Void,
    wasPutBack: (_ failure: SafelightError?, _ problem: SafelightError?) -> Void
  ) {
    var values = CameraValues()
    tell { $0.begin(now: .now) }
    while true {
      switch next() {
      case .set(let index):
        do {
          values = try camera.set(index)
          tell { $0.exposureSet(now: .now) }
        } catch {
          refused(index, Self.error(error))
        }
      case .take(let index, let time, let brightness): take(index, time, brightness, values)
      case .putBack:
        var problem: SafelightError?
        do { try camera.putBack() } catch { problem = Self.error(error) }
        wasPutBack(state.read { $0.machine.failure }, problem)
        tell { $0.wasPutBack(isComplete: problem == nil, now: .now) }
      case .end: return
      case nil: tell { $0.timePassed(now: .now) }
      }
    }
  }

  /// The next thing to do; nil when the machine's deadline has passed.
  private func next() -> Machine.Action? {
    let deadline = state.read { $0.machine.deadline } ?? Timestamp.now.advanced(by: Self.longestSleep)
    return state.wait(until: deadline) { state -> Machine.Action? in
      state.actions.isEmpty ? nil : state.actions.removeFirst()
    }
  }

  private static func error(_ error: any Error) -> SafelightError {
    switch error {
    case let error as SafelightError: error
    case let failure as CaptureFailure: failure.error
    default: SafelightError(.device, "The camera failed: \(error)")
    }
  }
}
