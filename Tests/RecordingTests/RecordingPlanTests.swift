import FrameCore
import Testing

@testable import Recording

/// Pictures at 30 a second, which come out of the encoder at once.
private struct Pictures {
  var plan = RecordingPlan(RecordingPlan.Settings(), framesPerSecond: 30)
  let start = Timestamp(nanoseconds: 1_000_000_000)
  private var frame = 0
  /// The times of those that are in files.
  private(set) var recorded: [Int64] = []

  func moment(_ frame: Int) -> Timestamp { start.advanced(bySeconds: Double(frame) / 30) }

  /// Brings the pictures before a number.
  mutating func run(until last: Int) {
    while frame < last {
      if case .encode(let time, let isKey) = plan.decide(moment(frame)) {
        plan.add(MovieAssembly.Picture(bytes: [1], time: time, isKey: isKey))
      }
      frame += 1
      take()
      guard plan.isComplete else { continue }
      plan.finish()
      take()
      plan.standBy()
    }
  }

  private mutating func take() {
    while let action = plan.next() {
      if case .picture(_, let picture, _, _) = action { recorded.append(picture.time) }
    }
  }
}

@Suite("The plan of a recording")
struct RecordingPlanTests {
  @Test("Only pictures that were to be recorded can be missing")
  func missing() {
    var settings = RecordingPlan.Settings()
    settings.duration = 1_000_000_000
    var pictures = Pictures()
    pictures.plan = RecordingPlan(settings, framesPerSecond: 30)
    #expect(!pictures.plan.takes(pictures.moment(0)))
    #expect(pictures.plan.missing(of: 3, before: pictures.moment(3)) == 0)
    pictures.plan.record()
    #expect(pictures.plan.missing(of: 3, before: pictures.moment(3)) == 3)
    pictures.run(until: 10)
    // The recording ends after 30 pictures.
    #expect(pictures.plan.missing(of: 5, before: pictures.moment(30)) == 5)
    #expect(pictures.plan.missing(of: 5, before: pictures.moment(31)) == 4)
    #expect(pictures.plan.missing(of: 5, before: pictures.moment(40)) == 0)
    #expect(pictures.plan.takes(pictures.moment(29)) && !pictures.plan.takes(pictures.moment(31)))
    let isPaused = pictures.plan.pause(at: pictures.moment(10))
    #expect(isPaused)
    #expect(pictures.plan.missing(of: 2, before: pictures.moment(14)) == 0)
  }

  @Test("A recording that ends in a pause is complete with the next picture, and the next one can begin")
  func endInPause() {
    var pictures = Pictures()
    pictures.plan.record()
    pictures.run(until: 30)
    let isPaused = pictures.plan.pause(at: pictures.moment(30))
    #expect(isPaused)
    pictures.run(until: 60)
    pictures.plan.end(at: pictures.moment(60))
    pictures.run(until: 66)
    #expect(pictures.plan.phase == .standby && pictures.recorded.count == 30)
    pictures.plan.record()
    pictures.run(until: 100)
    #expect(pictures.plan.phase == .recording && pictures.recorded.count > 55)
  }

  @Test("Of two pictures within one tick of the movie's clock the second is left out")
  func ticks() {
    var plan = RecordingPlan(RecordingPlan.Settings(), framesPerSecond: 30)
    plan.record()
    let decisions = [0, 900, 30_000_000].map { plan.decide(Timestamp(nanoseconds: 1_000_000_000 + $0)) }
    #expect(decisions[0] == .encode(time: 1_000_000_000, isKey: true) && decisions[1] == .outOfOrder)
    #expect(decisions[2] == .encode(time: 1_030_000_000, isKey: false))
  }
}
