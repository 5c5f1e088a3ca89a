import FrameCore
import Libc
import TestSupport
import Testing

@testable import SpatialAudio

@Suite("Calibration of capsules")
struct CapsuleCalibrationTests {
  @Test func gainsAreTakenOut() throws {
    let gains = [0.8, -1.1, 0.3, 1.5]
    let simulated = SimulatedArray(responses: gains.map { [Float(pow(10, $0 / 20))] })
    let unaware = try MeasuredConverter(.typeI, sampleRate: 48_000)
    let calibrated = try MeasuredConverter(
      TetrahedralArray(calibration: .gains(gains)), sampleRate: 48_000)
    #expect(unaware.directionErrors(simulated, 1000).worst > 3)
    #expect(calibrated.directionErrors(simulated, 1000).worst <= 1)
  }

  @Test func measuredResponsesAreTakenOut() throws {
    // Unlike in level, in the treble and by a sample or two, behind a common delay.
    let silence = [Float](repeating: 0, count: 20)
    let responses: [[Float]] = [
      silence + [1, 0.2, -0.1, 0.05], silence + [0.8, 0.3, 0.1], silence + [0, 1.1, -0.2],
      silence + [0.9, -0.15, 0, 0.1],
    ]
    let simulated = SimulatedArray(responses: responses)
    let unaware = try MeasuredConverter(.typeI, sampleRate: 48_000)
    let calibrated = try MeasuredConverter(
      TetrahedralArray(calibration: .responses(responses, sampleRate: 48_000)), sampleRate: 48_000)
    for (frequency, bound) in [(250.0, 1.0), (1000, 1), (4000, 7)] {
      #expect(unaware.directionErrors(simulated, frequency).worst > bound)
      let errors = calibrated.directionErrors(simulated, frequency)
      #expect(errors.worst <= bound, "\(frequency) Hz: \(errors)")
    }
    let w = calibrated.convert(simulated.heard(1000, from: [1, 0, 0], sampleRate: 48_000), 1000)[0]
    #expect(abs(decibels(w.magnitude)) < 0.2)
  }

  @Test func aNotchIsNotFilledWithoutBound() throws {
    // 1, 0, 1 has a zero at a quarter of the rate.
    let filters = try #require(
      try CapsuleCalibration.responses([[1, 0, 1], [1], [1], [1]], sampleRate: 48_000)
        .filters(sampleRate: 48_000, taps: 131))
    let middle = SimulatedArray.transform(filters[0], 12_000, 48_000).magnitude
    #expect(middle < 10 && filters.allSatisfy { $0.allSatisfy(\.isFinite) })
  }

  @Test func responsesOfAnotherRateAreRefused() throws {
    let array = try TetrahedralArray(
      calibration: .responses([[1], [1], [1], [1]], sampleRate: 44_100))
    #expect(throws: SafelightError.self) { try CapsuleConverter(array, sampleRate: 48_000) }
    #expect(
      message { _ = try CapsuleConverter(array, sampleRate: 48_000) }?.contains("record at 44100 Hz") == true)
  }

  @Test func whatIsNoCalibrationIsRefused() {
    let wrong: [CapsuleCalibration] = [
      .gains([]), .gains([0, 0, 0]), .gains([0, 0, 0, .nan]), .gains([0, 0, 0, 25]),
      .responses([], sampleRate: 48_000),
      .responses([[1], [1], [1], []], sampleRate: 48_000),
      .responses([[1], [1], [1], [0]], sampleRate: 48_000),
      .responses([[1], [1], [1], [.nan]], sampleRate: 48_000),
      .responses([[1], [1], [1], [1]], sampleRate: 0),
      .responses([[1], [1], [1], [Float](repeating: 1, count: 9000)], sampleRate: 48_000),
    ]
    for calibration in wrong {
      #expect(throws: SafelightError.self) { try TetrahedralArray(calibration: calibration) }
    }
  }
}
