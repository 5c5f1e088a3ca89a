import FrameCore
import TestSupport
import Testing

@testable import Capture

@Suite("Levels of pressure over time")
struct PressureHysteresisTests {
  /// Trip points as of a laptop: passive 95 °C, hot 105 °C, critical 115 °C.
  static let gauge = thermal(passive: 95, hot: 105, critical: 115)

  static func thermal(passive: Double?, hot: Double?, critical: Double?) -> PressureGauge {
    PressureGauge(
      id: "zone", reason: .thermal, subject: "The zone is at", unit: .celsius,
      limits: ThermalZones.limits(passive: passive, hot: hot, critical: critical), noise: 2)
  }

  /// The levels after readings every two seconds.
  static func levels(_ values: [Double?], _ gauge: PressureGauge) -> [SystemPressure.Level] {
    var hysteresis = PressureHysteresis()
    return values.enumerated().map { index, value in
      _ = hysteresis.read(value, of: gauge, at: Timestamp(nanoseconds: Int64(index) * 2_000_000_000))
      return hysteresis.level
    }
  }

  private func drawn(_ values: [Double?], _ gauge: PressureGauge = gauge) -> String {
    String(Self.levels(values, gauge).map(\.letter))
  }

  @Test("Trip points become limits: passive − 5 fair, passive serious, hot critical, critical − 3 shutdown")
  func limits() {
    let limits = Self.gauge.limits
    #expect(limits.map(\.level) == [.fair, .serious, .critical, .shutdown])
    #expect(limits.map(\.rise) == [90, 95, 105, 112])
    #expect(limits.map(\.release) == [87, 92, 102, 109])
    // Where trip points are closer than the margins, the worse level wins.
    let narrow = ThermalZones.limits(passive: 95, hot: nil, critical: 97)
    #expect(narrow.map(\.level) == [.fair, .shutdown] && narrow.map(\.rise) == [90, 94])
  }

  @Test("A level begins with the second reading that reaches it, and one hot reading is nothing")
  func twoReadings() {
    #expect(drawn([80, 91, 80, 91, 91]) == "----f")
    // The lower of two readings decides.
    #expect(drawn([80, 100, 91, 91]) == "--ff")
    #expect(drawn([80, 120, 120]) == "--X")
    // Two readings in a row: one that is missing is not one.
    #expect(drawn([91, nil, 91, 91]) == "---f")
  }

  @Test("A level ends, one at a time, after ten seconds three degrees below where it began")
  func falling() {
    //                   0  2  4  6  8  10 12 14 16 18 20 22 24 26 28 30 32 34 36 38 s
    #expect(drawn([98, 98] + Array(repeating: 80, count: 13)) == "-ssssssfffff---")
    // 92 is not below 95 − 3.
    #expect(drawn([98, 98] + Array(repeating: 92, count: 12)) == "-sssssssssssss")
    // A reading at the release begins the ten seconds anew.
    #expect(drawn([98, 98, 91, 91, 91, 92, 91, 91, 91, 91, 91, 91]) == "-ssssssssssf")
  }

  @Test("Levels without a trip point of their own are passed on the way down")
  func passing() {
    let gauge = Self.thermal(passive: 95, hot: nil, critical: 115)
    let fall = Array(repeating: 50.0, count: 25)
    #expect(drawn([113, 113] + fall, gauge) == "-XXXXXXcccccsssssfffff-----")
  }

  @Test("A quick rise is followed at once, a slow one through ten seconds each")
  func rising() {
    // 6 °C a second.
    #expect(drawn([60, 72, 84, 96, 108, 120, 120]) == "----scX")
    // 0.5 °C a second: at 97.5 °C the zone is beyond the noise of `serious`, ten seconds after `fair`.
    #expect(drawn((0..<16).map { 88.5 + Double($0) }) == "---fffffssssssss")
  }

  @Test(
    "Noise of ±2 °C around any threshold changes the level at most once in ten seconds",
    arguments: [87.0, 90, 92, 95, 102, 105, 109, 112], 1...10)
  func noise(center: Double, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    // A machine that warms up slowly comes from the level below, one that has just been started from nominal.
    // That one goes through `critical` to `shutdown` without a delay, which the next test holds.
    let slow = Array(repeating: center - 4, count: 10)
    for warmUp in center == 112 ? [slow] : [[], slow] {
      let values = warmUp + (0..<2000).map { _ in center + Double.random(in: -2...2, using: &random) }
      let levels = Self.levels(values, Self.gauge)
      let changes = levels.indices.dropFirst().filter { levels[$0] != levels[$0 - 1] }
      for (first, second) in zip(changes, changes.dropFirst()) {
        #expect(second - first >= 5, "readings \(first) and \(second)")
      }
      // Around one limit there is nothing to come back from but what the limits below began.
      #expect(changes.count <= 4, "\(changes)")
    }
  }

  @Test("Shutdown waits for no noise to settle")
  func shutdown() {
    #expect(drawn([111, 111, 113, 113]) == "-ccX")
    // The other levels do.
    #expect(drawn([94, 94, 96, 96, 96, 96, 96]) == "-fffffs")
  }

  @Test(
    "Any drawn temperatures: no rise without cause or too late, no fall too early or too late",
    arguments: 1...40)
  func anyTemperatures(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let gauge = PressureGauge(
      id: "zone", reason: .thermal, subject: "", unit: .celsius, limits: Self.gauge.limits)
    var temperature = 80.0
    let values = (0..<4000).map { _ -> Double in
      temperature += Double.random(in: -6...6, using: &random) + (92 - temperature) / 60
      return temperature
    }
    let levels = Self.levels(values, gauge)
    var (lastChange, falls) = (0, 0)
    for index in values.indices.dropFirst() {
      let (before, after) = (levels[index - 1], levels[index])
      let both = min(gauge.level(of: values[index]), gauge.level(of: values[index - 1]))
      #expect(after >= both, "reading \(index) came too late")
      if after > before { #expect(after == both, "reading \(index)") }
      // Ten seconds are six readings, all since the last change.
      let isCalm =
        index - lastChange >= 5
        && values[(index - 5)...index].allSatisfy { $0 < gauge.release(of: before) }
      if after < before {
        falls += 1
        #expect(isCalm && after == before.lower, "reading \(index)")
      } else if before > .nominal, after == before {
        #expect(!isCalm, "reading \(index) should have ended \(before)")
      }
      if after != before { lastChange = index }
    }
    #expect(falls > 10)
  }
}
