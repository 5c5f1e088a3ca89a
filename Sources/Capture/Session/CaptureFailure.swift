import FrameCore

/// The reason why a source cannot deliver frames.
public struct CaptureFailure: Error, Hashable, CustomStringConvertible {
  /// What happened to the source.
  public enum Reason: String, Sendable, Hashable, Codable {
    /// The device was unplugged or its driver unbound.
    case disconnected
    /// Another program is streaming from it.
    case busy
    /// The user is not permitted to open it.
    case permissionDenied
    /// The device or its driver reported an error.
    case inputOutput
    /// No frame arrived for five frame intervals.
    case stalled
    /// The system slept.
    case suspended
    /// The file is truncated or cannot be read to its end. All earlier frames were delivered.
    case truncated
    /// The source cannot deliver the requested format, or is not a source of frames.
    case unsupported
  }
  public let reason: Reason
  /// The problem and its remedy.
  public let error: SafelightError

  public init(_ reason: Reason, _ error: SafelightError) {
    self.reason = reason
    self.error = error
  }

  public var description: String { error.description }

  /// What a source's error means; one that says nothing more is an error of input.
  init(of error: any Error) {
    switch error {
    case let failure as CaptureFailure: self = failure
    case let error as SafelightError: self.init(.inputOutput, error)
    default: self.init(.inputOutput, SafelightError(.device, "The source failed: \(error)"))
    }
  }
}
