import AudioProcessing
import AudioProcessingTestSupport
import FrameCore
import Testing

@Suite("Recovering a device's clock")
struct ClockRecoveryTests {
  /// Measurements of a simulated device, 100 a second.
  private func run(
    _ clock: inout ClockRecovery, _ microphone: inout DriftingMicrophone, seconds: Double,
    each: (Double, ClockRecovery, DriftingMicrophone, ClockRecovery.Event) -> Void = { _, _, _, _ in }
  ) {
    for step in 0..<Int(seconds * 100) {
      let event = clock.update(position: microphone.position, time: microphone.measuredTime())
      each(Double(step) / 100, clock, microphone, event)
      microphone.position += 480
    }
  }

  private func microphone(_ drift: Double, seed: UInt64) -> DriftingMicrophone {
    var microphone = DriftingMicrophone(rate: 48_000, driftPPM: drift, seed: seed) { _ in 0 }
    microphone.addUsualJitter()
    return microphone
  }

  @Test(
    "finds the rate to 10 ppm, 4 in the mean, with 2 ms of jitter and late times of 8 ms",
    arguments: [-500.0, -100, 0, 37, 100, 500])
  func rate(drift: Double) {
    for seed in 1...4 as ClosedRange<UInt64> {
      var microphone = microphone(drift, seed: seed)
      var clock = ClockRecovery(nominalRate: 48_000)
      var (worstRate, sum, count, worstTime) = (0.0, 0.0, 0.0, 0.0)
      run(&clock, &microphone, seconds: 600) { time, clock, microphone, _ in
        guard time > 60 else { return }
        let error = abs(clock.driftPPM - drift)
        worstRate = max(worstRate, error)
        sum += error * error
        count += 1
        let truth = microphone.start.advanced(bySeconds: microphone.moment(of: microphone.position))
        let found = clock.time(of: Double(microphone.position)) ?? truth.advanced(bySeconds: 1)
        worstTime = max(worstTime, abs(found.seconds(since: truth)))
      }
      #expect(worstRate < 10 && (sum / count).squareRoot() < 4, "seed \(seed): \(worstRate) ppm")
      #expect(worstTime < 0.5e-3, "seed \(seed): \(worstTime * 1e3) ms")
    }
  }

  @Test("is within 2.5 ms from its first time on, and within 1 ms after 3 seconds")
  func start() {
    var (atOnce, later) = (0.0, 0.0)
    for seed in 1...100 as ClosedRange<UInt64> {
      var microphone = microphone(seed.isMultiple(of: 2) ? 100 : -100, seed: seed)
      var clock = ClockRecovery(nominalRate: 48_000)
      run(&clock, &microphone, seconds: 10) { time, clock, microphone, _ in
        let truth = microphone.start.advanced(bySeconds: microphone.moment(of: microphone.position))
        guard let found = clock.time(of: Double(microphone.position)) else {
          #expect(time < 0.31)
          return
        }
        let error = abs(found.seconds(since: truth))
        atOnce = max(atOnce, error)
        if time > 3 { later = max(later, error) }
      }
    }
    #expect(atOnce < 2.5e-3 && later < 1e-3, "\(atOnce * 1e3) ms, later \(later * 1e3) ms")
  }

  @Test("position and time are each other's inverse")
  func inverse() throws {
    var microphone = microphone(250, seed: 9)
    var clock = ClockRecovery(nominalRate: 48_000)
    #expect(clock.time(of: 0) == nil && clock.position(at: .now) == nil)
    run(&clock, &microphone, seconds: 20)
    for position in [-48_000.0, 0, 1234.5, 960_000, 1e8] {
      let time = try #require(clock.time(of: position))
      // Times are whole nanoseconds: 0.00005 samples.
      #expect(abs(try #require(clock.position(at: time)) - position) < 1e-4)
    }
  }

  @Test("tells of a jump of 50 ms within 0.25 s, and follows it", arguments: [0.05, -0.05, 4])
  func jump(seconds: Double) throws {
    var microphone = microphone(100, seed: 3)
    var clock = ClockRecovery(nominalRate: 48_000)
    run(&clock, &microphone, seconds: 30)
    microphone.start = microphone.start.advanced(bySeconds: seconds)
    var jumps: [(Double, Double)] = []
    run(&clock, &microphone, seconds: 30) { time, _, _, event in
      if case .jumped(let measured) = event { jumps.append((time, measured)) }
    }
    try #require(jumps.count == 1)
    #expect(jumps[0].0 < 0.25 && abs(jumps[0].1 - seconds) < 3e-3)
    let truth = microphone.start.advanced(bySeconds: microphone.moment(of: microphone.position))
    let found = try #require(clock.time(of: Double(microphone.position)))
    #expect(abs(found.seconds(since: truth)) < 1e-3)
    #expect(abs(clock.driftPPM - 100) < 20)
  }

  @Test("single late times of 8 ms are no jumps, and one of 80 ms moves nothing")
  func spikes() throws {
    var microphone = microphone(0, seed: 5)
    var clock = ClockRecovery(nominalRate: 48_000)
    var jumps = 0
    run(&clock, &microphone, seconds: 600) { _, _, _, event in
      if case .jumped = event { jumps += 1 }
    }
    #expect(jumps == 0)
    let before = try #require(clock.time(of: 1e8))
    let late = microphone.measuredTime().advanced(bySeconds: 0.08)
    #expect(clock.update(position: microphone.position, time: late) == .outlier)
    #expect(try #require(clock.time(of: 1e8)) == before)
  }

  @Test("notices a clock that stands still, keeps its rate, and goes on when the clock does")
  func stopped() throws {
    var microphone = microphone(-80, seed: 6)
    var clock = ClockRecovery(nominalRate: 48_000)
    run(&clock, &microphone, seconds: 60)
    let frozen = microphone.measuredTime()
    var firstTold: Int?
    for step in 0..<500 {
      let event = clock.update(position: microphone.position, time: frozen)
      if event == .clockStopped, firstTold == nil { firstTold = step }
      if firstTold != nil { #expect(event == .clockStopped) }
      microphone.position += 480
    }
    #expect(try #require(firstTold) <= 11)
    #expect(abs(clock.driftPPM + 80) < 10)
    var events: Set<ClockRecovery.Event> = []
    run(&clock, &microphone, seconds: 10) { _, _, _, event in events.insert(event) }
    #expect(events.isSubset(of: [.tracked, .outlier]))
    let truth = microphone.start.advanced(bySeconds: microphone.moment(of: microphone.position))
    let found = try #require(clock.time(of: Double(microphone.position)))
    #expect(abs(found.seconds(since: truth)) < 1e-3)
  }

  @Test("a position that repeats is told, one that goes back begins a new lock")
  func repeated() {
    var microphone = microphone(0, seed: 7)
    var clock = ClockRecovery(nominalRate: 48_000)
    run(&clock, &microphone, seconds: 5)
    microphone.position -= 480
    let time = microphone.measuredTime()
    #expect(clock.update(position: microphone.position, time: time) == .positionRepeated)
    #expect(
      clock.update(position: 0, time: time.advanced(bySeconds: 0.01)) == .positionRepeated && clock.isLocked)
    #expect(clock.update(position: 480, time: time.advanced(bySeconds: 0.02)) == .acquiring)
  }

  @Test("follows a rate that changes by 100 ppm at once, within 1.5 ms")
  func changedRate() throws {
    var microphone = microphone(0, seed: 10)
    var clock = ClockRecovery(nominalRate: 48_000)
    run(&clock, &microphone, seconds: 120)
    let turn = microphone.moment(of: microphone.position)
    microphone.driftPPM = 100
    // The same sample is captured at the same moment by the faster clock.
    microphone.start = microphone.start.advanced(bySeconds: turn - microphone.moment(of: microphone.position))
    var worst = 0.0
    run(&clock, &microphone, seconds: 120) { _, clock, microphone, event in
      let truth = microphone.start.advanced(bySeconds: microphone.moment(of: microphone.position))
      worst = max(worst, abs((clock.time(of: Double(microphone.position)) ?? truth).seconds(since: truth)))
      #expect(event == .tracked || event == .outlier)
    }
    #expect(worst > 0.1e-3 && worst < 1.5e-3, "\(worst * 1e3) ms")
    #expect(abs(clock.driftPPM - 100) < 8)
  }

  @Test("after a gap of an hour the times are right again within a second")
  func gap() throws {
    var microphone = microphone(120, seed: 8)
    var clock = ClockRecovery(nominalRate: 48_000)
    run(&clock, &microphone, seconds: 120)
    microphone.position += 3600 * 48_000
    run(&clock, &microphone, seconds: 1)
    let truth = microphone.start.advanced(bySeconds: microphone.moment(of: microphone.position))
    let found = try #require(clock.time(of: Double(microphone.position)))
    #expect(abs(found.seconds(since: truth)) < 2e-3)
  }
}
