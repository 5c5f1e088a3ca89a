import Dispatch
import FrameCore

/// Captures frames from one input and passes them to any number of outputs.
///
///     let output = VideoDataOutput(lateFrames: .discard(keepingNewest: 1))
///     let session = CaptureSession()
///     try await session.configure {
///       try $0.add(input)
///       try $0.add(output)
///     }
///     try await session.start()
///     for await frame in output.frames { … }
///
/// `configure`, `start` and `stop` run one after another on the session's serial queue; opening, reading and
/// waiting run on a dedicated thread for the input. Nothing blocks the caller, and the capture never waits for a
/// consumer.
///
/// A running session recovers by itself from interruptions, even an unplugged camera; `states` reports why frames
/// stop and when they resume. A session that is no longer referenced stops.
public final class CaptureSession: Sendable {
  /// The label of the session's queue.
  private static let queueLabel = "safelight.session"

  /// State accessed only on the queue.
  private final class Confined: @unchecked Sendable {
    var configuration = SessionConfiguration()
    var loop: CaptureLoop?
  }

  private let queue = DispatchQueue(label: queueLabel, qos: .userInitiated)
  private let confined = Confined()
  private let feed = FrameFeed()
  private let publisher = StatePublisher()

  public init() {}

  deinit {
    // No work is queued, since that would refer to the session. If the system has no thread for the queue, adding
    // to it never returns.
    guard let loop = confined.loop else {
      return Self.release(confined.configuration, feed, key)
    }
    // The code releasing the session does not wait for its thread.
    queue.async { [confined, feed, key] in
      loop.stop()
      Self.release(confined.configuration, feed, key)
    }
  }

  private static func release(
    _ configuration: SessionConfiguration, _ feed: FrameFeed, _ key: ObjectIdentifier
  ) {
    feed.close()
    for output in configuration.outputs { output.detach(from: key) }
  }

  // MARK: The session's state

  /// The session's current state.
  public var state: CaptureState { publisher.state }

  /// The current state and all that follow. A reader may lag by 256 states; beyond that it loses the oldest.
  public var states: AsyncStream<CaptureState> { publisher.states }

  /// The format of the source's stream; nil before the first one.
  public var format: StreamFormat? { publisher.format }

  /// Counts of frames between the source and the outputs since the session was created.
  public var statistics: SessionStatistics { feed.statistics }

  // MARK: Controlling the session

  /// Edits the configuration; returns once it is in effect.
  ///
  /// The change is atomic: if `edit` throws, or a running session cannot open its new input or format, the session
  /// is unchanged and keeps delivering its previous frames. The former source is closed only once the new one is
  /// open, unless both are the same device or the new one is busy: then the former one is closed first, and
  /// reopened if the new one fails.
  ///
  /// - Throws: whatever `edit` throws; `CaptureFailure` if the new input cannot be opened; `SafelightError` if an
  ///   output belongs to another session.
  public func configure(_ edit: @escaping @Sendable (inout SessionConfiguration) throws -> Void) async throws
  {
    try await onQueue { try self.apply(edit) }
  }

  /// The configuration in effect.
  public var configuration: SessionConfiguration {
    get async { await onQueue { self.confined.configuration } }
  }

  /// Opens the source and begins capturing; returns once the source is open. Does nothing if the session is
  /// running.
  ///
  /// - Parameter waitingForSource: whether to wait, as after an interruption, for a source that cannot be opened
  ///   yet because it is unplugged or busy: the session is then `interrupted` and runs as soon as possible.
  /// - Throws: `CaptureFailure` if the source cannot be opened, `SafelightError` if there is none.
  public func start(waitingForSource: Bool = false) async throws {
    try await onQueue { try self.startOnQueue(waitingForSource: waitingForSource) }
  }

  /// Ends the capture; returns once the source is closed. The outputs' frames end after those already waiting.
  public func stop() async { await onQueue { self.stopOnQueue() } }

  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result(catching: body)) }
    }
  }

  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }
}

// MARK: - On the session's queue

extension CaptureSession {
  /// The session's identity for its outputs. Not the session itself, whose address may be reused while its outputs
  /// are still being released.
  private var key: ObjectIdentifier { ObjectIdentifier(confined) }

  private func startOnQueue(waitingForSource: Bool) throws {
    if let loop = confined.loop {
      guard loop.hasEnded else { return }
      loop.stop()
      confined.loop = nil
    }
    let configuration = confined.configuration
    guard let input = configuration.input else {
      throw SafelightError(
        .invalidValue, "The session has no input", remedy: "add one in configure { } before start()")
    }
    publisher.publish(.starting)
    let loop = makeLoop(input, configuration, outlastsFailures: waitingForSource)
    do {
      try loop.open()
    } catch is CaptureFailure where waitingForSource {
      // The loop publishes the failure and keeps trying.
    } catch {
      loop.stop()
      publisher.publish(.failed(Self.failure(error)))
      throw error
    }
    feed.setSettling(configuration.settling)
    feed.open()
    confined.loop = loop
    loop.begin()
  }

  private func stopOnQueue() {
    guard let loop = confined.loop.take() else { return }
    loop.stop()
    feed.close()
    // A loop that ended by itself has already published the reason.
    if !publisher.state.isFinal { publisher.publish(.stopped) }
  }

  private func apply(_ edit: (inout SessionConfiguration) throws -> Void) throws {
    let former = confined.configuration
    var configuration = former
    try edit(&configuration)
    let added = configuration.outputs.filter { output in !former.outputs.contains { $0 === output } }
    var attached: [any CaptureOutput] = []
    do {
      for output in added {
        try output.attach(to: key)
        attached.append(output)
      }
      try switchStream(from: former, to: configuration)
    } catch {
      for output in attached { output.detach(from: key) }
      throw error
    }
    confined.configuration = configuration
    for output in former.outputs where !configuration.outputs.contains(where: { $0 === output }) {
      output.detach(from: key)
    }
  }

  /// Switches a running session to the input and outputs in `configuration`.
  private func switchStream(
    from former: SessionConfiguration, to configuration: SessionConfiguration
  ) throws {
    guard let running = confined.loop, !running.hasEnded, !configuration.usesSameStream(as: former) else {
      feed.setSettling(configuration.settling)
      feed.setRoutes(configuration.routes)
      return
    }
    guard let input = configuration.input else {
      stopOnQueue()
      feed.setRoutes(configuration.routes)
      return
    }
    let loop = makeLoop(input, configuration, outlastsFailures: false)
    if input.id == former.input?.id {
      try replaceSameDevice(running, former, by: loop)
    } else {
      try replace(running, former, by: loop, input, configuration)
    }
    feed.setSettling(configuration.settling)
    feed.setRoutes(configuration.routes)
    feed.open()
    confined.loop?.begin()
  }

  /// Opens the new source while the former one still streams. A busy source may be busy with this session's own
  /// stream (two names of one device, or a bus that carries one camera): then the former one is closed first.
  private func replace(
    _ running: CaptureLoop, _ former: SessionConfiguration, by loop: CaptureLoop, _ input: any CaptureInput,
    _ configuration: SessionConfiguration
  ) throws {
    do {
      try loop.open()
    } catch let failure as CaptureFailure where failure.reason == .busy {
      loop.stop()
      let second = makeLoop(input, configuration, outlastsFailures: false)
      try replaceSameDevice(running, former, by: second)
      return
    } catch {
      loop.stop()
      throw error
    }
    running.stop()
    confined.loop = loop
  }

  /// Closes the former stream, opens the new one, and opens the former one again if that fails.
  private func replaceSameDevice(
    _ running: CaptureLoop, _ former: SessionConfiguration, by loop: CaptureLoop
  ) throws {
    running.stop()
    do {
      try loop.open()
      confined.loop = loop
    } catch {
      loop.stop()
      guard let input = former.input else { throw error }
      let again = makeLoop(input, former, outlastsFailures: true)
      // If even that fails, the session is interrupted and the loop keeps trying.
      do {
        try again.open()
      } catch is CaptureFailure {}
      confined.loop = again
      feed.open()
      again.begin()
      throw error
    }
  }

  private func makeLoop(
    _ input: any CaptureInput, _ configuration: SessionConfiguration, outlastsFailures: Bool
  ) -> CaptureLoop {
    CaptureLoop(
      input: input, requests: configuration.requests, outlastsFailures: outlastsFailures, feed: feed,
      publisher: publisher)
  }

  private static func failure(_ error: any Error) -> CaptureFailure {
    switch error {
    case let failure as CaptureFailure: failure
    case let error as SafelightError: CaptureFailure(.inputOutput, error)
    default: CaptureFailure(.inputOutput, SafelightError(.device, "The session failed: \(error)"))
    }
  }
}
