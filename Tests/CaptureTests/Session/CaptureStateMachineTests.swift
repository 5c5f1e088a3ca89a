import FrameCore
import Testing

@testable import Capture

/// A machine with a clock that is set by hand, in milliseconds.
private struct Bench {
  var machine = CaptureStateMachine(sourceName: "a camera", outlastsFailures: false)
  var now: Int64 = 10_000

  var time: Timestamp { Timestamp(nanoseconds: now * 1_000_000) }
  mutating func step() -> CaptureStateMachine.Step { machine.step(at: time) }
  mutating func happen(_ event: CaptureStateMachine.Event, after milliseconds: Int64 = 0) {
    now += milliseconds
    machine.handle(event, at: time)
  }
  func ms(_ later: Int64) -> Timestamp { Timestamp(nanoseconds: (now + later) * 1_000_000) }

  /// Open at 30 frames a second, with one frame.
  static func running() -> Bench {
    var bench = Bench()
    bench.happen(.opened(frameInterval: 33_000_000))
    bench.happen(.frame, after: 100)
    return bench
  }
}

private func failure(_ reason: CaptureFailure.Reason) -> CaptureFailure {
  CaptureFailure(reason, SafelightError(.device, "It is \(reason)"))
}

@Suite struct CaptureStateMachineTests {
  @Test("It opens, starts, and runs with the first frame")
  func start() {
    var bench = Bench()
    #expect(bench.step() == .open)
    #expect(bench.machine.state == .starting)
    bench.happen(.opened(frameInterval: 33_000_000))
    #expect(bench.machine.state == .starting)
    #expect(bench.step() == .read(until: bench.ms(250)))
    bench.happen(.frame, after: 300)
    #expect(bench.machine.state == .running)
    #expect(bench.step() == .read(until: bench.ms(165)), "five intervals of 33 ms")
  }

  @Test("A source that cannot be opened at first fails at once")
  func openingFails() {
    var bench = Bench()
    _ = bench.step()
    bench.happen(.openingFailed(failure(.busy)))
    #expect(bench.machine.state == .failed(failure(.busy)))
    #expect(bench.step() == .end)
  }

  @Test("A source that must be kept is waited for when it cannot be opened")
  func openingFailsAndIsOutlasted() {
    var machine = CaptureStateMachine(sourceName: "a camera", outlastsFailures: true)
    machine.handle(.openingFailed(failure(.busy)), at: Timestamp(nanoseconds: 0))
    #expect(machine.state == .interrupted(failure(.busy)))
  }

  @Test("Unplugged and plugged in again: interrupted, reopened, running with the next frame")
  func replug() {
    var bench = Bench.running()
    bench.happen(.failed(failure(.disconnected)), after: 20)
    #expect(bench.machine.state == .interrupted(failure(.disconnected)))
    #expect(bench.step() == .awaitReturn(after: failure(.disconnected), until: bench.ms(250)))
    bench.now += 250
    #expect(bench.step() == .awaitReturn(after: failure(.disconnected), until: bench.ms(250)))
    bench.happen(.mayReturn, after: 100)
    #expect(bench.step() == .open)
    bench.happen(.opened(frameInterval: 33_000_000))
    #expect(bench.machine.state == .interrupted(failure(.disconnected)))
    bench.happen(.frame, after: 50)
    #expect(bench.machine.state == .running)
    #expect(bench.machine.interruptions == 1)
  }

  @Test("While a source is away the reason changes with what opening it says; it is one interruption")
  func reasonChanges() {
    var bench = Bench.running()
    bench.happen(.failed(failure(.inputOutput)))
    bench.happen(.mayReturn)
    _ = bench.step()
    bench.happen(.openingFailed(failure(.busy)))
    #expect(bench.machine.state == .interrupted(failure(.busy)))
    #expect(bench.machine.interruptions == 1)
  }

  @Test("A source that never comes back has failed for the reason it left")
  func neverReturns() {
    var bench = Bench.running()
    bench.happen(.failed(failure(.inputOutput)))
    bench.happen(.neverReturns)
    #expect(bench.machine.state == .failed(failure(.inputOutput)))
    #expect(bench.step() == .end)
  }

  @Test(
    "A stream that cannot go on has failed at once, and nobody is told to wait for it",
    arguments: [CaptureFailure.Reason.truncated, .unsupported])
  func lastingFailure(reason: CaptureFailure.Reason) {
    var bench = Bench.running()
    bench.happen(.failed(failure(reason)))
    #expect(bench.machine.state == .failed(failure(reason)))
    #expect(bench.machine.interruptions == 0)
    #expect(bench.step() == .end)
  }

  @Test("A source that fails at once each time is tried after 0, 100, 200, 400 ms and so on, up to 2 s")
  func pauses() {
    var bench = Bench.running()
    var found: [Int64] = []
    for _ in 0..<8 {
      bench.happen(.failed(failure(.inputOutput)))
      bench.happen(.mayReturn)
      let start = bench.now
      while case .pause(let end) = bench.step() { bench.now = end.nanoseconds / 1_000_000 }
      found.append(bench.now - start)
      bench.happen(.opened(frameInterval: nil))
      bench.happen(.frame)
    }
    #expect(found == [0, 100, 200, 400, 800, 1600, 2000, 2000])
    bench.happen(.frame, after: 1000)
    bench.happen(.failed(failure(.inputOutput)))
    bench.happen(.mayReturn)
    #expect(bench.step() == .open, "a stream of a second ended the row")
  }

  @Test("No frame for five intervals is a stall, and not a moment before")
  func stall() {
    var bench = Bench.running()
    bench.happen(.idle(consumersHoldFrames: false), after: 164)
    #expect(bench.machine.state == .running)
    bench.happen(.idle(consumersHoldFrames: false), after: 1)
    #expect(bench.machine.state.reason == .stalled)
    #expect(
      bench.machine.state.failure?.description
        == "No frame came from a camera for 165 ms; it is opened again; if it stalls often, try another "
        + "cable or port, or a lower size or rate.")
  }

  @Test("A camera that stretches its intervals in the dark is not stalled")
  func stretchedIntervals() {
    var bench = Bench.running()
    for interval: Int64 in [33, 60, 130, 200, 400, 400] {
      // As a camera's read does: idle at the deadline, then the frame.
      bench.happen(.idle(consumersHoldFrames: false), after: interval - 1)
      bench.happen(.frame, after: 1)
      #expect(bench.machine.state == .running, "after \(interval) ms")
    }
  }

  @Test(
    "A source is not stalled for five seconds while consumers hold frames, while it reports losses, or where it has no rate"
  )
  func noStall() {
    var bench = Bench.running()
    for _ in 0..<49 { bench.happen(.idle(consumersHoldFrames: true), after: 100) }
    #expect(bench.step() == .read(until: bench.ms(250)), "it does not spin meanwhile")
    for _ in 0..<90 { bench.happen(.lost, after: 100) }
    #expect(bench.machine.state == .running)
    for _ in 0..<50 { bench.happen(.idle(consumersHoldFrames: true), after: 100) }
    #expect(bench.machine.state.reason == .stalled, "nothing for five seconds, whoever holds what")
    bench = Bench()
    bench.happen(.opened(frameInterval: nil))
    bench.happen(.frame)
    bench.happen(.idle(consumersHoldFrames: false), after: 60_000)
    #expect(bench.machine.state == .running)
  }

  @Test("The first frame may take two seconds; then the source is stalled while starting")
  func firstFrameGrace() {
    var bench = Bench()
    bench.happen(.opened(frameInterval: 33_000_000))
    bench.happen(.idle(consumersHoldFrames: false), after: 1999)
    #expect(bench.machine.state == .starting)
    bench.happen(.idle(consumersHoldFrames: false), after: 1)
    #expect(bench.machine.state.reason == .stalled)
  }

  @Test("Each stall doubles the patience with the source, so that a slow one is not reopened for ever")
  func patience() {
    var bench = Bench.running()
    bench.happen(.idle(consumersHoldFrames: false), after: 165)
    bench.happen(.mayReturn)
    _ = bench.step()
    bench.happen(.opened(frameInterval: 33_000_000))
    bench.happen(.frame)
    bench.happen(.idle(consumersHoldFrames: false), after: 329)
    #expect(bench.machine.state == .running)
    bench.happen(.idle(consumersHoldFrames: false), after: 1)
    #expect(bench.machine.state.reason == .stalled)
  }

  @Test("After a sleep the stream is given time, and goes on or fails")
  func sleep() {
    var bench = Bench.running()
    bench.happen(.slept(seconds: 3600))
    #expect(bench.machine.state.reason == .suspended)
    #expect(bench.step() == .read(until: bench.ms(250)))
    bench.happen(.idle(consumersHoldFrames: false), after: 1000)
    #expect(bench.machine.state.reason == .suspended)
    bench.happen(.frame)
    #expect(bench.machine.state == .running)
    #expect(bench.machine.interruptions == 1)
  }

  @Test("The end of the source is the end, whatever comes after")
  func finished() {
    var bench = Bench.running()
    bench.happen(.finished)
    bench.happen(.frame)
    #expect(bench.machine.state == .stopped)
    #expect(bench.step() == .end)
  }

  @Test("A sleep is what the boot clock is ahead of the monotonic one, told once")
  func sleepDetector() {
    func seconds(_ value: Double) -> Timestamp { Timestamp(nanoseconds: Int64(value * 1e9)) }
    var detector = SleepDetector(bootTime: seconds(500), monotonic: seconds(100))
    #expect(detector.sleep(bootTime: seconds(510), monotonic: seconds(110)) == nil)
    #expect(detector.sleep(bootTime: seconds(511.4), monotonic: seconds(111)) == nil)
    #expect(detector.sleep(bootTime: seconds(542), monotonic: seconds(112)) == 30)
    #expect(detector.sleep(bootTime: seconds(543), monotonic: seconds(113)) == nil)
  }
}
