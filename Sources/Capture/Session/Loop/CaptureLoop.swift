import FrameCore

/// The thread that drives an input: it opens streams, reads frames, and waits for the source's return.
///
/// To allow switching, it opens its source and then waits for `begin()` or `stop()`, so that the session keeps its
/// former source until the new one is known to work.
final class CaptureLoop: Sendable {
  /// Other threads call only the stream's `wake`, which is thread-safe.
  private struct WakeHandle: @unchecked Sendable {
    let stream: any FrameStream
  }

  private let input: any CaptureInput
  private let requests: [StreamRequest]
  private let outlastsFailures: Bool
  private let feed: FrameFeed
  private let publisher: StatePublisher<StreamFormat>
  private let control = LoopControl<Void>()

  /// - Parameters:
  ///   - requests: formats to request, best first; each is tried if the source cannot deliver the one before.
  ///   - outlastsFailures: whether to wait after an initial failure to open, as after a later one.
  init(
    input: any CaptureInput, requests: [StreamRequest], outlastsFailures: Bool,
    feed: FrameFeed, publisher: StatePublisher<StreamFormat>
  ) {
    self.input = input
    self.requests = requests
    self.outlastsFailures = outlastsFailures
    self.feed = feed
    self.publisher = publisher
  }

  // MARK: The session's side

  /// Starts the thread and blocks until it has opened the source.
  ///
  /// - Throws: `CaptureFailure` if opening failed; the thread keeps trying if it outlasts failures, and otherwise
  ///   has ended. `SafelightError` if no thread could be started.
  func open() throws {
    try control.launch(name: "cap \(input.name)") { [self] in run() }
    try control.waitUntilOpened()
  }

  /// Allows the thread to deliver frames and publish states.
  func begin() { control.begin() }

  /// Asks the thread to end; returns at once. Any thread may call it.
  func requestStop() { control.requestStop() }

  /// Ends the thread and blocks until the source is closed.
  func stop() { control.stop() }

  /// Whether the thread has finished by itself, since the source has no more frames or is gone for good. It may
  /// still be closing the outputs until `stop()` returns.
  var hasEnded: Bool { control.hasEnded }

  // MARK: The thread

  /// The stream that the thread reads, with its state.
  private struct Reading {
    var stream: (any FrameStream)?
    /// Whether nothing has been read from the stream yet.
    var isFresh = false
    var pixelFormat: PixelFormat?
    var size: PixelSize?
  }

  private func run() {
    let isRaised = WorkerThread.raiseCurrentPriority()
    var machine = CaptureStateMachine(sourceName: input.name, outlastsFailures: outlastsFailures)
    var sleep = SleepDetector(bootTime: .bootTime, monotonic: .now)
    var reading = Reading()
    var hasBegun = false
    var published: CaptureState?
    var interruptions = 0
    defer { close(&reading) }

    while !control.isStopping {
      if let seconds = sleep.sleep(bootTime: .bootTime, monotonic: .now) {
        machine.handle(.slept(seconds: seconds), at: .now)
      }
      switch machine.step(at: .now) {
      case .read(let deadline):
        machine.handle(read(&reading, until: deadline), at: .now)
      case .open:
        close(&reading)
        machine.handle(open(&reading), at: .now)
      case .awaitReturn(let failure, let deadline):
        close(&reading)
        if let event = awaitReturn(after: failure, until: deadline) { machine.handle(event, at: .now) }
      case .pause(let deadline):
        close(&reading)
        control.pause(until: deadline)
      case .end:
        close(&reading)
        // Before the final state becomes visible, since a session started again after that must get a new loop.
        control.end()
        // Publish the state before closing, so that consumers whose frames end can see why.
        publisher.publish(machine.state)
        feed.close()
        return
      }
      if !hasBegun {
        guard control.mayBegin() else { return }
        hasBegun = true
        feed.setRaisedPriority(isRaised)
      }
      // Final states are published only after everything is closed.
      guard machine.state != published, !machine.state.isFinal else { continue }
      publisher.publish(machine.state)
      published = machine.state
      for _ in interruptions..<machine.interruptions { feed.countInterruption() }
      interruptions = machine.interruptions
    }
  }

  // MARK: Opening and closing

  private func open(_ reading: inout Reading) -> CaptureStateMachine.Event {
    let result = openBest()
    control.tellOpening(result.map { _ in })
    switch result {
    case .success(let stream):
      reading = Reading(stream: stream, isFresh: true)
      let handle = WakeHandle(stream: stream)
      control.setWake { handle.stream.wake() }
      let rate = stream.format.framesPerSecond
      // Below one frame in a thousand seconds, treat the stream as having no rate; the interval would overflow.
      let hasRate = stream.isPaced && stream.mayStall && rate > 0.001 && rate.isFinite
      return .opened(frameInterval: hasRate ? Int64(1e9 / rate) : nil)
    case .failure(let failure):
      return .openingFailed(failure)
    }
  }

  /// Opens the source with the first request it supports.
  private func openBest() -> Result<any FrameStream, CaptureFailure> {
    var failure = CaptureFailure(
      .unsupported, SafelightError(.invalidValue, "Nothing was requested from \(input.name)"))
    for request in requests {
      do {
        return .success(try input.openStream(request))
      } catch {
        failure = CaptureFailure(of: error)
        guard failure.reason == .unsupported else { break }
      }
    }
    return .failure(failure)
  }

  private func close(_ reading: inout Reading) {
    guard let stream = reading.stream.take() else { return }
    control.setWake(nil)
    stream.close()
  }

  // MARK: Reading and waiting

  private func read(_ reading: inout Reading, until deadline: Timestamp) -> CaptureStateMachine.Event {
    guard let stream = reading.stream else { return .finished }
    if reading.isFresh {
      reading.isFresh = false
      feed.begin()
      publisher.setFormat(stream.format)
    }
    if !stream.isPaced, !feed.waitForRoom(until: deadline) { return .idle(consumersHoldFrames: true) }
    do {
      switch try stream.next(until: deadline) {
      case .frame(let frame):
        feed.deliver(frame)
        if frame.buffer.format != reading.pixelFormat || frame.buffer.size != reading.size {
          publishFormat(of: frame.buffer, in: &reading, stream.format)
        }
        return .frame
      case .dropped(let first, let count):
        feed.lost(first, count: count)
        return .lost
      case .idle: return .idle(consumersHoldFrames: feed.holdsFrames)
      case .finished: return .finished
      }
    } catch {
      return .failed(CaptureFailure(of: error))
    }
  }

  /// Some sources know their format only with the first frame, and some change it.
  private func publishFormat(of buffer: PixelBuffer, in reading: inout Reading, _ agreed: StreamFormat) {
    reading.pixelFormat = buffer.format
    reading.size = buffer.size
    var format = agreed
    format.pixelFormat = buffer.format
    format.size = buffer.size
    format.tags = buffer.tags
    publisher.setFormat(format)
  }

  private func awaitReturn(
    after failure: CaptureFailure, until deadline: Timestamp
  ) -> CaptureStateMachine.Event? {
    if input.awaitReturn(after: failure, until: deadline) { return .mayReturn }
    // False before the deadline is final. System calls round their timeouts, hence the margin.
    let margin = CaptureStateMachine.slice / 2
    return Timestamp.now.nanoseconds < deadline.nanoseconds - margin ? .neverReturns : nil
  }
}
