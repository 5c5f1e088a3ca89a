/// What a session is doing. Published by `CaptureSession.states`.
public enum CaptureState: Sendable, Hashable {
  /// Not started yet.
  case idle
  /// The source is being opened, or is open and has sent no frame yet.
  case starting
  /// Frames come.
  case running
  /// Frames came and will come again when the cause has gone; the session waits for that by itself.
  case interrupted(CaptureFailure)
  /// Stopped by `stop()`, or the source has no more frames.
  case stopped
  /// The source cannot be opened, or is gone for good. Another `start()` may succeed.
  case failed(CaptureFailure)

  /// Why frames do not come, where they should.
  public var failure: CaptureFailure? {
    switch self {
    case .interrupted(let failure), .failed(let failure): failure
    default: nil
    }
  }

  /// The kind of `failure`.
  public var reason: CaptureFailure.Reason? { failure?.reason }

  /// Whether there is nothing to wait for: stopped or failed.
  public var isFinal: Bool {
    switch self {
    case .stopped, .failed: true
    default: false
    }
  }
}
