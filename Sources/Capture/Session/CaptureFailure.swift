import FrameCore

/// Why a source cannot deliver frames.
public struct CaptureFailure: Error, Hashable, CustomStringConvertible {
  public enum Reason: String, Sendable, Hashable, Codable {
    /// The device was unplugged, or its driver unbound.
    case disconnected
    /// Another program streams from it.
    case busy
    /// The user may not open it.
    case permissionDenied
    /// The device or its driver reported an error.
    case inputOutput
    /// No frame came for five frame intervals.
    case stalled
    /// The system slept.
    case suspended
    /// The file is cut off, or cannot be read to its end. All frames before that were delivered.
    case truncated
    /// The source cannot deliver the format asked for, or is no source of frames at all.
    case unsupported
  }
  public let reason: Reason
  /// What is wrong and what to do about it.
  public let error: SafelightError

  public init(_ reason: Reason, _ error: SafelightError) {
    self.reason = reason
    self.error = error
  }

  public var description: String { error.description }
}
