import Foundation
import Safelight

/// From the press to the capture event, and which frame is taken.
enum Presses {
  private static let count = 1000
  private static let rate = 30.0

  static func measure() async throws {
    let output = PhotoOutput<Double> { captured, _ in captured.offset }
    let session = try await Evaluation.running(
      output, PacedInput(size: PixelSize(width: 1920, height: 1080), rate: rate))
    var latencies: [Double] = []
    var captures: [PhotoCapture<Double>] = []
    for _ in 0..<count {
      // Presses at random moments of the interval between frames.
      try await Task.sleep(for: .microseconds(Int.random(in: 5000...45_000)))
      let press = Timestamp.now
      let event = Moment()
      captures.append(
        try output.capture(PhotoSettings(qualityPrioritization: .speed), pressedAt: press) {
          if case .willCapture = $0 { event.time = .now }
        })
      latencies.append(event.time.seconds(since: press))
    }
    var within = 0
    for capture in captures where abs(try await capture.photo()) <= 0.5 / rate { within += 1 }
    await session.stop()
    latencies.sort()
    Evaluation.row(
      "press to capture event, 99th percentile", latencies[count * 99 / 100 - 1] * 1000, "ms", atMost: 5)
    Evaluation.row(
      "frame within half an interval of the press", Double(within), "of \(count)", atLeast: Double(count))
  }

  /// Written before `capture` returns, on its thread.
  private final class Moment: @unchecked Sendable { var time = Timestamp.now }
}
