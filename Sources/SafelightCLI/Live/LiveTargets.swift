import Safelight
import Synchronization

/// The sinks of a live run, and the keys that its preview reads.
final class LiveTargets {
  /// What a key asks for.
  enum Key: Sendable {
    case quit, toggleOriginal, weaker, stronger, still
  }

  let sinks: [any FrameSink]
  private let keys = PressedKeys()
  private let still: StillSaver?
  private var announced: Set<ObjectIdentifier> = []

  init(_ command: LiveCommand, input: any CaptureInput, status: StatusText) throws {
    sinks = try command.targets.map { target in
      switch target {
      case .null: NullSink()
      case .standardOutput(.y4m): Y4MSink()
      case .standardOutput(.rgb): RawVideoSink()
      case .frames(let folder, let format): try FrameFolderSink(folder: folder, format: format)
      case .stream(let host, let port): try MJPEGServer(host: host, port: port)
      default: throw SafelightError(.unsupported, "\(target)")
      }
    }
    still = nil
  }

  /// What sinks have to say, such as the port of a stream, each once.
  func takeAnnouncements() -> [String] {
    sinks.compactMap { sink in
      guard let sink = sink as? any AnnouncingSink, let text = sink.announcement,
        announced.insert(ObjectIdentifier(sink)).inserted
      else { return nil }
      return text
    }
  }

  /// The keys pressed since the last call.
  func takeKeys() -> [Key] { keys.take() }

  func saveStill() { still?.request() }

  /// Lets no sink wait for a reader any more.
  func interrupt() {
    for case let sink as any InterruptibleSink in sinks { sink.interrupt() }
  }
}

/// Keys on their way from the thread that reads them to the main thread.
final class PressedKeys: Sendable {
  private let keys = Mutex<[LiveTargets.Key]>([])
  func press(_ key: LiveTargets.Key) { keys.withLock { $0.append(key) } }
  func take() -> [LiveTargets.Key] {
    keys.withLock { keys in
      defer { keys = [] }
      return keys
    }
  }
}
