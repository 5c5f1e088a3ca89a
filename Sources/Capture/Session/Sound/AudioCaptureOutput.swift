import FrameCore

/// A destination for a session's sound. `AudioDataOutput` is one; others can be written outside this module.
/// A movie conforms to `CaptureOutput` as well.
///
/// The session calls these methods on its audio thread and its queue: they must not block.
public protocol AudioCaptureOutput: SessionOutput {
  /// Called before sound begins to arrive. Until `closeSound`, all of it has one format, its positions count
  /// on without a gap, and it is silence where the source gave none.
  ///
  /// - Parameter format: the format after the connection's choice of channels; nil if only the first buffer
  ///   tells, since the source is still waited for.
  func openSound(_ format: AudioFormat?)

  /// Called for each run of sound, some milliseconds long; the connection is applied to it.
  func accept(_ sound: AudioBuffer)

  /// Called when no more sound comes until `openSound`.
  func closeSound()

  /// Blocks until sound can be accepted without dropping any, or until `deadline`; returns whether it can.
  ///
  /// Called before requesting sound from an unpaced source, such as a file read as fast as it is consumed.
  func waitForSoundRoom(until deadline: Timestamp) -> Bool
}

extension AudioCaptureOutput {
  /// True: there is always room.
  public func waitForSoundRoom(until deadline: Timestamp) -> Bool { true }
}
