import FrameCore
import Testing

@testable import Capture

/// xorshift64*, so that a failure comes back with its seed. Source: Vigna, "An experimental exploration of
/// Marsaglia's xorshift generators", 2016.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}

@Suite struct LateFrameQueueRandomTests {
  private static let policies: [LateFramePolicy] = [
    .discard(keepingNewest: 0), .discard(keepingNewest: 1), .discard(keepingNewest: 3), .discardWhileBusy,
    .keepAll(limit: 1), .keepAll(limit: 5),
  ]

  /// What a frame's number became.
  private enum Fate: UInt8 { case unknown, delivered, dropped }

  @Test("Two million random events lose, repeat and reorder nothing", arguments: policies)
  func randomEvents(policy: LateFramePolicy) {
    var random = SeededGenerator(seed: 20_240_611)
    var queue = LateFrameQueue<Int>(policy)
    var fates: [Fate] = []
    var (lastDelivered, waiting, lost) = (-1, 0, 0)
    var isBusy = false
    var problems: [String] = []
    func check(_ condition: Bool, _ what: @autoclosure () -> String) {
      if !condition, problems.count < 5 { problems.append(what()) }
    }

    func deliver(_ frame: Int) {
      check(!isBusy, "frame \(frame) was delivered during another delivery")
      check(frame > lastDelivered, "frame \(frame) was delivered after \(lastDelivered)")
      check(fates[frame] == .unknown, "frame \(frame) was \(fates[frame]) before")
      fates[frame] = .delivered
      (isBusy, lastDelivered) = (true, frame)
    }

    func drop(_ frame: Int, _ reason: DropReason, newest: Int) {
      check(fates[frame] == .unknown, "frame \(frame) was \(fates[frame]) before")
      fates[frame] = .dropped
      if case .keepAll = policy {
        check(reason == .outOfBuffers && frame == newest, "frame \(frame) was dropped as \(reason)")
      } else {
        check(reason == .late, "frame \(frame) was dropped as \(reason)")
      }
    }

    for _ in 0..<350_000 {
      switch random.next() % 16 {
      case 0..<8:
        let frame = fates.count
        fates.append(.unknown)
        switch queue.captured(frame) {
        case .deliver(let frame): deliver(frame)
        case .keep: waiting += 1
        case .drop(let frame, let reason): drop(frame, reason, newest: fates.count - 1)
        case .ignore: check(false, "an open queue ignored frame \(frame)")
        }
      case 8..<13:
        isBusy = false
        switch queue.ready() {
        case .deliver(let frame):
          deliver(frame)
          waiting -= 1
        case .wait: check(waiting == 0, "the consumer waits although \(waiting) frames do")
        case .finished: check(false, "an open queue is finished")
        }
      case 13:
        isBusy = false
        queue.pause()
      default:
        let count = Int(random.next() % 4)
        queue.sourceDropped(.discontinuity, count: count)
        lost += count
      }
      let statistics = queue.statistics
      check(statistics.captured == fates.count + lost, "captured \(statistics.captured)")
      check(statistics.waiting == waiting, "\(statistics.waiting) are counted as waiting, \(waiting) do")
      check(waiting <= policy.capacity, "\(waiting) frames wait")
    }
    #expect(problems.isEmpty, "\(problems)")
    let statistics = queue.statistics
    #expect(fates.count { $0 == .delivered } == statistics.delivered)
    #expect(fates.count { $0 == .dropped } == statistics.dropped - lost)
    #expect(statistics.droppedDiscontinuity == lost)
    #expect(statistics.delivered > 50_000)
    #expect(statistics.dropped > lost)
  }

  @Test("No frame that a consumer gets in time to keep up is older than one interval", arguments: 1...20)
  func age(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = LateFrameQueue<Int>(.discard(keepingNewest: 1))
    let interval = 1000
    var readyAt: Int? = nil
    if case .wait = queue.ready() {} else { Issue.record("there is a frame already") }
    for index in 0..<20_000 {
      let capture = index * interval
      // What the consumer does before this frame is captured. Its work takes less than an interval.
      while let time = readyAt, time <= capture {
        readyAt = nil
        if case .deliver(let captured) = queue.ready() {
          #expect(time - captured <= interval)
          readyAt = time + Int(random.next() % UInt64(interval))
        }
      }
      if case .deliver(let captured) = queue.captured(capture) {
        #expect(captured == capture)
        readyAt = capture + Int(random.next() % UInt64(interval))
      }
    }
    #expect(queue.statistics.dropped == 0)
    #expect(queue.statistics.delivered >= 19_998)
  }
}
