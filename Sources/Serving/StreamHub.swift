import FrameCore
import Synchronization
import WebServer

/// What the encoding thread and the server share: the newest frame, and who waits for the next.
final class StreamHub: Sendable {
  private let newestSize = Mutex(PixelSize(width: 0, height: 0))
  private let snapshots = Waiters<Int, EncodedFrame>()
  let stream = WebStream()

  /// The size of the newest frame, or that of the first one to come.
  var size: PixelSize { newestSize.withLock { $0 } }
  /// Whether anybody waits for frames; nothing is encoded otherwise.
  var isWatched: Bool { stream.clientCount > 0 || !snapshots.isEmpty }

  func begin(size: PixelSize) { newestSize.withLock { $0 = size } }

  func publish(_ frame: EncodedFrame, size: PixelSize) {
    newestSize.withLock { $0 = size }
    stream.publish(frame.part)
    snapshots.give(frame, to: 0)
  }

  /// Returns the next frame; nil if none comes within the time that a snapshot may take, or at the end.
  func nextFrame() async -> EncodedFrame? { await snapshots.value(for: 0, within: .seconds(5)) }

  /// No more frames will come.
  func end() { snapshots.end() }
}
