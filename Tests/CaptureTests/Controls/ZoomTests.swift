import FrameCore
import Libc
import Testing

@testable import Capture

@Suite("Zoom")
struct ZoomTests {
  private func control(_ range: ClosedRange<Int64>, step: Int64 = 1) -> DeviceControl {
    SimulatedCamera.integer(ControlID.zoom, "Zoom", range, step: step, value: range.lowerBound)
  }

  @Test("A focal length gives factors; a range from 0, or longer than any lens, does not")
  func factors() {
    #expect(ZoomScale(control(100...500)).largestFactor == 5)
    #expect(ZoomScale(control(1...10)).largestFactor == 10)
    for range in [0...100, -5...5, 1...16384, 100...100] as [ClosedRange<Int64>] {
      #expect(ZoomScale(control(range)).largestFactor == nil)
      #expect(ZoomScale(control(range)).factor(of: range.upperBound) == nil)
    }
    let scale = ZoomScale(control(100...500, step: 20))
    #expect(scale.factor(of: 240) == 2.4)
    #expect(scale.value(factor: 2.45) == 240)
    #expect(scale.value(factor: 0.5) == 50, "what is out of range stays there")
  }

  @Test("Positions run from end to end, equal ones multiply the magnification equally, and values come back")
  func positions() {
    let scale = ZoomScale(control(100...1600))
    // 16× in four steps of 2×.
    #expect([0, 0.25, 0.5, 0.75, 1].map { scale.value(position: $0) } == [100, 200, 400, 800, 1600])
    for range in [100...500, 0...100, 1...10, -7...90, 3...3, 100...1600] as [ClosedRange<Int64>] {
      for step in [1, 7] as [Int64] {
        let scale = ZoomScale(control(range, step: step))
        #expect(scale.position(of: range.lowerBound) == 0)
        for value in stride(from: range.lowerBound, through: range.upperBound, by: Int(step)) {
          let position = scale.position(of: value)
          #expect((0...1).contains(position))
          #expect(scale.value(position: position) == value, "\(range) by \(step)")
        }
      }
    }
  }

  /// Draws a ramp as what it does at each tenth of a second: `-` waits, `|` is finished. `x` in `events`
  /// cancels, `!` refuses what is set there.
  private func timeline(
    _ range: ClosedRange<Int64>, from: Int64, to: Int64, seconds: Double, _ events: String
  ) -> [String] {
    let start = Timestamp(nanoseconds: 5_000_000_000)
    var ramp = ZoomRamp(ZoomScale(control(range)), from: from, to: to, seconds: seconds, at: start)
    var present = from
    return events.enumerated().map { column, event in
      let time = start.advanced(bySeconds: Double(column) / 10)
      if event == "x" { ramp.cancel() }
      switch ramp.next(at: time) {
      case .set(let value):
        if event == "!" {
          ramp.refused(keeping: present, at: time)
          return "!\(value)"
        }
        present = value
        return "\(value)"
      case .wait: return "-"
      case .finished: return "|"
      }
    }
  }

  @Test("A ramp multiplies by the same in the same time, and ends exactly")
  func ramps() {
    #expect(
      timeline(100...1600, from: 100, to: 1600, seconds: 0.4, "------") == [
        "-", "200", "400", "800", "1600", "|",
      ])
    #expect(
      timeline(100...1600, from: 800, to: 200, seconds: 0.4, "------") == [
        "-", "566", "400", "283", "200", "|",
      ])
    #expect(timeline(0...100, from: 0, to: 8, seconds: 0.4, "------") == ["-", "2", "4", "6", "8", "|"])
    // Fewer values than columns.
    #expect(timeline(0...100, from: 0, to: 1, seconds: 0.4, "------") == ["-", "-", "1", "-", "|", "|"])
  }

  @Test("Without a duration, or without a way to go, there is nothing in between")
  func immediate() {
    #expect(timeline(100...500, from: 100, to: 300, seconds: 0, "---") == ["300", "|", "|"])
    #expect(timeline(100...500, from: 300, to: 300, seconds: 0.2, "----") == ["-", "-", "|", "|"])
    #expect(timeline(100...500, from: 100, to: 300, seconds: -1, "--") == ["300", "|"])
  }

  @Test("A cancelled ramp stays where it is; a refused step is made up for by the next one, the last one too")
  func interruptions() {
    #expect(
      timeline(100...1600, from: 100, to: 1600, seconds: 0.4, "--x---") == ["-", "200", "|", "|", "|", "|"])
    #expect(
      timeline(100...1600, from: 100, to: 1600, seconds: 0.4, "-!-!!--")
        == ["-", "!200", "400", "!800", "!1600", "1600", "|"])
  }

  @Test("Times: a step waits for the next interval, a refusal too, and the last wait ends at the end")
  func waits() {
    let start = Timestamp(nanoseconds: 0)
    func at(_ milliseconds: Int64) -> Timestamp { Timestamp(nanoseconds: milliseconds * 1_000_000) }
    var ramp = ZoomRamp(ZoomScale(control(0...100)), from: 0, to: 100, seconds: 0.05, at: start)
    #expect(ramp.next(at: at(0)) == .wait(until: at(20)))
    #expect(ramp.next(at: at(20)) == .set(40))
    #expect(ramp.next(at: at(20)) == .wait(until: at(40)))
    #expect(ramp.next(at: at(40)) == .set(80))
    ramp.refused(keeping: 40, at: at(41))
    #expect(ramp.next(at: at(41)) == .wait(until: at(61)))
    #expect(ramp.next(at: at(61)) == .set(100))
    #expect(ramp.next(at: at(61)) == .finished)
    ramp = ZoomRamp(ZoomScale(control(0...100)), from: 0, to: 100, seconds: 0.05, at: start)
    _ = ramp.next(at: at(45))
    #expect(ramp.next(at: at(45)) == .wait(until: at(50)))
  }
}
