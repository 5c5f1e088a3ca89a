import FrameCore
import Synchronization
import Testing

@testable import Capture

@Suite("A policy and the session that answers it")
struct PressurePolicyTests {
  private static let serious = SystemPressure(
    causes: [.init(reason: .thermal, level: .serious, sentence: "The zone is at 97.0 °C")], unavailable: [])

  @Test("A refused step is not asked for again, and the next one follows")
  func refusal() {
    let asked = Mutex<[PressureMeasure]>([])
    var responder = PressureResponder()
    responder.setAnalysisRate = { count in
      asked.withLock { $0.append(.analyses(oneOf: count)) }
      return .done
    }
    responder.setEncoderSpeed = { level in
      asked.withLock { $0.append(.encoderSpeed(level)) }
      return .refused
    }
    responder.requestSize = { scale in
      asked.withLock { $0.append(.size(scale)) }
      return .later
    }
    let policy = PressurePolicy(PressureLadderTests.abilities(), responder: responder)
    // Five turns of ten seconds: a refusal costs none.
    for second in stride(from: 0, to: 50, by: 2) {
      let time = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
      policy.advance(to: time, load: nil, pressure: Self.serious)
    }
    let all = asked.withLock { $0 }
    #expect(
      all == [
        .analyses(oneOf: 2), .analyses(oneOf: 4), .analyses(oneOf: 0), .encoderSpeed(1), .encoderSpeed(2),
        .size(0.75), .size(0.5),
      ])
    #expect(
      policy.measures == [
        .analyses(oneOf: 2), .analyses(oneOf: 4), .analyses(oneOf: 0), .size(0.75), .size(0.5),
      ])
  }

  @Test("A step that may not be taken back stays, with those that were to follow")
  func refusedUndo() {
    let isStubborn = Mutex(true)
    var responder = PressureResponder()
    responder.setAnalysisRate = { _ in .done }
    responder.setEncoderSpeed = { level in
      level == 1 || level == 0 && isStubborn.withLock { $0 } ? .refused : .done
    }
    let policy = PressurePolicy(PressureLadderTests.abilities { $0.encoderSpeeds = 3 }, responder: responder)
    func pass(_ seconds: Range<Int>, _ pressure: SystemPressure) {
      let load = FrameLoad(seconds: 1, frameInterval: 1, frames: 1, meanTime: 0.1, p99Time: 0.1)
      for second in seconds {
        let time = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
        policy.advance(to: time, load: load, pressure: pressure)
      }
    }
    pass(0..<100, Self.serious)
    let all: [PressureMeasure] = [
      .analyses(oneOf: 2), .analyses(oneOf: 4), .analyses(oneOf: 0), .encoderSpeed(2), .encoderSpeed(3),
    ]
    #expect(policy.measures == all)
    // Without a speed of 1, that of 2 is taken back to 0, which is refused at first.
    pass(100..<200, .nominal)
    #expect(policy.measures == Array(all.dropLast()))
    isStubborn.withLock { $0 = false }
    pass(200..<1000, .nominal)
    #expect(policy.measures == [])
  }

  @Test("Steps are told with what and why; what comes later says so, and what was refused is not told")
  func steps() async {
    var responder = PressureResponder()
    responder.setAnalysisRate = { $0 == 4 ? .refused : .done }
    responder.requestSize = { _ in .later }
    let policy = PressurePolicy(PressureLadderTests.abilities { $0.sizes = [0.5] }, responder: responder)
    let steps = policy.steps
    for second in stride(from: 0, to: 30, by: 2) {
      let time = Timestamp(nanoseconds: Int64(second) * 1_000_000_000)
      policy.advance(to: time, load: nil, pressure: Self.serious)
    }
    policy.finish()
    var sentences: [String] = []
    for await step in steps { sentences.append(step.sentence) }
    let reason = " because pressure is serious (The zone is at 97.0 °C)"
    #expect(
      sentences == [
        "Analyses run on one of 2 frames" + reason,
        "Analyses are off" + reason,
        "Pictures have 50 % of their width and height" + reason + ", from the next file on",
      ])
  }
}
