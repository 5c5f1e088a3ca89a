import FrameCore

/// The thread that drives an audio input: it opens streams, reads sound, and waits for the source's return,
/// while silence goes on in its place.
///
/// As a `CaptureLoop`, it opens its source and then waits for `begin()` or `stop()`.
final class AudioLoop: Sendable {
  /// What a loop is to do.
  struct Task: Sendable {
    let input: any AudioInput
    /// Formats to request, best first; each is tried if the source cannot deliver the one before.
    let requests: [AudioRequest]
    /// Whether to wait after an initial failure to open, as after a later one.
    var outlastsFailures = false
    /// Throws what speaks against a format.
    let check: @Sendable (AudioFormat) throws -> Void
  }

  /// Used by one thread at a time, except for `wake`, which is thread-safe.
  private struct Handle: @unchecked Sendable {
    let stream: any AudioStream
  }

  /// How a blocking call of the source ended.
  private enum Outcome: Sendable {
    case opened(Handle)
    case openingFailed(CaptureFailure)
    case waited(returns: Bool, at: Timestamp)
  }

  /// A source is stalled after five times this, in nanoseconds, without sound.
  static let interval: Int64 = 100_000_000

  private let task: Task
  private let feed: AudioFeed
  private let publish: @Sendable (CaptureState) -> Void
  private let control = LoopControl<AudioFormat>()
  private let side: SideThread<Outcome>

  init(_ task: Task, feed: AudioFeed, publish: @escaping @Sendable (CaptureState) -> Void) {
    self.task = task
    self.feed = feed
    self.publish = publish
    side = SideThread(name: "open \(task.input.name)")
  }

  // MARK: The session's side

  /// Starts the thread, which opens the source.
  ///
  /// - Throws: `SafelightError` if no thread could be started.
  func launch() throws { try control.launch(name: "snd \(task.input.name)") { [self] in run() } }

  /// Blocks until the source is open; returns its format.
  ///
  /// - Throws: `CaptureFailure` if opening failed; the thread keeps trying if it outlasts failures, and
  ///   otherwise has ended.
  @discardableResult func waitUntilOpened() throws -> AudioFormat { try control.waitUntilOpened() }

  /// Allows the thread to deliver sound and publish states.
  func begin() { control.begin() }

  /// Asks the thread to end; returns at once. Any thread may call it.
  func requestStop() { control.requestStop() }

  /// Ends the thread and blocks until the source is closed.
  func stop() { control.stop() }

  /// Whether the thread has finished by itself, since the source has no more sound or is gone for good.
  var hasEnded: Bool { control.hasEnded }

  // MARK: The thread

  /// The stream that the thread reads, with its state.
  private struct Reading {
    var stream: (any AudioStream)?
    /// Whether nothing has been read from the stream yet.
    var isFresh = false
    /// The format of the first stream, which later ones must have.
    var format: AudioFormat?
    /// Whether sound came at its own pace, so that silence does.
    var isPaced = false
  }

  private func run() {
    _ = WorkerThread.raiseCurrentPriority()
    var machine = CaptureStateMachine(
      sourceName: task.input.name, outlastsFailures: task.outlastsFailures, rules: .sound)
    var sleep = SleepDetector(bootTime: .bootTime, monotonic: .now)
    var reading = Reading()
    var hasBegun = false
    var published: CaptureState?
    var interruptions = 0
    defer {
      close(&reading)
      if case .opened(let handle) = side.end() { handle.stream.close() }
    }

    while !control.isStopping {
      if let seconds = sleep.sleep(bootTime: .bootTime, monotonic: .now) {
        machine.handle(.slept(seconds: seconds), at: .now)
      }
      switch machine.step(at: .now) {
      case .read(let deadline):
        machine.handle(read(&reading, until: deadline), at: .now)
      case .open:
        close(&reading)
        if let event = open(&reading) { machine.handle(event, at: .now) }
      case .awaitReturn(let failure, let deadline):
        close(&reading)
        if let event = awaitReturn(after: failure, until: deadline, reading) {
          machine.handle(event, at: .now)
        }
      case .pause(let deadline):
        close(&reading)
        pause(until: deadline, reading)
      case .end:
        close(&reading)
        // Before the final state becomes visible, since a session started again after that must get a new
        // loop.
        control.end()
        publish(machine.state)
        feed.close()
        return
      }
      if !hasBegun {
        guard control.mayBegin() else { return }
        hasBegun = true
      }
      for _ in interruptions..<machine.interruptions { feed.countDisconnection() }
      interruptions = machine.interruptions
      // Final states are published only after everything is closed.
      guard machine.state != published, !machine.state.isFinal else { continue }
      publish(machine.state)
      published = machine.state
    }
  }

  private func read(_ reading: inout Reading, until deadline: Timestamp) -> CaptureStateMachine.Event {
    guard let stream = reading.stream else { return .finished }
    if reading.isFresh {
      reading.isFresh = false
      feed.begin(stream.format)
    }
    if !stream.isPaced, !feed.waitForRoom(until: deadline) { return .idle(consumersHoldFrames: true) }
    let isHeld = stream.isPaced ? nil : { [control] in !control.isStopping }
    do {
      switch try stream.next(until: deadline) {
      case .sound(let buffer):
        feed.sound(buffer, isHeld: isHeld)
        return .frame
      case .lost(let count, let reason, let time):
        feed.lost(count, reason, at: time, isHeld: isHeld)
        return .lost
      case .idle: return .idle(consumersHoldFrames: false)
      case .finished: return .finished
      }
    } catch {
      return .failed(CaptureFailure(of: error))
    }
  }

  // MARK: Opening and closing

  private func open(_ reading: inout Reading) -> CaptureStateMachine.Event? {
    let (task, required) = (task, reading.format)
    let outcome = withSilence(reading) { Self.open(task, as: required) }
    switch outcome {
    case .opened(let handle):
      let format = handle.stream.format
      control.tellOpening(.success(format))
      reading = Reading(
        stream: handle.stream, isFresh: true, format: format, isPaced: handle.stream.isPaced)
      control.setWake { handle.stream.wake() }
      return .opened(frameInterval: handle.stream.isPaced ? Self.interval : nil)
    case .openingFailed(let failure):
      control.tellOpening(.failure(failure))
      return .openingFailed(failure)
    case .waited, nil: return nil
    }
  }

  /// Opens the source with the first request it supports.
  ///
  /// - Parameter required: the format that a source has to come back with.
  private static func open(_ task: Task, as required: AudioFormat?) -> Outcome {
    let requests =
      required.map { [AudioRequest(sampleRate: $0.sampleRate, channelCount: $0.channelCount)] }
      ?? task.requests
    var failure = CaptureFailure(
      .unsupported, SafelightError(.invalidValue, "Nothing was requested from \(task.input.name)"))
    for request in requests {
      do {
        let stream = try task.input.openStream(request)
        guard let refusal = refusal(of: stream.format, required, task) else {
          return .opened(Handle(stream: stream))
        }
        stream.close()
        throw refusal
      } catch {
        failure = CaptureFailure(of: error)
        guard failure.reason == .unsupported else { break }
      }
    }
    return .openingFailed(failure)
  }

  private static func refusal(
    of format: AudioFormat, _ required: AudioFormat?, _ task: Task
  ) -> CaptureFailure? {
    if let required, required != format {
      return CaptureFailure(
        .unsupported,
        SafelightError(
          .unsupported,
          "\(task.input.name) came back with \(format.sampleRate) Hz and \(format.layout.label) instead of "
            + "\(required.sampleRate) Hz and \(required.layout.label)",
          remedy: "set it as it was, or start the session again"))
    }
    do {
      try task.check(format)
      return nil
    } catch {
      return CaptureFailure(
        .unsupported, error as? SafelightError ?? SafelightError(.invalidValue, "\(error)"))
    }
  }

  private func close(_ reading: inout Reading) {
    guard let stream = reading.stream.take() else { return }
    control.setWake(nil)
    stream.close()
  }

  // MARK: Waiting

  private func awaitReturn(
    after failure: CaptureFailure, until deadline: Timestamp, _ reading: Reading
  ) -> CaptureStateMachine.Event? {
    let input = task.input
    let outcome = withSilence(reading) {
      let returns = input.awaitReturn(after: failure, until: deadline)
      return .waited(returns: returns, at: .now)
    }
    guard case .waited(let returns, let end) = outcome else { return nil }
    if returns { return .mayReturn }
    // False before the deadline is final. System calls round their timeouts, hence the margin.
    let margin = CaptureStateMachine.slice / 2
    return end.nanoseconds < deadline.nanoseconds - margin ? .neverReturns : nil
  }

  private func pause(until deadline: Timestamp, _ reading: Reading) {
    while !control.isStopping, Timestamp.now < deadline {
      let due = reading.isPaced ? feed.fill(until: .now) : nil
      control.pause(until: min(deadline, due ?? deadline))
    }
  }

  /// Makes a blocking call while silence is delivered, each block when its time has passed.
  ///
  /// - Returns: nil if the thread must end; the side thread then still makes the call.
  private func withSilence(_ reading: Reading, _ call: @escaping @Sendable () -> Outcome) -> Outcome? {
    guard reading.isPaced, feed.fill(until: .now) != nil else { return call() }
    do {
      try side.begin(call)
    } catch {
      // Without another thread, silence comes late, but as long.
      return call()
    }
    while !control.isStopping {
      guard let due = feed.fill(until: .now) else { return nil }
      if let outcome = side.outcome(until: due) { return outcome }
    }
    return nil
  }
}

extension ChannelLayout {
  /// Such as “2 channels”.
  fileprivate var label: String { channelCount == 1 ? "1 channel" : "\(channelCount) channels" }
}
