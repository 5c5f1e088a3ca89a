import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("What frames cost")
struct FrameBudgetTests {
  private func second(_ seconds: Double) -> Timestamp { Timestamp(nanoseconds: Int64(seconds * 1e9)) }

  @Test("A window's mean, drops and queue are those recorded in it, and the next window begins with none")
  func window() throws {
    let budget = try FrameBudget(frameInterval: 0.04, queueCapacity: 10)
    _ = budget.endWindow(at: second(10))
    for time in [0.01, 0.03, 0.05] { budget.finished(in: time) }
    budget.dropped()
    budget.dropped(2)
    for depth in [3, 7, 5] { budget.queued(depth) }
    let load = budget.endWindow(at: second(10.5))
    #expect(load.seconds == 0.5 && load.frames == 3 && load.dropped == 3)
    #expect(abs(load.meanTime - 0.03) < 1e-12 && abs(load.meanShare - 0.75) < 1e-12)
    #expect(load.dropShare == 0.5)
    #expect(load.queueDepth == 7 && load.standingQueue == 0)
    #expect(budget.load == load)
    // The queue stands at 5 until it changes; times of frames stay for the p99.
    let next = budget.endWindow(at: second(11))
    #expect(next.frames == 0 && next.dropped == 0 && next.meanTime == 0 && next.dropShare == 0)
    #expect(next.queueDepth == 5 && next.standingQueue == 5 && next.queueShare == 0.5)
    #expect(abs(next.p99Time - 0.05) < 1e-6)
  }

  @Test("The p99 is that of the latest 128 times, by counting", arguments: 1...20)
  func p99(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let budget = try FrameBudget(frameInterval: 0.033)
    var times: [Double] = []
    for count in [1, 5, 93, 1, 200, 40] {
      for _ in 0..<count {
        // Whole milliseconds, which the ring's single precision keeps apart.
        let time = Double(Int.random(in: 1...1000, using: &random)) / 1000
        times.append(time)
        budget.finished(in: time)
      }
      let p99 = budget.endWindow(at: .now).p99Time
      let latest = times.suffix(FrameBudget.ringSize)
      // The smallest time that at least 99 of 100 do not exceed.
      let expected = latest.sorted().first { time in
        100 * latest.count { $0 <= time } >= 99 * latest.count
      }
      #expect(abs(p99 - (expected ?? 0)) < 1e-6)
    }
    try budget.setFrameInterval(0.066)
    #expect(budget.endWindow(at: .now).p99Time == 0)
  }

  @Test("Threads that record at once lose nothing")
  func threads() async throws {
    let budget = try FrameBudget(frameInterval: 0.033, queueCapacity: 4)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for index in 0..<5000 {
            budget.finished(in: 0.001)
            if index % 5 == 0 { budget.dropped() }
            budget.queued(index % 5)
          }
        }
      }
    }
    let load = budget.endWindow(at: .now)
    #expect(load.frames == 20_000 && load.dropped == 4_000 && load.queueDepth == 4)
  }

  @Test("Values that mean nothing are refused or ignored")
  func refusals() throws {
    #expect(throws: SafelightError.self) { try FrameBudget(frameInterval: 0) }
    #expect(throws: SafelightError.self) { try FrameBudget(frameInterval: .infinity) }
    #expect(throws: SafelightError.self) { try FrameBudget(frameInterval: 0.03, queueCapacity: -1) }
    let budget = try FrameBudget(frameInterval: 0.03)
    #expect(throws: SafelightError.self) { try budget.setFrameInterval(-1) }
    for time in [-1, .nan, .infinity] { budget.finished(in: time) }
    budget.dropped(-3)
    let load = budget.endWindow(at: .now)
    #expect(load.frames == 0 && load.dropped == 0 && load.queueShare == 0)
  }

  /// The level of deadlines after windows of half a second.
  private func levels(_ loads: [FrameLoad]) -> String {
    var (readings, meter) = (DeadlineReadings(id: 1), PressureMeter())
    return String(
      loads.enumerated().map { index, load in
        _ = meter.read(readings.samples(of: load), at: second(Double(index) / 2))
        return meter.pressure[.deadlines].letter
      })
  }

  private func load(
    p99: Double = 0.5, frames: Int = 15, dropped: Int = 0, standing: Int = 0
  ) -> FrameLoad {
    FrameLoad(
      seconds: 0.5, frameInterval: 1, frames: frames, dropped: dropped, meanTime: p99, p99Time: p99,
      queueDepth: standing, standingQueue: standing, queueCapacity: 8)
  }

  @Test("Deadlines press by the p99 over the interval, by drops in five seconds and by a queue that stands")
  func deadlines() {
    #expect(levels([0.5, 0.8, 0.8, 1, 1, 1.5, 1.5, 9].map { load(p99: $0) }) == "--ffsscc")
    // One drop of 150 frames is less than a percent, two are more.
    let drops = [0, 1, 0, 0, 0, 1, 0, 0].map { load(dropped: $0) }
    #expect(levels(Array(repeating: load(), count: 10) + drops) == "------------ffffss")
    #expect(levels([2, 4, 4, 6, 6, 8, 8].map { load(standing: $0) }) == "--ffsss")
    // No frames, as in a pause, say nothing, and after ten seconds nothing is known any more.
    let pause = FrameLoad(seconds: 0.5, frameInterval: 1)
    let known = "-" + String(repeating: "c", count: 20)
    #expect(levels([load(p99: 2), load(p99: 2)] + Array(repeating: pause, count: 21)) == known + "--")
  }
}
