import AudioProcessingTestSupport
import FrameCore
import TestSupport
import Testing

@testable import AudioProcessing

/// Recordings with any drift, buffers of any size, overruns and unpluggings, drawn from fixed seeds.
@Suite("Synchronised sound in all that can happen")
struct SynchronizerEventsTests {
  private static let start = Timestamp(nanoseconds: 9_000_000_000_000)

  /// A sawtooth of 1 s: each sample tells the moment of its capture.
  private static func tooth(_ moment: Double) -> Float {
    Float(0.25 + 0.5 * (moment - moment.rounded(.down)))
  }

  private struct Recording {
    var samples: [Float] = []
    var buffers: [(first: Int, time: Timestamp)] = []
    var isContinuous = true
  }

  @Test("the stream is continuous, exactly as long as it was recorded, and in step", arguments: 1...30)
  func drawn(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let rate = [8000, 44_100, 48_000].randomElement(using: &random) ?? 48_000
    let outputRate = Bool.random(using: &random) ? rate : 48_000
    var microphone = DriftingMicrophone(
      rate: rate, driftPPM: .random(in: -500...500, using: &random), start: Self.start, seed: UInt64(seed),
      sound: Self.tooth)
    microphone.jitter = [0, 1e-4, 2e-3].randomElement(using: &random) ?? 0
    (microphone.spikeProbability, microphone.spike) = (0.01, microphone.jitter * 4)
    let synchronizer = try AudioSynchronizer(.init(format: microphone.format, outputRate: outputRate))
    let begin = Double.random(in: -0.5...1, using: &random)
    try synchronizer.start(at: Self.start.advanced(bySeconds: begin))
    var recording = Recording()
    func take(_ buffer: AudioBuffer) {
      if buffer.position != Int64(recording.samples.count) { recording.isContinuous = false }
      recording.buffers.append((recording.samples.count, buffer.time))
      recording.samples += buffer.samples
    }
    while microphone.moment(of: microphone.position) < 12 {
      microphone.period = Int.random(in: rate / 400...rate / 20, using: &random)
      let now = microphone.moment(of: microphone.position)
      switch Int.random(in: 0..<200, using: &random) {
      case 0:
        // Lost: told as silence, or only by the position.
        let lost = Int.random(in: 1...rate / 5, using: &random)
        if Bool.random(using: &random) {
          try synchronizer.process(silence(lost, microphone, .overrun, now), take)
        }
        microphone.position += Int64(lost)
      case 1:
        for _ in 0..<Int.random(in: 5...80, using: &random) {
          let moment = microphone.moment(of: microphone.position)
          try synchronizer.process(silence(rate / 100, microphone, .disconnected, moment), take)
          microphone.position += Int64(rate / 100)
        }
      default: try synchronizer.process(microphone.next(), take)
      }
    }
    let end = try synchronizer.finish(at: Self.start.advanced(bySeconds: 12.05), take)
    let recorded = end.seconds(since: Self.start) - begin
    #expect(recording.isContinuous)
    #expect(abs(Double(recording.samples.count) - recorded * Double(outputRate)) < 1)
    #expect(synchronizer.statistics.samples.captured > 0)

    var (checked, worst) = (0, 0.0)
    for (index, time) in recording.buffers {
      let moment = time.seconds(since: Self.start)
      let part = moment - moment.rounded(.down)
      // Where the sawtooth falls and at edges of silence the filter rings.
      let neighbours = recording.samples[max(0, index - 150)..<min(recording.samples.count, index + 150)]
      guard part > 0.04, part < 0.96, neighbours.allSatisfy({ $0 > 0.24 && $0 < 0.76 }) else { continue }
      checked += 1
      worst = max(worst, abs(Double((recording.samples[index] - 0.25) * 2) - part))
    }
    #expect(checked > 100 && worst < 5e-3, "\(worst * 1e3) ms in \(checked), \(synchronizer.statistics)")
  }

  private func silence(
    _ count: Int, _ microphone: DriftingMicrophone, _ reason: SilenceReason, _ moment: Double
  ) -> AudioBuffer {
    AudioBuffer(
      format: microphone.format, samples: [Float](repeating: 0, count: count),
      time: Self.start.advanced(bySeconds: moment), position: microphone.position, silence: reason)
  }
}
