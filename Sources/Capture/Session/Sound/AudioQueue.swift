import FrameCore

/// Counts of samples per channel at an output: `captured` is the sum of the others.
public struct AudioOutputStatistics: Sendable, Hashable {
  public var captured: Int64 = 0
  public var delivered: Int64 = 0
  /// Lost because the consumer was too slow.
  public var dropped: Int64 = 0
  public var waiting: Int64 = 0
  /// The number of buffers that `dropped` was in.
  public var droppedBuffers = 0

  public init() {}
}

/// Sound that waits for a consumer, the oldest given up when there is too much: a state machine without lock
/// or thread.
struct AudioQueue {
  /// The longest sound that waits, in seconds.
  let limit: Double
  private(set) var statistics = AudioOutputStatistics()
  private(set) var isClosed = false
  private var buffers: [AudioBuffer] = []
  /// The index of the oldest buffer.
  private var head = 0
  /// The duration of the waiting sound in seconds.
  private var duration = 0.0
  /// Sums of durations are not exact.
  private static let tolerance = 1e-9

  init(limit: Double) { self.limit = limit }

  var isEmpty: Bool { head == buffers.count }
  /// Whether no sound waits and none will come.
  var isFinished: Bool { isClosed && isEmpty }
  /// Whether half of the limit is free, which is more than a source delivers at once.
  var hasRoom: Bool { duration <= limit / 2 + Self.tolerance }

  mutating func open() { isClosed = false }
  mutating func close() { isClosed = true }

  /// Adds sound, and drops the oldest that is then too much. A buffer that is longer than the limit stays.
  mutating func append(_ buffer: AudioBuffer) {
    guard !isClosed, buffer.frameCount > 0 else { return }
    buffers.append(buffer)
    duration += buffer.duration
    statistics.captured += Int64(buffer.frameCount)
    statistics.waiting += Int64(buffer.frameCount)
    while duration > limit + Self.tolerance, buffers.count - head > 1, let oldest = removeFirst() {
      statistics.dropped += Int64(oldest.frameCount)
      statistics.droppedBuffers += 1
    }
  }

  /// Removes the oldest sound, for the consumer.
  mutating func popFirst() -> AudioBuffer? {
    guard let buffer = removeFirst() else { return nil }
    statistics.delivered += Int64(buffer.frameCount)
    return buffer
  }

  private mutating func removeFirst() -> AudioBuffer? {
    guard head < buffers.count else { return nil }
    let buffer = buffers[head]
    head += 1
    statistics.waiting -= Int64(buffer.frameCount)
    duration -= buffer.duration
    if head == buffers.count {
      duration = 0
      buffers.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64 {
      buffers.removeFirst(head)
      head = 0
    }
    return buffer
  }
}
