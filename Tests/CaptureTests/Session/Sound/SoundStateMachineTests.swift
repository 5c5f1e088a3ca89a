import FrameCore
import TestSupport
import Testing

@testable import Capture

/// A microphone in a drawn timeline, a letter for each 100 ms: `+` there and working, `-` unplugged, `b`
/// busy, `e` an error at each reading, `x` with another format, `o` silent.
///
/// The timeline of what is heard has `s` for sound, and for none the first letter of the state.
private func heard(_ timeline: String, poll: Int64 = 5) -> String {
  var machine = CaptureStateMachine(sourceName: "a microphone", outlastsFailures: false, rules: .sound)
  let source = Array(timeline)
  func failure(_ reason: CaptureFailure.Reason) -> CaptureFailure {
    CaptureFailure(reason, SafelightError(.device, "It is \(reason)"))
  }
  var heard = ""
  var hasSound = false
  var lastSlot = 0
  var now: Int64 = 0
  func time(_ ms: Int64) -> Timestamp { Timestamp(nanoseconds: ms * 1_000_000) }
  func slot() -> Character? { now / 100 < source.count ? source[Int(now / 100)] : nil }
  while let present = slot() {
    switch machine.step(at: time(now)) {
    case .open:
      switch present {
      case "+", "o", "e": machine.handle(.opened(frameInterval: AudioLoop.interval), at: time(now))
      case "b": machine.handle(.openingFailed(failure(.busy)), at: time(now))
      case "x": machine.handle(.openingFailed(failure(.unsupported)), at: time(now))
      default: machine.handle(.openingFailed(failure(.disconnected)), at: time(now))
      }
      now += poll
    case .read(let deadline):
      switch present {
      case "+":
        machine.handle(.frame, at: time(now))
        hasSound = true
        now += 10
      case "o":
        now = min(deadline.nanoseconds / 1_000_000, (now / 100 + 1) * 100)
        if now == deadline.nanoseconds / 1_000_000 {
          machine.handle(.idle(consumersHoldFrames: false), at: time(now))
        }
      case "e": machine.handle(.failed(failure(.inputOutput)), at: time(now))
      default: machine.handle(.failed(failure(.disconnected)), at: time(now))
      }
    case .awaitReturn(_, let deadline):
      if present == "-" || present == "b" {
        now = min(deadline.nanoseconds / 1_000_000, (now / 100 + 1) * 100)
      } else {
        machine.handle(.mayReturn, at: time(now))
        now += poll
      }
    case .pause(let deadline):
      now = max(now + 1, min(deadline.nanoseconds / 1_000_000, (now / 100 + 1) * 100))
    case .end: now = Int64(source.count) * 100
    }
    let reached = min(Int(now / 100), source.count)
    if reached > lastSlot {
      let letter = hasSound ? "s" : machine.state.failure.map { _ in "i" } ?? "-"
      heard += letter
      heard += String(repeating: letter == "s" ? "-" : letter, count: reached - lastSlot - 1)
      hasSound = false
      lastSlot = reached
    }
  }
  return heard
}

@Suite struct SoundStateMachineTests {
  @Test(
    "What is heard of a microphone that is pulled out, busy, faulty, silent, or comes back otherwise",
    arguments: [
      ("+++++-----+++++", "sssssiiiiisssss"),
      // Busy after its return, as while another program looks at it.
      ("+++--bb++++++", "sssiiiisssss" + "s"),
      // Silent: after half a second it is stalled, and opened again.
      ("+++oooooooo+++", "sss" + "-----iii" + "sss"),
      // Another format is refused, and the former one is waited for.
      ("+++--xxxxx+++++++++", "sss" + "iiiiiii" + "iiissssss"),
    ])
  func timelines(source: String, expected: String) {
    let found = heard(source)
    #expect(found.count == source.count)
    // A return may take some tenths of a second; the shape is the same.
    #expect(shape(found) == shape(expected), "\(found)")
  }

  private func shape(_ timeline: String) -> String {
    timeline.map { $0 == "s" ? "s" : "-" }.reduce(into: "") { if $0.last.map(String.init) != $1 { $0 += $1 } }
  }

  @Test(
    "Sound is heard within a second of the microphone's return, whatever happened before", arguments: 0..<200)
  func withinASecond(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var source = "+++"
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let letter = ["-", "b", "e", "x", "o", "+"].randomElement(using: &random) ?? "-"
      source += String(repeating: letter, count: Int.random(in: 1...15, using: &random))
    }
    let before = source.count
    source += String(repeating: "+", count: 20)
    let found = heard(source, poll: Int64.random(in: 1...60, using: &random))
    let back = Array(found)[before...].firstIndex(of: "s") ?? found.count
    #expect(back - before < 10, "\(source)\n\(found)")
    #expect(Array(found)[back...].allSatisfy { $0 == "s" })
  }

  @Test("A sound of another format is waited for, one that never was is refused at once")
  func unsupported() {
    let refusal = CaptureFailure(.unsupported, SafelightError(.unsupported, "It has 3 channels"))
    let start = Timestamp(nanoseconds: 0)
    var machine = CaptureStateMachine(sourceName: "a microphone", outlastsFailures: false, rules: .sound)
    machine.handle(.openingFailed(refusal), at: start)
    #expect(machine.state == .failed(refusal))
    machine = CaptureStateMachine(sourceName: "a microphone", outlastsFailures: false, rules: .sound)
    machine.handle(.opened(frameInterval: AudioLoop.interval), at: start)
    machine.handle(.frame, at: start)
    machine.handle(.openingFailed(refusal), at: start)
    #expect(machine.state == .interrupted(refusal))
    #expect(machine.step(at: start) == .pause(until: start.advanced(bySeconds: 0.25)))
  }

  @Test("A microphone that gives nothing for half a second is stalled, and told so")
  func stall() {
    var machine = CaptureStateMachine(sourceName: "a microphone", outlastsFailures: false, rules: .sound)
    func time(_ ms: Int64) -> Timestamp { Timestamp(nanoseconds: ms * 1_000_000) }
    machine.handle(.opened(frameInterval: AudioLoop.interval), at: time(0))
    machine.handle(.frame, at: time(100))
    machine.handle(.idle(consumersHoldFrames: false), at: time(599))
    #expect(machine.state == .running)
    machine.handle(.idle(consumersHoldFrames: false), at: time(600))
    #expect(
      machine.state.failure?.description
        == "No sound came from a microphone for 500 ms; it is opened again; if it stalls often, try another "
        + "cable or port.")
  }
}
