import FrameCore

/// Where a session's frames go. `VideoDataOutput` is one; others (photos, movies) can be written outside this module.
///
/// The session calls `accept` and `sourceDropped` on its capture thread: they must not block, and should not allocate.
public protocol CaptureOutput: AnyObject, Sendable {
  /// What the frames are for; it decides whether a front camera's are mirrored.
  var purpose: OutputPurpose { get }

  /// The session takes the output in. An output belongs to one session at a time.
  ///
  /// - Throws: `SafelightError` where the output belongs to another session.
  func attach(to session: ObjectIdentifier) throws

  /// The session lets go of the output.
  func detach(from session: ObjectIdentifier)

  /// Frames are going to come.
  func open()

  /// A frame was captured; its orientation already says what the connection asks for.
  func accept(_ frame: Frame)

  /// The source lost or damaged `count` frames, the first being `first`, the others following it in sequence.
  func sourceDropped(first: DroppedFrame, count: Int)

  /// No more frames come until `open()`.
  func close()

  /// Whether so many frames wait for the consumer that the source may lack memory. While they do, a source that is
  /// silent is given more time before it is called stalled.
  var holdsFrames: Bool { get }

  /// Blocks until a frame could be taken without dropping any, or until `deadline`; false where it cannot.
  ///
  /// Asked before a frame is drawn from an unpaced source, such as a file that is read as fast as it is consumed.
  func waitForRoom(until deadline: Timestamp) -> Bool
}

/// What an output's frames are for.
public enum OutputPurpose: String, Sendable, Hashable, Codable {
  /// Analysis, recording, a virtual camera: shown to others, or to nobody.
  case data
  /// Shown to the person in front of the camera, who expects a mirror.
  case preview
}
