import Safelight

/// Records a session's sound to a file, on a thread of its own that may wait for the disk.
///
/// The take ends once the session's sound has ended, or by itself at a limit or at a failure.
final class TakeRecorder: Sendable {
  private struct State {
    var opening: Result<Void, SafelightError>?
    var status: TakeStatus
    var isPaused = false
    var isStopping = false
    /// Marks that are not in the take yet.
    var marks = 0
    var outcome: Outcome?
  }

  /// How a take ended.
  struct Outcome: Sendable {
    /// Nil after a failure.
    var end: TakeEnd?
    var failure: SafelightError?
    var status: TakeStatus
    var loudness: LoudnessReport
    /// Whether the file is gone.
    var isLost = false
    /// Whether the file holds floats.
    var isFloat = false
  }

  private let state: Monitor<State>
  private let thread: Joinable

  /// The seconds between two looks at whether the file is still there.
  private static let checkInterval = 1.0
  /// The seconds for which the thread waits for sound at a time.
  private static let wait = 0.1

  /// Creates the file and begins to write what `output` delivers.
  ///
  /// - Throws: `SafelightError` if the file cannot be created.
  init(_ settings: TakeSettings, from output: AudioDataOutput) throws {
    let state = Monitor(State(status: TakeStatus(format: settings.format)))
    self.state = state
    thread = Joinable(try WorkerThread(name: "take") { Self.run(settings, output, state) })
    do {
      try state.wait { $0.opening }.get()
    } catch {
      thread.join()
      throw error
    }
  }

  var status: TakeStatus { state.read { $0.status } }

  /// How the take ended; nil while it goes on.
  var outcome: Outcome? { state.read { $0.outcome } }

  /// Leaves out what comes from now on, or records it again; returns whether it is now left out.
  func togglePause() -> Bool {
    state.update { state in
      state.isPaused.toggle()
      return state.isPaused
    }
  }

  /// Marks the moment.
  func mark() { state.update { $0.marks += 1 } }

  /// Notes that the end of the sound was asked for; to be called before the session is stopped.
  func requestStop() { state.update { $0.isStopping = true } }

  /// Returns once the file is complete; the session must have ended, or the take by itself.
  func waitUntilDone() -> Outcome {
    let outcome = state.wait { $0.outcome }
    thread.join()
    return outcome
  }

  // MARK: The thread

  private static func run(_ settings: TakeSettings, _ output: AudioDataOutput, _ state: Monitor<State>) {
    let take: TakeWriter
    do {
      take = try TakeWriter(settings)
    } catch {
      return state.update { $0.opening = .failure(Self.sentence(error)) }
    }
    state.update { $0.opening = .success(()) }
    var (end, failure): (TakeEnd?, SafelightError?) = (nil, nil)
    do {
      end = try follow(take, settings, output, state)
      try take.finish(isWhole: true)
    } catch {
      failure = Self.sentence(error)
      end = nil
      // The first failure is the one to tell; what was written before it plays.
      try? take.finish(isWhole: false)
    }
    let outcome = Outcome(
      end: end, failure: failure, status: take.status, loudness: take.loudness, isLost: take.isRemoved,
      isFloat: settings.sampleFormat == .float32)
    state.update { state in
      state.status = outcome.status
      state.outcome = outcome
    }
  }

  private static func follow(
    _ take: TakeWriter, _ settings: TakeSettings, _ output: AudioDataOutput, _ state: Monitor<State>
  ) throws -> TakeEnd {
    var checked = Timestamp.now
    while true {
      let buffer = output.nextBuffer(until: Timestamp.now.advanced(bySeconds: wait))
      let (isPaused, isStopping, marks) = state.read { ($0.isPaused, $0.isStopping, $0.marks) }
      take.isPaused = isPaused
      if marks > 0 {
        take.mark()
        state.update { $0.marks -= marks }
      }
      if let buffer {
        if let end = try take.add(buffer) { return end }
      } else if output.isFinished {
        return isStopping ? .stopped : .sourceFinished
      }
      let status = take.status
      state.update { $0.status = status }
      guard Timestamp.now.seconds(since: checked) >= checkInterval else { continue }
      checked = .now
      if take.isRemoved {
        throw SafelightError(
          .file, "\(settings.path) was removed while it was recorded, and its sound is lost",
          remedy: "record again in a folder that stays")
      }
    }
  }

  private static func sentence(_ error: any Error) -> SafelightError {
    error as? SafelightError
      ?? SafelightError(.file, "The recording failed: \(error)", remedy: "check the disk")
  }
}
