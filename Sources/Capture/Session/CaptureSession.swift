import Dispatch
import FrameCore

/// Captures frames from one input and sound from another, and passes them to any number of outputs.
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
/// waiting run on a dedicated thread for each input. Nothing blocks the caller, and the capture never waits
/// for a consumer.
///
/// A running session recovers by itself from interruptions, even an unplugged camera; `states` reports why frames
/// stop and when they resume. Sound that is missing becomes silence of the same length, delivered in its
/// time, so that an unplugged microphone ends no recording; `audioStates` tells. A session that is no longer
/// referenced stops.
public final class CaptureSession: Sendable {
  /// The label of the session's queue.
  private static let queueLabel = "safelight.session"

  /// State accessed only on the queue.
  final class Confined: @unchecked Sendable {
    var configuration = SessionConfiguration()
    var loop: CaptureLoop?
    var audioLoop: AudioLoop?
  }

  private let queue = DispatchQueue(label: queueLabel, qos: .userInitiated)
  let confined = Confined()
  let feed = FrameFeed()
  let audioFeed = AudioFeed()
  let publisher: StatePublisher<StreamFormat>
  let sound: SoundStates

  public init() {
    publisher = StatePublisher()
    sound = SoundStates(session: publisher)
  }

  deinit {
    // No work is queued, since that would refer to the session. If the system has no thread for the queue, adding
    // to it never returns.
    guard confined.loop != nil || confined.audioLoop != nil else {
      return Self.release(confined.configuration, feed, audioFeed, key)
    }
    // The code releasing the session does not wait for its threads.
    queue.async { [confined, feed, audioFeed, key] in
      confined.audioLoop?.requestStop()
      confined.loop?.stop()
      confined.audioLoop?.stop()
      Self.release(confined.configuration, feed, audioFeed, key)
    }
  }

  private static func release(
    _ configuration: SessionConfiguration, _ feed: FrameFeed, _ audioFeed: AudioFeed, _ key: ObjectIdentifier
  ) {
    feed.close()
    audioFeed.close()
    for joined in configuration.joined { joined.output.detach(from: key) }
  }

  /// The session's identity for its outputs. Not the session itself, whose address may be reused while its
  /// outputs are still being released.
  var key: ObjectIdentifier { ObjectIdentifier(confined) }

  // MARK: The session's state

  /// The session's current state: that of its frames, or of its sound if it has no input of frames.
  public var state: CaptureState { publisher.state }

  /// The current state and all that follow. A reader may lag by 256 states; beyond that it loses the oldest.
  public var states: AsyncStream<CaptureState> { publisher.states }

  /// The format of the source's stream; nil before the first one.
  public var format: StreamFormat? { publisher.format }

  /// Counts of frames between the source and the outputs since the session was created.
  public var statistics: SessionStatistics { feed.statistics }

  /// The current state of the sound; `idle` before a session with an input of sound was started.
  public var audioState: CaptureState { sound.publisher.state }

  /// The current state of the sound and all that follow, as `states`.
  public var audioStates: AsyncStream<CaptureState> { sound.publisher.states }

  /// The format of the sound before the connections; nil while there is none. All sound of a run has it.
  public var audioFormat: AudioFormat? { audioFeed.format }

  /// Counts of samples between the source of sound and the outputs since the session was created.
  public var audioStatistics: AudioStatistics { audioFeed.statistics }

  // MARK: Controlling the session

  /// Edits the configuration; returns once it is in effect.
  ///
  /// The change is atomic: if `edit` throws, or a running session cannot open its new input or format, the session
  /// is unchanged and keeps delivering its previous frames. The former source is closed only once the new one is
  /// open, unless both are the same device or the new one is busy: then the former one is closed first, and
  /// reopened if the new one fails. The same holds for sources of sound.
  ///
  /// - Throws: whatever `edit` throws; `CaptureFailure` if the new input cannot be opened; `SafelightError` if an
  ///   output belongs to another session, if one that is added to a running session takes nothing that its
  ///   inputs give, or if a connection asks for channels that the sound lacks.
  public func configure(_ edit: @escaping @Sendable (inout SessionConfiguration) throws -> Void) async throws
  {
    try await onQueue { try self.apply(edit) }
  }

  /// The configuration in effect.
  public var configuration: SessionConfiguration {
    get async { await onQueue { self.confined.configuration } }
  }

  /// Opens the sources and begins capturing; returns once they are open. Does nothing if the session is
  /// running.
  ///
  /// - Parameter waitingForSource: whether to wait, as after an interruption, for a source that cannot be opened
  ///   yet because it is unplugged or busy: the session is then `interrupted` and runs as soon as possible.
  /// - Throws: `CaptureFailure` if a source cannot be opened, `SafelightError` if there is none, or if an
  ///   output takes nothing that the inputs give.
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
