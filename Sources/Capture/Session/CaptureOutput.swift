import FrameCore

/// A destination for a session's frames. `VideoDataOutput` is one; others (photos, movies) can be written outside
/// this module.
///
/// The session calls `accept` and `sourceDropped` on its capture thread: they must not block and should not
/// allocate.
public protocol CaptureOutput: SessionOutput {
  /// The purpose of the frames, which decides whether those of a front camera are mirrored.
  var purpose: OutputPurpose { get }

  /// Whether frames bring along what the camera sent: the bytes of their Motion JPEG (`Frame.encoded`) or of their
  /// mosaic (`Frame.mosaic`). They are the driver's memory: copy them in `accept`.
  var takesEncodedPictures: Bool { get }

  /// Called before frames begin to arrive.
  func open()

  /// Called for each captured frame; its orientation already includes the connection's.
  func accept(_ frame: Frame)

  /// Called when the source lost or damaged `count` frames: `first` and those following it in sequence.
  func sourceDropped(first: DroppedFrame, count: Int)

  /// Called when no more frames will come until `open()`.
  func close()

  /// Whether so many frames wait for the consumer that the source may lack memory. Meanwhile, a silent source gets
  /// more time before it is considered stalled.
  var holdsFrames: Bool { get }

  /// Blocks until a frame can be accepted without dropping any, or until `deadline`; returns whether it can.
  ///
  /// Called before requesting a frame from an unpaced source, such as a file read as fast as it is consumed.
  func waitForRoom(until deadline: Timestamp) -> Bool
}

extension CaptureOutput {
  /// False: samples are enough.
  public var takesEncodedPictures: Bool { false }
}

/// The purpose of an output's frames.
public enum OutputPurpose: String, Sendable, Hashable, Codable {
  /// Analysis, recording, a virtual camera: shown to others or to nobody.
  case data
  /// Shown to the person in front of the camera, who expects a mirror.
  case preview
}
