import FrameCore

/// How a paced video file plays: where it is, whether it pauses, where it goes on.
///
/// Any thread may use it; it works whenever a stream of its input runs.
public final class VideoPlayback: Sendable {
  private struct State {
    var isPaused = false
    var target: Double?
    var duration: Double?
    /// Where the newest frames are in the file, oldest first.
    var positions: [(sequence: UInt64, seconds: Double)] = []
  }
  private let state = Monitor(State())
  private let pacer: FramePacer

  /// Frames whose positions are known: more than can wait anywhere.
  private static let mostPositions = 64

  init(_ pacer: FramePacer) { self.pacer = pacer }

  /// Seconds from the first frame to the end; nil before the file is open, or if it does not say.
  public var duration: Double? { state.read { $0.duration } }

  /// Whether the newest frame stands.
  public var isPaused: Bool {
    get { state.read { $0.isPaused } }
    set {
      state.update { $0.isPaused = newValue }
      pacer.wake()
    }
  }

  /// Goes on at a moment, in seconds from the first frame; also while it pauses, which shows its frame. A file that
  /// cannot be sought in goes on where it is.
  public func seek(toSeconds seconds: Double) {
    state.update { state in
      state.target = min(max(0, seconds.isFinite ? seconds : 0), state.duration ?? .infinity)
    }
    pacer.wake()
  }

  /// Returns where a frame is in the file, in seconds from the first; nil if it is none of the newest.
  public func position(of sequence: UInt64) -> Double? {
    state.read { state in state.positions.last { $0.sequence == sequence }?.seconds }
  }

  // MARK: The stream's side

  func opened(duration: Double?) { state.update { $0.duration = duration } }

  func takeTarget() -> Double? {
    guard state.read({ $0.target != nil }) else { return nil }
    return state.update { $0.target.take() }
  }

  func shows(_ sequence: UInt64, at seconds: Double) {
    state.update { state in
      state.positions.append((sequence, seconds))
      if state.positions.count > Self.mostPositions { state.positions.removeFirst() }
    }
  }
}
