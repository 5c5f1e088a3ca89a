import Capture
import FrameCore

/// The sound of a movie, as an output of a session.
public final class MovieSound: AudioCaptureOutput {
  private struct State {
    var session = SessionClaim()
    var format: AudioFormat?
  }

  private let recorder: MovieRecorder
  /// How much later the sound is than the pictures in this setup, in seconds.
  private let delay: Double
  private let state = Monitor(State())

  init(_ recorder: MovieRecorder, delay: Double) { (self.recorder, self.delay) = (recorder, delay) }

  /// Returns the format of the sound once it is known; nil at the deadline.
  func format(until deadline: Timestamp) -> AudioFormat? { state.wait(until: deadline) { $0.format } }

  public func attach(to session: ObjectIdentifier) throws {
    try state.update { try $0.session.claim(by: session, of: "movie", another: "one") }
  }

  public func detach(from session: ObjectIdentifier) {
    state.update { $0.session.release(by: session) }
  }

  public func openSound(_ format: AudioFormat?) {
    state.update { if let format { $0.format = format } }
  }

  public func accept(_ sound: AudioBuffer) {
    state.update { if $0.format == nil { $0.format = sound.format } }
    var placed = sound
    if delay != 0 { placed.time = sound.time.advanced(bySeconds: -delay) }
    recorder.offer(placed)
  }

  public func closeSound() {}
}
