import Capture
import FrameCore
import Foundation
import Testing

/// When frames and drops come.
extension SyntheticInputTests {
  @Test("Times are those of the rate, and frames end at the limit")
  func times() throws {
    let record = try record(rate: 40, frames: 10)
    #expect(record.hasFinished && record.frames.count == 10)
    for (index, frame) in record.frames.enumerated() {
      #expect(frame.sequence == UInt64(index))
      #expect(abs(frame.time.seconds(since: record.frames[0].time) - Double(index) / 40) < 1e-8)
    }
  }

  @Test("Declared faults come as drops with their reasons, and everything adds up")
  func faults() throws {
    let faults = SyntheticFaults(gaps: [3: 2, 8: 5], corrupt: [1, 6])
    let record = try record(frames: 12, faults: faults)
    #expect(record.frames.map(\.sequence) == [0, 2, 5, 7])
    let drops = record.drops.map { "\($0.first.sequence) \($0.first.reason) \($0.count)" }
    #expect(drops == ["1 corrupt 1", "3 discontinuity 2", "6 corrupt 1", "8 discontinuity 4"])
  }

  @Test("Jitter moves times by less than it says, the same way in every run")
  func jitter() throws {
    func offsets() throws -> [Double] {
      let record = try record(rate: 100, frames: 50, faults: SyntheticFaults(jitter: 0.004))
      let start = record.frames[0].time
      return record.frames.map { $0.time.seconds(since: start) - Double($0.sequence) / 100 }
    }
    let first = try offsets()
    #expect(first.allSatisfy { abs($0) <= 0.004 })
    #expect(Set(first.map { Int($0 * 1e6) }).count > 40)
    #expect(zip(first, try offsets()).allSatisfy { abs($0 - $1) < 1e-8 })
  }

  @Test("A paced source gives no frame before its time, and what is not made in time has a reason of its own")
  func paced() throws {
    let input = try SyntheticInput(size: Self.size, framesPerSecond: 50, frameLimit: 12)
    let stream = try input.openStream(StreamRequest())
    var expected: UInt64 = 0
    var count = 0
    while true {
      let event = try stream.next(until: Timestamp.now.advanced(bySeconds: 60))
      if case .finished = event { break }
      if let frame = event.frame {
        #expect(frame.time <= .now && frame.sequence == expected)
        expected += 1
        count += 1
        if count == 2 { usleep(70_000) }
      } else if let drop = event.drop {
        #expect(drop.first.reason == .missedDeadline && drop.first.sequence == expected)
        expected += UInt64(drop.count)
      }
    }
    #expect(expected == 12)
    // 70 ms are three intervals and a half.
    #expect(count <= 10)
  }

  @Test("A source that cannot keep up says so, and what the faults take stays a gap")
  func missedDeadlines() throws {
    // No machine paints a thousand large pictures a second.
    let input = try SyntheticInput(
      size: PixelSize(width: 1920, height: 1080), framesPerSecond: 1000, frameLimit: 150)
    let record = StreamRecord(try input.openStream(StreamRequest()))
    let missed = record.drops.reduce(0) { $0 + $1.count }
    #expect(missed > 0 && record.frames.count + missed == 150)
    #expect(record.drops.allSatisfy { $0.first.reason == .missedDeadline })
    var statistics = FrameStatistics()
    statistics[.missedDeadline] = 3
    #expect(statistics.dropped == 3 && statistics.droppedMissedDeadline == 3)
  }

  @Test("Buffers that are held are not painted over; a paced source then is out of buffers")
  func outOfBuffers() throws {
    let input = try SyntheticInput(size: PixelSize(width: 64, height: 36), framesPerSecond: 50)
    let stream = try input.openStream(StreamRequest())
    var held: [Frame] = []
    var isOut = false
    for _ in 0..<500 where !isOut {
      let event = try stream.next(until: Timestamp.now.advanced(bySeconds: 60))
      if let frame = event.frame { held.append(frame) }
      isOut = event.drop?.first.reason == .outOfBuffers
    }
    #expect(isOut && held.count == 8)
    #expect(Set(held.map { tightBytes($0.buffer) }).count == 8)
  }

  @Test("During a stall nothing comes; afterwards the gap is reported")
  func stall() throws {
    let input = try SyntheticInput(
      size: PixelSize(width: 64, height: 36), framesPerSecond: 5, frameLimit: 8,
      faults: SyntheticFaults(stalls: [2: 0.7]))
    let record = StreamRecord(try input.openStream(StreamRequest()))
    // Three intervals and a half: frame 5 is the latest when the source speaks again.
    #expect(!record.frames.contains { (2..<5).contains($0.sequence) })
    let gap = try #require(record.drops.first)
    #expect(gap.first.reason == .discontinuity && gap.first.sequence <= 2)
    #expect(gap.first.sequence + UInt64(gap.count) >= 5)
  }

  @Test("Waking ends a wait, and a deadline does")
  func waking() throws {
    let input = try SyntheticInput(size: Self.size, framesPerSecond: 0.01)
    let stream = try input.openStream(StreamRequest())
    _ = try stream.next(until: Timestamp.now.advanced(bySeconds: 60))
    stream.wake()
    guard case .idle = try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) else {
      Issue.record("not woken")
      return
    }
    guard case .idle = try stream.next(until: Timestamp.now.advanced(bySeconds: 0.01)) else {
      Issue.record("the deadline passed")
      return
    }
  }
}
