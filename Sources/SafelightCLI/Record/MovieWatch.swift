import Safelight

/// Looks after the movies of a session while it runs: they get slower rather than die when the machine cannot follow,
/// and what happens to them and to their sound is told.
final class MovieWatch {
  private let guards: [RecordingGuard]
  private let steps = EventQueue<String>()
  private let messages = SessionMessages(resumed: "the microphone is back.")

  /// Begins to watch; the session starts after it.
  ///
  /// - Parameters:
  ///   - hasSound: whether the session has a microphone.
  ///   - framesPerSecond: what was requested of the source; nil leaves it to that.
  ///   - isLive: whether pictures come in real time, so that fewer of them relieve the machine.
  init(
    _ sinks: [MovieSink], _ session: CaptureSession, hasSound: Bool, framesPerSecond: Double?,
    isLive: Bool = true
  ) throws {
    let steps = steps
    guards =
      try isLive
      ? sinks.map { try RecordingGuard($0, framesPerSecond: framesPerSecond ?? 30) { steps.append($0) } } : []
    guard hasSound else { return }
    try messages.follow(session.audioStates)
  }

  /// Of the machine; nil if nothing is live.
  var pressure: SystemPressure? { guards.first?.pressure }

  /// Returns what has happened since the last call.
  func takeNotes() -> [SessionNote] {
    steps.take().map { SessionNote(.pressure, $0) }
      + messages.take().map { SessionNote($0.kind, "Sound: \($0.text)") }
  }

  func end() {
    for each in guards { each.end() }
  }
}
