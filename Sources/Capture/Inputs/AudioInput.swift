import FrameCore

/// A source of sound: a microphone, a file, a synthetic tone.
///
/// As a `CaptureInput`, it describes a source and opens streams on it; the session opens a stream on a thread of its
/// own and a new one when one has failed and the cause is gone.
public protocol AudioInput: AnyObject, Sendable {
  /// An identifier that survives re-plugging and rebooting.
  var id: String { get }
  /// The name shown to users.
  var name: String { get }

  /// Opens the source in the format nearest to `request`. Blocks; called on the session's audio thread.
  ///
  /// - Throws: `CaptureFailure`.
  func openStream(_ request: AudioRequest) throws -> any AudioStream

  /// Blocks until opening may succeed again after `failure`, or until `deadline`; true if a retry is worthwhile.
  ///
  /// Called on the audio thread, for a fraction of a second at a time. A source that never returns gives false at
  /// once.
  func awaitReturn(after failure: CaptureFailure, until deadline: Timestamp) -> Bool
}

/// A requested format of sound; nil leaves a choice to the source.
public struct AudioRequest: Sendable, Hashable {
  /// Samples per second.
  public var sampleRate: Int?
  public var channelCount: Int?

  public init(sampleRate: Int? = nil, channelCount: Int? = nil) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}

/// One run of sound in one format. Its methods but `wake` belong to one thread.
public protocol AudioStream: AnyObject {
  var format: AudioFormat { get }

  /// Whether sound arrives at its own pace, as from a microphone; otherwise as fast as it is requested.
  var isPaced: Bool { get }

  /// Returns the next event; blocks until there is one, until `deadline`, or until woken.
  ///
  /// - Throws: `CaptureFailure`; the stream must then be closed.
  func next(until deadline: Timestamp) throws -> AudioEvent

  /// Makes a blocked `next` return at once. Any thread may call it.
  func wake()

  /// Stops and releases everything.
  func close()
}

/// What a stream of sound reports.
public enum AudioEvent: Sendable {
  /// Captured sound. Its position continues the stream's, lost samples included.
  case sound(AudioBuffer)
  /// Samples per channel that the device lost, and when the first of them was due.
  case lost(count: Int, reason: SilenceReason, at: Timestamp)
  /// Nothing arrived before the deadline, or the stream was woken.
  case idle
  /// The source has no more sound.
  case finished
}
