import AudioProcessing
import AudioProcessingTestSupport
import FrameCore
import TestSupport
import Testing

@testable import Recording

/// The synchronizer brings sound into step, and the timeline cuts it: here both are asked together.
@Suite("Pauses in the sound of a drifting microphone")
struct SynchronizedPausesTests {
  private static let rate = 48_000
  private static let start = Timestamp(nanoseconds: 5_000_000_000)

  /// What one part of the recorded sound shows.
  private struct Kept {
    /// How late it comes in the recording, in seconds.
    var lateness: Double
    var end: Int64
  }

  @Test(
    "Ten pauses at any moments leave out exactly what lies between them", arguments: [-100.0, 100], [1, 11])
  func tenPauses(drift: Double, seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    // A sawtooth: each sample tells the moment of its capture, as a part of its second.
    var microphone = DriftingMicrophone(rate: Self.rate, driftPPM: drift, start: Self.start) {
      Float($0 - $0.rounded(.down))
    }
    var timeline = RecordingTimeline()
    var (moment, recorded) = (0.5, 0.0)
    let epoch = Self.start.advanced(bySeconds: moment)
    for _ in 0..<10 {
      let length = Double.random(in: 0.05...1.5, using: &random)
      (moment, recorded) = (moment + length, recorded + length)
      timeline.pause(at: Self.start.advanced(bySeconds: moment))
      moment += .random(in: 0.05...1.5, using: &random)
      timeline.resume(at: Self.start.advanced(bySeconds: moment))
    }
    let synchronizer = try AudioSynchronizer(.init(format: microphone.format))
    try synchronizer.start(at: epoch)
    var kept: [Kept] = []
    while microphone.moment(of: microphone.position) < moment + 1 {
      var position = synchronizer.sampleCount
      try synchronizer.process(microphone.next()) { piece in
        kept += Self.kept(piece, at: position, in: timeline, epoch)
        position += Int64(piece.frameCount)
      }
    }
    let worst = kept.map { abs($0.lateness) }.max() ?? 1
    // The synchronizer is off by a sample and a quarter, and each cut is at the nearest sample.
    #expect(kept.count > 300 && worst < 3 / Double(Self.rate), "\(worst * 1e3) ms")
    // What was recorded before the last pause ended, and what came after it.
    let after = Double(synchronizer.sampleCount) / Double(Self.rate) - (moment - 0.5)
    let length = Double(kept.last?.end ?? 0) / Double(Self.rate)
    #expect(abs(length - recorded - after) < 2 / Double(Self.rate))
  }

  /// Compares where the parts of a piece that are kept lie in the recording with the recorded time of the
  /// moments that they tell.
  private static func kept(
    _ piece: AudioBuffer, at position: Int64, in timeline: RecordingTimeline, _ epoch: Timestamp
  ) -> [Kept] {
    let parts = timeline.keptSamples(from: position, count: piece.frameCount, rate: rate, epoch: epoch)
    return parts.compactMap { part in
      let moment = epoch.advanced(bySeconds: Double(position + Int64(part.offset)) / Double(rate))
      let seconds = moment.seconds(since: start)
      let second = seconds - seconds.rounded(.down)
      // Where the tooth falls the filter rings.
      guard second > 2e-3, second < 1 - 2e-3 else { return nil }
      let told = moment.advanced(bySeconds: Double(piece.samples[part.offset]) - second)
      let expected = Double(timeline.nearestRecordedTime(of: told) - epoch.nanoseconds) / 1e9
      return Kept(
        lateness: Double(part.position) / Double(rate) - expected, end: part.position + Int64(part.count))
    }
  }
}
