import FrameCore
import Libc

/// A device that came or went.
public enum DeviceChange: Sendable, Hashable {
  /// The device's stable id.
  case connected(String)
  case disconnected(String)
}

/// Devices that come and go, as an asynchronous sequence.
///
/// Each iteration has its own thread, which waits for the kernel and polls nothing; it ends with the iteration. What
/// is connected when it begins is not reported.
public struct DeviceNotifications: AsyncSequence, Sendable {
  public typealias Element = DeviceChange
  public typealias AsyncIterator = AsyncStream<DeviceChange>.Iterator

  /// udev makes a node, then its owner, then its links: the end of a burst is what counts.
  static let settlingSeconds = 0.25

  public init() {}

  public func makeAsyncIterator() -> AsyncIterator {
    let (stream, continuation) = AsyncStream.makeStream(of: DeviceChange.self)
    do {
      let signal = try WakeSignal()
      let watcher = DeviceWatcher()
      let known = Self.identifiers()
      _ = try WorkerThread(name: "device-watch") {
        // Nobody waits for its end.
        pthread_detach(pthread_self())
        Self.run(continuation, watcher, known, signal)
      }
      continuation.onTermination = { _ in signal.signal() }
    } catch {
      // Without a thread or a descriptor for it there is nothing to report from; the sequence ends.
      continuation.finish()
    }
    return stream.makeAsyncIterator()
  }

  private static func run(
    _ continuation: AsyncStream<DeviceChange>.Continuation, _ watcher: DeviceWatcher, _ initial: Set<String>,
    _ signal: WakeSignal
  ) {
    var known = initial
    let never = Timestamp(nanoseconds: .max)
    while watcher.wait(until: never, wake: signal) {
      while watcher.wait(until: Timestamp.now.advanced(bySeconds: settlingSeconds), wake: signal) {}
      let present = identifiers()
      for change in changes(from: known, to: present) { continuation.yield(change) }
      known = present
    }
    continuation.finish()
  }

  private static func identifiers() -> Set<String> {
    Set(DeviceDirectory.system.devices().map(\.id))
  }

  /// Departures first, each in the order of ids.
  static func changes(from old: Set<String>, to new: Set<String>) -> [DeviceChange] {
    old.subtracting(new).sorted().map(DeviceChange.disconnected)
      + new.subtracting(old).sorted().map(DeviceChange.connected)
  }
}

extension CaptureDevice {
  /// Devices that come and go from now on.
  public static var changes: DeviceNotifications { DeviceNotifications() }
}
