import FrameCore
import Libc

/// A device that was connected or disconnected.
public enum DeviceChange: Sendable, Hashable {
  /// The device's stable id.
  case connected(String)
  case disconnected(String)
}

/// Connections and disconnections of devices, as an asynchronous sequence.
///
/// Each iteration has its own thread, which waits for the kernel without polling and ends with the iteration.
/// Devices already connected at its start are not reported.
public struct DeviceNotifications: AsyncSequence, Sendable {
  public typealias Element = DeviceChange
  public typealias AsyncIterator = AsyncStream<DeviceChange>.Iterator

  /// udev creates a node, then sets its owner, then adds links, so only the end of a burst matters.
  static let quietSeconds = 0.25

  public init() {}

  public func makeAsyncIterator() -> AsyncIterator {
    let (stream, continuation) = AsyncStream.makeStream(of: DeviceChange.self)
    do {
      let signal = try WakeSignal()
      let watcher = NodeWatcher.video()
      let known = Self.identifiers()
      _ = try WorkerThread(name: "device-watch") {
        // Nobody joins the thread.
        pthread_detach(pthread_self())
        Self.run(continuation, watcher, known, signal)
      }
      continuation.onTermination = { _ in signal.signal() }
    } catch {
      // Without a thread or its descriptor, nothing can be reported, so the sequence ends.
      continuation.finish()
    }
    return stream.makeAsyncIterator()
  }

  private static func run(
    _ continuation: AsyncStream<DeviceChange>.Continuation, _ watcher: NodeWatcher, _ initial: Set<String>,
    _ signal: WakeSignal
  ) {
    var known = initial
    let never = Timestamp(nanoseconds: .max)
    while watcher.wait(until: never, wake: signal) {
      while watcher.wait(until: Timestamp.now.advanced(bySeconds: quietSeconds), wake: signal) {}
      let present = identifiers()
      for change in changes(from: known, to: present) { continuation.yield(change) }
      known = present
    }
    continuation.finish()
  }

  private static func identifiers() -> Set<String> {
    Set(DeviceDirectory.system.devices().map(\.id))
  }

  /// Returns disconnections first, each group in the order of ids.
  static func changes(from old: Set<String>, to new: Set<String>) -> [DeviceChange] {
    old.subtracting(new).sorted().map(DeviceChange.disconnected)
      + new.subtracting(old).sorted().map(DeviceChange.connected)
  }
}

extension CaptureDevice {
  /// Connections and disconnections of devices from now on.
  public static var changes: DeviceNotifications { DeviceNotifications() }
}
