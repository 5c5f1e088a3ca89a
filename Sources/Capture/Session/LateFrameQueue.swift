import FrameCore

/// Decides which captured frames a consumer gets and which are dropped: a state machine without clock, lock or thread.
///
/// Events are its methods, in the order in which they happen; what to do about them is what they return. The storage
/// is allocated by `init`: no event allocates. Delivery is serial: after `.deliver` there is no other until `ready()`.
struct LateFrameQueue<Element> {
  /// What to do with a frame that was captured.
  enum Arrival {
    /// The consumer waits for it: give it to it now.
    case deliver(Element)
    /// It waits for the consumer.
    case keep
    /// This frame, the new one or an older one, will not be delivered.
    case drop(Element, DropReason)
    /// The queue is closed; the frame is not counted.
    case ignore
  }

  /// What to do with a consumer that is ready.
  enum Answer {
    case deliver(Element)
    /// A later `captured(_:)` answers with `deliver`.
    case wait
    /// There is nothing more to come.
    case finished
  }

  private enum Consumer {
    /// Neither works on a frame nor waits for one: not there yet, or gone for a moment.
    case idle
    /// Waits for the next frame.
    case asking
    /// Works on a frame.
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

  /// A frame was captured.
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

  /// The source lost `count` frames, which nobody will see.
  mutating func sourceDropped(_ reason: DropReason, count: Int) {
    guard !isClosed else { return }
    statistics.captured += count
    statistics[reason] += count
  }

  /// No more frames come; those that wait are still delivered. True where the consumer waits and must be told.
  mutating func close() -> Bool {
    isClosed = true
    guard consumer == .asking else { return false }
    consumer = .idle
    return true
  }

  /// Frames come again.
  mutating func reopen() { isClosed = false }

  // MARK: The consumer's events

  /// The consumer is done with what it was given, if anything, and asks for the next frame.
  mutating func ready() -> Answer {
    if let element = waiting.popFirst() {
      consumer = .busy
      statistics.delivered += 1
      return .deliver(element)
    }
    consumer = isClosed ? .idle : .asking
    return isClosed ? .finished : .wait
  }

  /// The consumer is done with what it was given, or no longer waits, and does not ask for more for now.
  mutating func pause() { consumer = .idle }

  // MARK: Questions

  /// Whether a frame captured now would be delivered or wait, and push no other out.
  var hasRoom: Bool {
    if consumer == .asking { return true }
    if case .discardWhileBusy = policy, consumer == .busy { return false }
    return waiting.count < waiting.capacity
  }

  /// Whether so many frames wait that the source may have no memory left to fill. One frame that waits while another
  /// is worked on is how things should be; sources have more buffers than two.
  var holdsFrames: Bool { waiting.count >= 2 }

  /// Whether the consumer has nothing to expect any more.
  var isFinished: Bool { isClosed && waiting.isEmpty }

  private mutating func drop(_ element: Element, _ reason: DropReason) -> Arrival {
    statistics[reason] += 1
    return .drop(element, reason)
  }
}
