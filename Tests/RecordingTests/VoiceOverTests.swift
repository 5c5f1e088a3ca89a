import Capture
import FrameCore
import Testing

@testable import Recording

@Suite("A voice-over")
struct VoiceOverTests {
  private static let rate = 8000

  private func sound(_ value: Float, _ milliseconds: Range<Int>, from start: Timestamp) -> AudioBuffer {
    let count = milliseconds.count * Self.rate / 1000
    return AudioBuffer(
      format: AudioFormat(sampleRate: Self.rate, layout: .mono),
      samples: [Float](repeating: value, count: count),
      time: start.advanced(bySeconds: Double(milliseconds.lowerBound) / 1000))
  }

  /// Sound of 0.4 and a voice of 0.2 from 0.5 s to 1.5 s, of which the last half second is switched off.
  private func mixed(_ layout: ChannelLayout) throws -> [Float] {
    let format = AudioFormat(sampleRate: Self.rate, layout: layout)
    let start = Timestamp.now
    let mixer = VoiceMixer(format, epoch: start) { StandInAligner($0, $1) }
    let main = StandInAligner(AudioFormat(sampleRate: Self.rate, layout: .mono), start)
    var samples: [Float] = []
    func take(_ runs: [AlignedSound]) {
      for run in runs {
        #expect(run.position == Int64(samples.count / format.channelCount))
        samples += run.samples
      }
    }
    for begin in stride(from: 0, to: 2000, by: 10) {
      if (500..<1500).contains(begin) { take(try mixer.add(sound(0.2, begin..<begin + 10, from: start))) }
      var runs = try main.align(sound(0.4, begin..<begin + 10, from: start))
      for index in runs.indices {
        runs[index].samples = runs[index].samples.flatMap {
          [Float](repeating: $0, count: format.channelCount)
        }
      }
      take(try mixer.mix(runs, isOn: (500..<1000).contains(begin), duck: 20))
    }
    take(try mixer.finish())
    return samples
  }

  @Test("is laid over the sound in its place, which is softer under it, and switched off it is not heard")
  func mix() throws {
    let samples = try mixed(.mono)
    #expect(samples.count == 2 * Self.rate)
    for (second, value) in [(0.25, Float(0.4)), (0.75, 0.24), (1.25, 0.4), (1.75, 0.4)] {
      let heard = samples[Int(second * Double(Self.rate))]
      #expect(abs(heard - value) < 1e-4, "at \(second) s: \(heard)")
    }
    // Of a change of 10 ms nothing is left after 20 ms, and no sample is louder than what was mixed.
    let before = samples[Self.rate / 2 - 1]
    let after = samples[Self.rate / 2 + Self.rate / 50]
    #expect(abs(before - 0.4) < 1e-4 && abs(after - 0.24) < 1e-4)
    #expect(samples.allSatisfy { $0 <= 0.601 })
  }

  @Test("is in the middle of stereo")
  func stereo() throws {
    let samples = try mixed(.stereo)
    let index = 2 * (Self.rate * 3 / 4)
    #expect(abs(samples[index] - 0.24) < 1e-4 && abs(samples[index + 1] - 0.24) < 1e-4)
  }

  @Test("that ends is not waited for, and may begin anew in another format")
  func ended() throws {
    let format = AudioFormat(sampleRate: Self.rate, layout: .stereo)
    let start = Timestamp.now
    let mixer = VoiceMixer(format, epoch: start) { StandInAligner($0, $1) }
    let main = StandInAligner(format, start)
    var samples: [Float] = []
    for begin in stride(from: 0, to: 3000, by: 10) {
      let end = begin + 10
      if (100..<500).contains(begin) {
        samples += try mixer.add(sound(0.2, begin..<end, from: start)).flatMap(\.samples)
      }
      if begin == 500 { samples += try mixer.endVoice().flatMap(\.samples) }
      if (2000..<2500).contains(begin) {
        var voice = sound(0.3, begin..<end, from: start)
        voice = AudioBuffer(format: format, samples: voice.samples.flatMap { [$0, $0] }, time: voice.time)
        samples += try mixer.add(voice).flatMap(\.samples)
      }
      let quiet = AudioBuffer(
        format: format, samples: [Float](repeating: 0.1, count: 2 * Self.rate / 100),
        time: start.advanced(bySeconds: Double(begin) / 1000))
      samples += try mixer.mix(main.align(quiet), isOn: true, duck: 0).flatMap(\.samples)
      // Within the limiter's delay of the newest sound.
      if begin == 1990 { #expect(samples.count > 2 * Self.rate * 198 / 100) }
    }
    samples += try mixer.finish().flatMap(\.samples)
    for (second, value) in [(0.05, Float(0.1)), (0.3, 0.3), (1.5, 0.1), (2.2, 0.4), (2.8, 0.1)] {
      let heard = samples[2 * Int(second * Double(Self.rate))]
      #expect(abs(heard - value) < 1e-4, "at \(second) s: \(heard)")
    }
  }

  @Test("belongs to one session")
  func claim() throws {
    let sink = try MovieSink(MovieSettings(), to: MovieNames("./"), hasSound: true, hasVoiceOver: true)
    let voice = try #require(sink.voiceOver)
    let (one, two) = (SyntheticMarker(), SyntheticMarker())
    try voice.attach(to: ObjectIdentifier(one))
    #expect(throws: SafelightError.self) { try voice.attach(to: ObjectIdentifier(two)) }
    voice.detach(from: ObjectIdentifier(one))
    try voice.attach(to: ObjectIdentifier(two))
  }
}

private final class SyntheticMarker {}
