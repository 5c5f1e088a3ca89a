import Safelight

/// A capture session of sound alone, driven by the main thread.
final class SoundSession {
  private let session = CaptureSession()
  private let messages = SessionMessages(resumed: "Sound is arriving again.")
  /// The source, as people know it.
  let name: String

  /// - Throws: `SafelightError` if the session cannot be configured.
  init(
    _ input: any AudioInput, to output: any AudioCaptureOutput, request: AudioRequest,
    connection: AudioConnection
  )
    throws
  {
    name = input.name
    let session = session
    try Blocking { begun in
      try await session.configure {
        begun()
        try $0.add(input)
        try $0.add(output, audioConnection: connection)
        $0.audioRequest = request
      }
    }.wait()
  }

  /// Opens the source.
  ///
  /// - Returns: the format of the sound; nil if a signal ended the wait.
  /// - Throws: `SafelightError` if the source cannot be opened.
  func open(_ signals: Signals) throws -> AudioFormat? {
    let session = session
    try messages.follow(session.audioStates)
    do {
      let opening = try Blocking(whenDone: { signals.wake() }) { begun in
        await session.reach(begun)
        try await session.start()
      }
      while try !opening.isDone() {
        if signals.wait(seconds: 0.02) != nil { return nil }
      }
    } catch let failure as CaptureFailure {
      throw failure.error
    }
    guard let format = session.audioFormat else {
      throw SafelightError(
        .device, "\(name) ended before any sound came from it", remedy: "choose another microphone")
    }
    return format
  }

  /// Lets the sound be heard too, from now on.
  func add(_ player: SoundPlayer, connection: AudioConnection) throws {
    let session = session
    try Blocking { begun in
      try await session.configure {
        begun()
        try $0.add(player, audioConnection: connection)
      }
    }.wait()
  }

  /// What happened to the source since the last call, as sentences.
  func takeMessages() -> [String] { messages.take().map(\.text) }

  var statistics: AudioStatistics { session.audioStatistics }

  /// Why the source has failed for good; nil if it has not.
  var failure: SafelightError? { (messages.failure ?? session.audioState.failureForGood)?.error }

  /// Ends the capture and closes the source.
  func close() { session.stopAndWait() }
}

extension CaptureState {
  fileprivate var failureForGood: CaptureFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }
}
