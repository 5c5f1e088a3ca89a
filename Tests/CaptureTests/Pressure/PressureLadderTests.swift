import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("The ladder of steps under pressure")
struct PressureLadderTests {
  static func abilities(_ change: (inout PressureAbilities) -> Void = { _ in }) -> PressureAbilities {
    var abilities = PressureAbilities()
    abilities.hasAnalyses = true
    abilities.encoderSpeeds = 2
    abilities.frameRate = 60
    abilities.sizes = [0.75, 0.5]
    change(&abilities)
    return abilities
  }

  private func pressure(
    _ level: SystemPressure.Level, _ reason: SystemPressure.Reason = .thermal
  ) -> SystemPressure {
    guard level > .nominal else { return .nominal }
    return SystemPressure(
      causes: [.init(reason: reason, level: level, sentence: "The zone is at 97.0 °C")], unavailable: [])
  }

  /// Lets time pass in half seconds under one pressure; returns the steps with their seconds.
  private func pass(
    _ ladder: inout PressureLadder, from begin: Double, seconds: Double, _ pressure: SystemPressure,
    load: FrameLoad? = nil
  ) -> [(time: Double, step: PressureStep)] {
    stride(from: begin, to: begin + seconds, by: 0.5).flatMap { second in
      ladder.advance(to: Timestamp(nanoseconds: Int64(second * 1e9)), load: load, pressure: pressure)
        .map { (second, $0) }
    }
  }

  private static let all: [PressureMeasure] = [
    .analyses(oneOf: 2), .analyses(oneOf: 4), .analyses(oneOf: 0), .encoderSpeed(1), .encoderSpeed(2),
    .frameRate(30), .frameRate(24), .frameRate(15), .size(0.75), .size(0.5), .interruption(true),
  ]
  private static let allUndone: [PressureMeasure] = [
    .interruption(false), .size(0.75), .size(1), .frameRate(24), .frameRate(30), .frameRate(60),
    .encoderSpeed(1), .encoderSpeed(0), .analyses(oneOf: 4), .analyses(oneOf: 2), .analyses(oneOf: 1),
  ]

  @Test("Serious heat takes one step every ten seconds, in order, and never interrupts")
  func serious() {
    var ladder = PressureLadder(Self.abilities())
    let steps = pass(&ladder, from: 0, seconds: 300, pressure(.serious))
    #expect(steps.map(\.step.measure) == Self.all.dropLast())
    #expect(steps.map(\.time) == (0..<10).map { Double($0) * 10 })
    #expect(
      steps[3].step.sentence
        == "The encoder works one preset faster because pressure is serious (The zone is at 97.0 °C)")
  }

  @Test("Critical heat takes two steps every four seconds, and interrupts half a minute after the last")
  func critical() {
    var ladder = PressureLadder(Self.abilities())
    let steps = pass(&ladder, from: 0, seconds: 300, pressure(.critical))
    #expect(steps.map(\.step.measure) == Self.all)
    #expect(steps.map(\.time) == [0, 0, 4, 4, 8, 8, 12, 12, 16, 16, 46.5])
  }

  @Test("Shutdown interrupts at once")
  func shutdown() {
    var ladder = PressureLadder(Self.abilities())
    let steps = pass(&ladder, from: 0, seconds: 60, pressure(.shutdown))
    #expect(steps.map(\.step.measure) == Self.all && steps.allSatisfy { $0.time == 0 })
  }

  @Test("When the pressure has gone, steps are taken back in reverse, one every ten seconds")
  func undo() {
    var ladder = PressureLadder(Self.abilities())
    _ = pass(&ladder, from: 0, seconds: 1, pressure(.shutdown))
    let steps = pass(&ladder, from: 20, seconds: 300, pressure(.fair))
    #expect(steps.map(\.step.measure) == Self.allUndone)
    #expect(steps.allSatisfy { $0.step.isUndo })
    // Ten seconds of calm, then ten between changes.
    #expect(steps.map(\.time) == [30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130])
    #expect(
      steps[7].step.sentence == "The encoder works as was asked for again because the pressure has fallen")
    #expect(ladder.measures.isEmpty)
  }

  @Test("A step taken back in vain waits twice as long the next time, and as before after it once held")
  func backoff() {
    var ladder = PressureLadder(Self.abilities())
    var (second, waits): (Double, [Double]) = (0, [])
    for _ in 0..<4 {
      let engaged = pass(&ladder, from: second, seconds: 0.5, pressure(.serious))
      #expect(engaged.map(\.step.measure) == [.analyses(oneOf: 2)])
      let begin = second
      // Calm until the step is taken back; the heat comes again after ten more seconds.
      while ladder.measures.count == 1 {
        second += 0.5
        _ = pass(&ladder, from: second, seconds: 0.5, pressure(.nominal))
      }
      waits.append(second - begin)
      second += 10
    }
    #expect(waits == [10.5, 20, 40, 80])
    // The heat stayed away for a minute.
    _ = pass(&ladder, from: second + 60, seconds: 0.5, pressure(.serious))
    let steps = pass(&ladder, from: second + 60.5, seconds: 30, pressure(.nominal))
    #expect(steps.map(\.time) == [second + 70.5])
  }

  @Test("What a session cannot do is skipped")
  func abilities() {
    func measures(_ change: (inout PressureAbilities) -> Void) -> [PressureMeasure] {
      var ladder = PressureLadder(Self.abilities(change))
      return pass(&ladder, from: 0, seconds: 1, pressure(.shutdown)).map(\.step.measure)
    }
    #expect(measures { $0.hasAnalyses = false } == Array(Self.all.dropFirst(3)))
    #expect(measures { $0.encoderSpeeds = 0 } == Self.all.filter { !"\($0)".hasPrefix("encoder") })
    #expect(measures { $0.sizes = [] } == Self.all.filter { !"\($0)".hasPrefix("size") })
    #expect(measures { $0.canInterrupt = false } == Self.all.dropLast())
    #expect(measures { $0.frameRate = nil } == Self.all.filter { !"\($0)".hasPrefix("frameRate") })
    // 29.97 frames a second are 30, and 15 are not lowered to 15.
    func rates(_ rate: Double) -> [PressureMeasure] {
      measures { $0.frameRate = rate }.filter { "\($0)".hasPrefix("frameRate") }
    }
    #expect(rates(29.97) == [.frameRate(24), .frameRate(15)])
    #expect(rates(15) == [])
    #expect(measures { $0 = PressureAbilities() } == [.interruption(true)])
  }

  @Test("Our own waiting for processors and our own deadlines, as levels, take no step")
  func ownLoad() {
    var ladder = PressureLadder(Self.abilities())
    // The deadlines of another session are no reason; this one's load is.
    #expect(pass(&ladder, from: 0, seconds: 60, pressure(.critical, .deadlines)).isEmpty)
    #expect(pass(&ladder, from: 60, seconds: 60, pressure(.fair, .cpu)).isEmpty)
  }

  @Test("One dropped frame, and one slow window, take no step; dropping on does")
  func hiccups() {
    func load(mean: Double = 0.5, dropped: Int = 0) -> FrameLoad {
      FrameLoad(
        seconds: 0.5, frameInterval: 1, frames: 15, dropped: dropped, meanTime: mean, p99Time: mean,
        queueDepth: 8, standingQueue: mean > 1 ? 7 : 0, queueCapacity: 8)
    }
    var ladder = PressureLadder(Self.abilities())
    #expect(pass(&ladder, from: 0, seconds: 5, .nominal, load: load()).isEmpty)
    #expect(pass(&ladder, from: 5, seconds: 0.5, .nominal, load: load(dropped: 1)).isEmpty)
    #expect(pass(&ladder, from: 5.5, seconds: 5, .nominal, load: load()).isEmpty)
    #expect(pass(&ladder, from: 10.5, seconds: 0.5, .nominal, load: load(mean: 1.4)).isEmpty)
    #expect(pass(&ladder, from: 11, seconds: 5, .nominal, load: load()).isEmpty)
    let steps = pass(&ladder, from: 16, seconds: 1, .nominal, load: load(dropped: 2))
    #expect(!steps.isEmpty)
    #expect(steps[0].step.sentence.hasPrefix("Analyses run on one of 2 frames because "))
    #expect(steps[0].step.sentence.hasSuffix(" % of the frames are dropped"))
  }

  @Test("The further from what fits, the more steps are taken at once, but guesses are few")
  func jumps() {
    func first(_ excess: Double) -> Int {
      var ladder = PressureLadder(Self.abilities())
      // A worker that is always busy, and finishes one frame of `excess`.
      let frames = Int(20 / excess)
      let load = FrameLoad(
        seconds: 0.5, frameInterval: 0.025, frames: frames, dropped: 20 - frames,
        meanTime: 0.025 * excess, p99Time: 0.025 * excess)
      return pass(&ladder, from: 0, seconds: 1, .nominal, load: load).count
    }
    #expect(first(1.25) == 2)
    #expect(first(2) == 4)
    #expect(first(4) == 4)
  }

  @Test("A step is not taken back while what it saves would not fit, however long it is calm")
  func doesNotFit() {
    func load(_ mean: Double) -> FrameLoad {
      FrameLoad(
        seconds: 0.5, frameInterval: 0.04, frames: Int(12.5 / max(1, mean)), meanTime: 0.04 * mean,
        p99Time: 0.04 * mean)
    }
    var ladder = PressureLadder(
      Self.abilities {
        $0.hasAnalyses = false; $0.encoderSpeeds = 1
      })
    #expect(
      pass(&ladder, from: 0, seconds: 2, .nominal, load: load(1.2)).map(\.step.measure).first
        == .encoderSpeed(1))
    // The preset gains a third. Back it would need 120 %.
    #expect(pass(&ladder, from: 2, seconds: 600, .nominal, load: load(0.7)).allSatisfy { !$0.step.isUndo })
    let steps = pass(&ladder, from: 602, seconds: 60, .nominal, load: load(0.2))
    #expect(steps.contains { $0.step.measure == .encoderSpeed(0) })
  }

  @Test(
    "Drawn pressure and load: steps form one stack, each named once, in the order of the ladder",
    arguments: 1...60)
  func stack(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var ladder = PressureLadder(Self.abilities())
    var stack: [PressureMeasure] = []
    var (level, mean) = (SystemPressure.Level.nominal, 0.5)
    for index in 0..<4000 {
      if Int.random(in: 0..<40, using: &random) == 0 {
        level = SystemPressure.Level.allCases.randomElement(using: &random) ?? .nominal
      }
      if Int.random(in: 0..<40, using: &random) == 0 { mean = Double.random(in: 0...3, using: &random) }
      let load: FrameLoad? =
        Int.random(in: 0..<10, using: &random) == 0
        ? nil
        : FrameLoad(
          seconds: 0.5, frameInterval: 1, frames: Int.random(in: 0...15, using: &random),
          dropped: mean > 1 ? Int.random(in: 0...15, using: &random) : 0, meanTime: mean, p99Time: mean)
      let steps = ladder.advance(
        to: Timestamp(nanoseconds: Int64(index) * 500_000_000), load: load, pressure: pressure(level))
      for step in steps {
        if step.isUndo {
          let position = stack.count - 1
          guard position >= 0 else {
            Issue.record("nothing was in force")
            return
          }
          #expect(step.measure == Self.allUndone[Self.all.count - 1 - position])
          stack.removeLast()
        } else {
          guard stack.count < Self.all.count else {
            Issue.record("everything was in force")
            return
          }
          #expect(step.measure == Self.all[stack.count])
          stack.append(step.measure)
        }
        if Int.random(in: 0..<50, using: &random) == 0, step == steps.last, step.isUndo {
          #expect(ladder.refuse(step) == nil)
          stack.append(Self.all[stack.count])
        }
      }
      #expect(ladder.measures == stack)
    }
  }
}
