/// A destination in a session: of pictures (`CaptureOutput`), of sound (`AudioCaptureOutput`), or, as a
/// movie, of both.
public protocol SessionOutput: AnyObject, Sendable {
  /// Called when the session adds the output. An output belongs to one session at a time.
  ///
  /// - Throws: `SafelightError` if the output belongs to another session.
  func attach(to session: ObjectIdentifier) throws

  /// Called when the session releases the output.
  func detach(from session: ObjectIdentifier)
}
