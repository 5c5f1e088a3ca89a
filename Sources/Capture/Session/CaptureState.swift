/// The activity of a session, published by `CaptureSession.states`.
public enum CaptureState: Sendable, Hashable {
  /// Not started yet.
  case idle
  /// The source is being opened, or is open but has not yet sent a frame.
  case starting
  /// Frames are arriving.
  case running
  /// Frames will resume once the cause is gone; the session waits for that by itself.
  case interrupted(CaptureFailure)
  /// Stopped by `stop()`, or because the source has no more frames.
  case stopped
  /// The source cannot be opened or is gone for good. Another `start()` may succeed.
  case failed(CaptureFailure)

  /// Why frames are missing although they should arrive.
  public var failure: CaptureFailure? {
    switch self {
    case .interrupted(let failure), .failed(let failure): failure
    default: nil
    }
  }

  /// The reason of `failure`.
  public var reason: CaptureFailure.Reason? { failure?.reason }

  /// Whether the state will not change by itself: stopped or failed.
  public var isFinal: Bool {
    switch self {
    case .stopped, .failed: true
    default: false
    }
  }
}
