import FrameCore
import Synchronization

/// The thread that drives an input: it opens streams, reads frames, and waits for the source's return.
///
/// To allow switching, it opens its source and then waits for `begin()` or `stop()`, so that the session keeps its
/// former source until the new one is known to work.
final class CaptureLoop: Sendable {
  private struct Control {
    var opening: Result<Void, CaptureFailure>?
    var mayBegin = false
    var isStopping = false
    var hasEnded = false
    var stream: WakeHandle?
  }

  /// Other threads call only the stream's `wake`, which is thread-safe.
  private struct WakeHandle: @unchecked Sendable {
    let stream: any FrameStream
  }

  private let input: any CaptureInput
  private let requests: [StreamRequest]
  private let outlastsFailures: Bool
  private let feed: FrameFeed
  private let publisher: StatePublisher
  private let control = Monitor(Control())
  private let thread = Mutex<WorkerThread?>(nil)

  /// - Parameters:
  ///   - requests: formats to request, best first; each is tried if the source cannot deliver the one before.
  ///   - outlastsFailures: whether to wait after an initial failure to open, as after a later one.
  init(
    input: any CaptureInput, requests: [StreamRequest], outlastsFailures: Bool,
    feed: FrameFeed, publisher: StatePublisher
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
    let started = try WorkerThread(name: "cap \(input.name)") { [self] in
      run()
      control.update { $0.hasEnded = true }
    }
    thread.withLock { $0 = started }
    try control.wait { $0.opening }.get()
  }

  /// Allows the thread to deliver frames and publish states.
  func begin() { control.update { $0.mayBegin = true } }

  /// Asks the thread to end; returns at once. Any thread may call it.
  func requestStop() {
    control.update { control in
      control.isStopping = true
      // Under the lock, so that the stream is not closed meanwhile.
      control.stream?.stream.wake()
    }
  }

  /// Ends the thread and blocks until the source is closed.
  func stop() {
    requestStop()
    thread.withLock { $0.take() }?.join()
  }

  /// Whether the thread has finished by itself, since the source has no more frames or is gone for good. It may
  /// still be closing the outputs until `stop()` returns.
  var hasEnded: Bool { control.read { $0.hasEnded } }

  // MARK: The thread

  private var isStopping: Bool { control.read { $0.isStopping } }

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

    while !isStopping {
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
        _ = control.wait(until: deadline) { $0.isStopping ? true : nil }
      case .end:
        close(&reading)
        // Before the final state becomes visible, since a session started again after that must get a new loop.
        control.update { $0.hasEnded = true }
        // Publish the state before closing, so that consumers whose frames end can see why.
        publisher.publish(machine.state)
        feed.close()
        return
      }
      if !hasBegun {
        guard mayBegin() else { return }
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

  /// Blocks until the session has decided; returns false if the thread must end.
  private func mayBegin() -> Bool {
    control.wait { control in
      if control.isStopping { return false }
      return control.mayBegin ? true : nil
    }
  }

  // MARK: Opening and closing

  private func open(_ reading: inout Reading) -> CaptureStateMachine.Event {
    let result = openBest()
    control.update { $0.opening = $0.opening ?? result.map { _ in } }
    switch result {
    case .success(let stream):
      reading = Reading(stream: stream, isFresh: true)
      let handle = WakeHandle(stream: stream)
      control.update { $0.stream = handle }
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
        failure = Self.captureFailure(error)
        guard failure.reason == .unsupported else { break }
      }
    }
    return .failure(failure)
  }

  private func close(_ reading: inout Reading) {
    guard let stream = reading.stream.take() else { return }
    control.update { $0.stream = nil }
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
      return .failed(Self.captureFailure(error))
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

  private static func captureFailure(_ error: any Error) -> CaptureFailure {
    switch error {
    case let failure as CaptureFailure: failure
    case let error as SafelightError: CaptureFailure(.inputOutput, error)
    default: CaptureFailure(.inputOutput, SafelightError(.device, "The source failed: \(error)"))
    }
  }
}
