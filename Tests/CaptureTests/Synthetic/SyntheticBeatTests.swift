import FrameCore
import Foundation
import Testing

@testable import Capture

/// All sound of a stream, with what it lost.
private func record(
  _ input: SyntheticAudio, _ request: AudioRequest = AudioRequest()
) throws -> (buffers: [AudioBuffer], lost: [(count: Int, at: Timestamp)]) {
  let stream = try input.openStream(request)
  var (buffers, lost) = ([AudioBuffer](), [(count: Int, at: Timestamp)]())
  while true {
    switch try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) {
    case .sound(let buffer): buffers.append(buffer)
    case .lost(let count, _, let time): lost.append((count, time))
    case .idle: break
    case .finished: return (buffers, lost)
    }
  }
}

private func rms(_ samples: some Collection<Float>) -> Double {
  (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
}

@Suite(.timeLimit(.minutes(10))) struct SyntheticBeatTests {
  private static let start = Timestamp(nanoseconds: 41_123_456_789)

  private func input(
    rate: Int = 48_000, layout: ChannelLayout = .mono, seconds: Double = 4,
    faults: SyntheticAudioFaults = SyntheticAudioFaults(), start: Timestamp = start
  ) throws -> SyntheticAudio {
    try SyntheticAudio(
      format: AudioFormat(sampleRate: rate, layout: layout), paced: false, startTime: start,
      duration: seconds, faults: faults)
  }

  @Test("Beeps have their level, pitch and length, and noise is at its level, by the definition of decibels")
  func levels() throws {
    let (buffers, _) = try record(input(start: Timestamp(nanoseconds: 0)))
    let samples = buffers.flatMap(\.samples)
    #expect(samples.count == 4 * 48_000)
    let beep = samples[48_000 + 480..<48_000 + 1920]
    #expect(abs(20 * log10(Double(beep.max() ?? 0)) + 12) < 0.2)
    // A sine's root mean square is 3.01 dB below its peak.
    #expect(abs(20 * log10(rms(beep)) + 15.01) < 0.05)
    let crossings = zip(beep, beep.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect((29...31).contains(crossings), "1 kHz for 30 ms")
    #expect(abs(20 * log10(rms(samples[60_000..<90_000])) + 50) < 0.1)
    #expect(samples[0..<4].allSatisfy { abs($0) < 0.006 }, "a soft edge")
    #expect(abs(20 * log10(rms(samples[48_000 + 2410..<48_000 + 2900])) + 50) < 0.5, "over after 50 ms")
  }

  @Test(
    "Beeps are found where the seconds are, at every rate, level and drift",
    arguments: [
      (48_000, 0.0), (44_100, 0), (16_000, 0), (96_000, 100), (48_000, 500), (48_000, -500), (8000, -100),
    ])
  func onsets(rate: Int, drift: Double) throws {
    let (buffers, _) = try record(input(rate: rate, faults: SyntheticAudioFaults(drift: drift)))
    let onsets = BeatMeasurement.beepOnsets(in: buffers.flatMap(\.samples).map { $0 * 0.3 }, sampleRate: rate)
    #expect(onsets.count == 4)
    for (index, onset) in onsets.enumerated() {
      // The first second after the start comes after 1 − 0.123456789 s of true time.
      let expected = (Double(index) + 1 - 0.123_456_789) * Double(rate) * (1 + drift * 1e-6)
      #expect(abs(onset - expected) / Double(rate) < 0.0001, "\(onset) \(expected)")
    }
  }

  @Test("The same source has the same samples in every run, and channels differ in their noise")
  func repeatable() throws {
    let first = try record(input(layout: .stereo, seconds: 0.5)).buffers.flatMap(\.samples)
    #expect(first == (try record(input(layout: .stereo, seconds: 0.5)).buffers.flatMap(\.samples)))
    #expect(first[0] != first[1])
  }

  @Test(
    "Ambisonic sound comes from where it is said, by the ratio of its channels", arguments: [true, false])
  func direction(isAmbiX: Bool) throws {
    let (buffers, _) = try record(input(layout: isAmbiX ? .ambiX : .fuMa, seconds: 9))
    let (w, x, y) = isAmbiX ? (0, 3, 1) : (0, 1, 2)
    for buffer in buffers where buffer.samples.contains(where: { $0 > 0.15 }) {
      func product(_ channel: Int) -> Double {
        stride(from: 0, to: buffer.samples.count, by: 4).reduce(0.0) {
          $0 + Double(buffer.samples[$1 + w]) * Double(buffer.samples[$1 + channel])
        }
      }
      guard product(w) > 1 else { continue }
      // Active intensity points at the source (Fahy, Sound Intensity, 1995).
      let found = atan2(product(y), product(x))
      let expected = SyntheticAudio.azimuth(at: buffer.time)
      #expect(abs(remainder(found - expected, 2 * .pi)) < 0.02)
      let scale = isAmbiX ? 1.0 : 2.0.squareRoot()
      #expect(abs((pow(product(x), 2) + pow(product(y), 2)).squareRoot() / product(w) - scale) < 0.02)
    }
  }

  @Test("Time stamps have the deviation and the spikes that were asked for, and drift shows in them")
  func stamps() throws {
    let faults = SyntheticAudioFaults(drift: 100, jitter: 0.002, spikeRate: 0.01)
    let (buffers, _) = try record(input(rate: 8000, seconds: 60, faults: faults))
    let errors = buffers.map {
      $0.time.seconds(since: Self.start) - Double($0.position) / 8000 / (1 + 100e-6)
    }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let deviation = (errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(errors.count)).squareRoot()
    // Spikes add √(0.01 · 0.99) · 8 ms = 0.8 ms in quadrature, and 0.08 ms to the mean.
    #expect(abs(deviation - 0.002_154) < 0.000_15 && abs(mean - 0.000_08) < 0.000_12)
    #expect(buffers.reduce(0) { $0 + $1.frameCount } == 480_048, "100 ppm of 60 s are 48 samples")
  }

  @Test("Lost samples are those of their span, and positions count them")
  func overruns() throws {
    let (buffers, lost) = try record(
      input(seconds: 2, faults: SyntheticAudioFaults(overruns: [0.5..<0.75, 1..<1.01])))
    #expect(lost.map(\.count) == [12_000, 480])
    #expect(lost.map { $0.at.seconds(since: Self.start) } == [0.5, 1.0])
    #expect(buffers.last.map { $0.position + Int64($0.frameCount) } == 96_000)
    #expect(buffers.reduce(0) { $0 + $1.frameCount } == 96_000 - 12_480)
  }

  @Test("What is not offered is refused in a sentence")
  func refusals() throws {
    func message(_ body: () throws -> Void) -> String? {
      do {
        try body()
        return nil
      } catch {
        return "\(error)"
      }
    }
    let input = try SyntheticAudio()
    #expect(
      message { _ = try input.openStream(AudioRequest(sampleRate: 4000)) }
        == "Synthetic sound does not come with 4000 Hz; ask for 8000 to 192000.")
    #expect(
      message { _ = try input.openStream(AudioRequest(channelCount: 65)) }
        == "Synthetic sound does not come with 65 channels; ask for 1 to 64.")
    #expect(
      message { _ = try SyntheticAudio(startTime: Self.start) }
        == "The synthetic sound is paced and has a start time; give a start time only to a source that is not paced."
    )
    #expect(
      message { _ = try SyntheticInput(startTime: Self.start) }
        == "The synthetic scene is paced and has a start time; give a start time only to a source that is not paced."
    )
    let request = AudioRequest(sampleRate: 22_050, channelCount: 2)
    #expect(
      try input.openStream(request).format == AudioFormat(sampleRate: 22_050, layout: .stereo))
  }

  @Test("A frame is lit if its interval shares a moment with the 50 ms after a second")
  func lit() {
    func time(_ ms: Int64) -> Timestamp { Timestamp(nanoseconds: ms * 1_000_000) }
    #expect(SyntheticBeat.isLit(from: time(5000), until: time(5001)))
    #expect(SyntheticBeat.isLit(from: time(5049), until: time(5082)))
    #expect(!SyntheticBeat.isLit(from: time(5050), until: time(5083)))
    #expect(!SyntheticBeat.isLit(from: time(4967), until: time(5000)))
    #expect(SyntheticBeat.isLit(from: time(4968), until: time(5001)))
    #expect(SyntheticBeat.isLit(from: time(5100), until: time(6100)))
    #expect(SyntheticBeat.isLit(from: time(-1000), until: time(-999)))
    #expect(!SyntheticBeat.isLit(from: time(5000), until: time(5000)))
  }

  @Test(
    "Flash and beep agree within half a frame's interval, in every encoding",
    arguments: [
      (30.0, PixelFormat.yuyv422), (24, .nv12), (29.97, .i420), (50, .rgba8), (7, .nv12),
    ])
  func agreement(rate: Double, encoding: PixelFormat) throws {
    let camera = try SyntheticInput(
      size: PixelSize(width: 64, height: 36), framesPerSecond: rate, encoding: encoding, paced: false,
      frameLimit: Int(3.5 * rate), showsFlash: true, startTime: Self.start)
    let stream = try camera.openStream(StreamRequest())
    var (lumas, times) = ([Double](), [Double]())
    while case .frame(let frame) = try stream.next(until: Timestamp.now.advanced(bySeconds: 60)) {
      lumas.append(BeatMeasurement.lampLuma(of: frame.buffer))
      times.append(frame.time.seconds(since: Self.start))
    }
    #expect(lumas.allSatisfy { $0 < 0.01 || $0 > 0.99 })
    let flashes = BeatMeasurement.flashOnsets(lumas: lumas, times: times)
    let samples = try record(input(seconds: 3.4)).buffers.flatMap(\.samples)
    let beeps = BeatMeasurement.beepOnsets(in: samples, sampleRate: 48_000).map { $0 / 48_000 }
    #expect(flashes.count == 3 && beeps.count == 3)
    for (flash, beep) in zip(flashes, beeps) { #expect(abs(flash - beep) <= 0.5 / rate + 0.0002) }
  }

  @Test(
    "The lamp covers at least 4 % of the picture", arguments: [(16, 16), (17, 31), (1920, 1080), (4096, 16)])
  func lampArea(width: Int, height: Int) {
    let area = LiveFlash.area(PixelSize(width: width, height: height))
    #expect(area.columns.upperBound == width && area.columns.lowerBound.isMultiple(of: 2))
    #expect(25 * area.columns.count * area.rows.count >= width * height)
  }
}
