import FrameCore

/// Decides which captured frames a consumer gets and which are dropped: a state machine without clock, lock or
/// thread.
///
/// Its methods are the events, in the order in which they happen; they return what to do. The storage is allocated
/// by `init`; events allocate nothing. Delivery is serial: after `.deliver` there is no other until `ready()`.
struct LateFrameQueue<Element> {
  /// What to do with a captured frame.
  enum Arrival {
    /// The consumer is waiting: pass it the frame now.
    case deliver(Element)
    /// The frame waits for the consumer.
    case keep
    /// This frame, the new one or an older one, is dropped.
    case drop(Element, DropReason)
    /// The queue is closed; the frame is not counted.
    case ignore
  }

  /// What to do with a ready consumer.
  enum Answer {
    case deliver(Element)
    /// Wait: a later `captured(_:)` returns `deliver`.
    case wait
    /// No more frames will come.
    case finished
  }

  private enum Consumer {
    /// Neither working on a frame nor waiting for one: not started, or temporarily absent.
    case idle
    /// Waiting for the next frame.
    case asking
    /// Working on a frame.
    case busy
  }

  let policy: LateFramePolicy
  private(set) var statistics = FrameStatistics()
  private(set) var isClosed = false
  private var waiting: RingBuffer<Element>
  private var consumer = Consumer.idle

  init(_ policy: LateFramePolicy) {
    self.policy = policy
    waiting = RingBuffer(capacity: policy.capacity)
  }

  // MARK: The source's events

  /// Records a captured frame.
  mutating func captured(_ element: Element) -> Arrival {
    guard !isClosed else { return .ignore }
    statistics.captured += 1
    if consumer == .asking {
      consumer = .busy
      statistics.delivered += 1
      return .deliver(element)
    }
    switch policy {
    case .discardWhileBusy where consumer == .busy:
      return drop(element, .late)
    case .keepAll:
      return waiting.append(element) ? .keep : drop(element, .outOfBuffers)
    case .discard, .discardWhileBusy:
      if waiting.append(element) { return .keep }
      guard let oldest = waiting.popFirst() else { return drop(element, .late) }
      _ = waiting.append(element)
      return drop(oldest, .late)
    }
  }

  /// Records that the source lost `count` frames.
  mutating func sourceDropped(_ reason: DropReason, count: Int) {
    guard !isClosed else { return }
    statistics.captured += count
    statistics[reason] += count
  }

  /// Ends the frames; those waiting are still delivered. Returns whether the consumer is waiting and must be
  /// notified.
  mutating func close() -> Bool {
    isClosed = true
    guard consumer == .asking else { return false }
    consumer = .idle
    return true
  }

  /// Allows frames again.
  mutating func reopen() { isClosed = false }

  // MARK: The consumer's events

  /// The consumer has finished its frame, if any, and asks for the next one.
  mutating func ready() -> Answer {
    if let element = waiting.popFirst() {
      consumer = .busy
      statistics.delivered += 1
      return .deliver(element)
    }
    consumer = isClosed ? .idle : .asking
    return isClosed ? .finished : .wait
  }

  /// The consumer has finished its frame or stopped waiting, and does not ask for another for now.
  mutating func pause() { consumer = .idle }

  // MARK: Questions

  /// Whether a frame captured now would be delivered or kept without displacing another.
  var hasRoom: Bool {
    if consumer == .asking { return true }
    if case .discardWhileBusy = policy, consumer == .busy { return false }
    return waiting.count < waiting.capacity
  }

  /// Whether so many frames wait that the source may have no free memory. One waiting while another is in use is
  /// normal; sources have more than two buffers.
  var holdsFrames: Bool { waiting.count >= 2 }

  /// Whether the consumer can expect no more frames.
  var isFinished: Bool { isClosed && waiting.isEmpty }

  private mutating func drop(_ element: Element, _ reason: DropReason) -> Arrival {
    statistics[reason] += 1
    return .drop(element, reason)
  }
}
