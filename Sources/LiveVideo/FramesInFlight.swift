import FrameCore
import Rendering

/// Frames on their way through a renderer, oldest first. Allocates nothing after initialization.
struct FramesInFlight {
  struct Frame {
    let frame: FrameCore.Frame
    let buffers: LiveOutputs.Buffers
    let began: Timestamp
    let pending: PendingFrame
  }

  private var frames: [Frame] = []
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    frames.reserveCapacity(self.capacity)
  }

  var count: Int { frames.count }
  var isEmpty: Bool { frames.isEmpty }
  var isFull: Bool { frames.count >= capacity }

  mutating func add(_ frame: Frame) { frames.append(frame) }
  mutating func removeOldest() -> Frame? { frames.isEmpty ? nil : frames.removeFirst() }

  /// Waits for all frames, ignoring errors, and discards them.
  mutating func abandon() {
    for frame in frames { try? frame.pending.wait() }
    frames.removeAll(keepingCapacity: true)
  }
}
