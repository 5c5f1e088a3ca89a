import Dispatch
import FrameCore

/// Captures frames from one input and hands them to any number of outputs.
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
/// `configure`, `start` and `stop` run on the session's own serial queue, one after the other, and opening, reading
/// and waiting on a thread of the input's own: nothing blocks the caller. The capture never waits for a consumer.
///
/// A session that runs recovers by itself from what interrupts it, an unplugged camera included: `states` says why
/// frames do not come, and when they come again. A session that nobody refers to any more stops.
public final class CaptureSession: Sendable {
  /// The name of the session's queue.
  private static let queueLabel = "safelight.session"

  /// What only code on the queue touches.
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
    // Whoever let go of the session does not wait for its thread.
    queue.async { [confined, feed, key] in
      confined.loop?.stop()
      feed.close()
      for output in confined.configuration.outputs { output.detach(from: key) }
    }
  }

  // MARK: What the session is doing

  /// What the session is doing now.
  public var state: CaptureState { publisher.state }

  /// The present state and all that follow. A reader may lag by 256 states; it loses older ones.
  public var states: AsyncStream<CaptureState> { publisher.states }

  /// What the source delivers; nil before the first stream.
  public var format: StreamFormat? { publisher.format }

  /// Frames counted between the source and the outputs, since the session was made.
  public var statistics: SessionStatistics { feed.statistics }

  // MARK: Changing what it does

  /// Edits the configuration; returns when it is in effect.
  ///
  /// All or nothing: where `edit` throws, or a running session cannot open its new input or format, the session stays
  /// as it was, and a running one goes on with the frames it had. The former source is closed only when the new
  /// one is open, unless they are the same device, or the new one is busy: then the former one is closed first, and
  /// opened again if the new one fails.
  ///
  /// - Throws: what `edit` throws; `CaptureFailure` where the new input cannot be opened; `SafelightError` where an
  ///   output belongs to another session.
  public func configure(_ edit: @escaping @Sendable (inout SessionConfiguration) throws -> Void) async throws
  {
    try await onQueue { try self.apply(edit) }
  }

  /// The configuration in effect.
  public var configuration: SessionConfiguration {
    get async { await onQueue { self.confined.configuration } }
  }

  /// Opens the source and begins to capture; returns when the source is open. Nothing happens where the session runs.
  ///
  /// - Throws: `CaptureFailure` where the source cannot be opened, `SafelightError` where there is none.
  public func start() async throws { try await onQueue { try self.startOnQueue() } }

  /// Ends the capture; returns when the source is closed. The outputs' frames end after those that wait.
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
  /// Who the session is to its outputs. Not the session itself: its place in memory may be another's while its
  /// outputs are still being let go.
  private var key: ObjectIdentifier { ObjectIdentifier(confined) }

  private func startOnQueue() throws {
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
    let loop = makeLoop(input, configuration, outlastsFailures: false)
    do {
      try loop.open()
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
    let hasFailed = loop.hasEnded
    loop.stop()
    feed.close()
    // A loop that ended by itself has said why.
    if !hasFailed { publisher.publish(.stopped) }
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

  /// Makes a running session's frames come from, and go to, where `configuration` says.
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
    do {
      if input.id == former.input?.id {
        try replaceSameDevice(running, former, by: loop)
      } else {
        try replace(running, former, by: loop, input, configuration)
      }
    }
    feed.setSettling(configuration.settling)
    feed.setRoutes(configuration.routes)
    feed.open()
    confined.loop?.begin()
  }

  /// Opens the new source while the former one still streams. A source that is busy may be busy with our own stream
  /// (two names of one device, a bus that carries one camera): then the former one makes way.
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
      // Where even that fails the session is interrupted, and the loop goes on trying.
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
