import FrameCore
import Libc
import Synchronization
import TestSupport
import Testing

@testable import Capture

@Suite("Monitoring")
struct MonitorTests {
  private static let tone = 440.0

  private func output(_ speaker: FakeSpeaker) throws -> MonitorOutput {
    let output = try MonitorOutput(speaker, speaker.configuration, speaker.ring, device: "Speaker")
    try output.start()
    return output
  }

  /// Runs for some seconds of the fake's time; returns each total latency that was measured.
  @discardableResult
  private func run(
    _ output: MonitorOutput, _ speaker: FakeSpeaker, until end: Double, gain: Float = 1
  ) throws -> [Double] {
    let wake = try WakeSignal()
    var latencies: [Double] = []
    while speaker.seconds < end {
      try output.step(gain: gain, wake: wake)
      if let latency = output.latency { latencies.append(latency.total) }
    }
    return latencies
  }

  @Test(
    "Sound is heard within 20 ms, without clicks, although the clocks differ",
    arguments: [(1.0, 1.0), (1.0001, 0.9999), (0.9999, 1.0001), (1.0003, 1.0)])
  func drift(capture: Double, playback: Double) throws {
    let speaker = FakeSpeaker(captureRate: 16_000, playbackRate: 16_000)
    speaker.signal = { Float(0.5 * sin(2 * .pi * Self.tone * $0)) }
    (speaker.captureRatio, speaker.playbackRatio) = (capture, playback)
    speaker.jitter = 0.0005
    speaker.arrivalDelay = 0.0005
    let output = try output(speaker)
    let latencies = try run(output, speaker, until: 60)
    #expect(output.underruns == 0 && output.player.starvations == 0 && output.player.jumps == 0)
    let settled = latencies.dropFirst(latencies.count / 3)
    let (least, most) = (settled.min() ?? 0, settled.max() ?? 1)
    #expect(most < 0.020 && least > 0.012, "\(least)…\(most) s")
    #expect(abs(output.player.speed - capture / playback) < 60e-6, "\(output.player.speed)")
    // No step between samples is larger than the sine's.
    let sound = speaker.played.dropFirst(16_000)
    let largest = zip(sound, sound.dropFirst()).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    #expect(largest < Float(0.5 * 2 * .pi * Self.tone / 16_000 * 1.02))
    #expect((sound.max() ?? 0) > 0.49)
  }

  @Test("What is measured as the latency is what passes between the microphone and the loudspeaker")
  func measured() throws {
    let speaker = FakeSpeaker(captureRate: 48_000, playbackRate: 48_000)
    // A line whose value is its time.
    speaker.signal = { Float($0 / 10) }
    let output = try output(speaker)
    let latencies = try run(output, speaker, until: 3)
    let said = latencies.suffix(100).reduce(0, +) / 100
    let frame = speaker.played.count - 200
    let real = speaker.heard(frame) - Double(speaker.played[frame]) * 10
    #expect(abs(said - real) < 0.0005, "\(said) s said, \(real) s passed")
    #expect(real < 0.020)
  }

  @Test("A microphone's rate that the loudspeaker lacks is converted")
  func conversion() throws {
    let speaker = FakeSpeaker(captureRate: 44_100, playbackRate: 48_000)
    speaker.signal = { Float(0.5 * sin(2 * .pi * Self.tone * $0)) }
    let output = try output(speaker)
    try run(output, speaker, until: 3)
    let sound = Array(speaker.played.suffix(48_000))
    let crossings = zip(sound, sound.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect(abs(crossings - 440) <= 1)
  }

  @Test("A player that slept catches up with one jump, and keeps more in the device's buffer")
  func asleep() throws {
    let speaker = FakeSpeaker(captureRate: 16_000, playbackRate: 16_000)
    speaker.signal = { _ in 0.5 }
    let output = try output(speaker)
    try run(output, speaker, until: 2)
    speaker.sleep(0.1)
    let latencies = try run(output, speaker, until: 8)
    #expect(output.underruns == 1 && output.player.jumps == 1 && output.player.starvations == 0)
    #expect((latencies.last ?? 1) < 0.0225, "a period more than 20 ms at most: \(latencies.last ?? 0)")
  }

  @Test("Sound that does not come is silence, and afterwards it is waited for a little longer")
  func starved() throws {
    let speaker = FakeSpeaker(captureRate: 16_000, playbackRate: 16_000)
    speaker.signal = { _ in 0.5 }
    speaker.captureGap = 2...3
    let output = try output(speaker)
    try run(output, speaker, until: 2.5)
    #expect(output.player.starvations == 1 && output.latency == nil)
    #expect(speaker.played.suffix(1000).allSatisfy { $0 == 0 })
    let latencies = try run(output, speaker, until: 6)
    #expect(speaker.played.suffix(1000).allSatisfy { abs($0 - 0.5) < 0.001 })
    #expect(output.player.extra > 0.00097 && output.player.extra <= 0.001, "it is forgotten slowly")
    #expect((latencies.last ?? 1) < 0.020)
    // It fades; the largest step is that of a gain that falls or rises within the frames left.
    let steps = zip(speaker.played, speaker.played.dropFirst()).map { abs($0 - $1) }
    #expect((steps.max() ?? 1) < 0.1)
  }

  @Test("The gain changes within a block and never at once; muted is silent")
  func gain() throws {
    let speaker = FakeSpeaker(captureRate: 16_000, playbackRate: 16_000)
    speaker.signal = { _ in 0.25 }
    let output = try output(speaker)
    try run(output, speaker, until: 1, gain: 2)
    #expect(abs((speaker.played.last ?? 0) - 0.5) < 0.001)
    let before = speaker.played.count
    try run(output, speaker, until: 1.1, gain: 0)
    #expect(speaker.played.suffix(500).allSatisfy { $0 == 0 })
    let steps = zip(speaker.played[before...], speaker.played[(before + 1)...]).map { abs($0 - $1) }
    #expect((steps.max() ?? 1) <= 0.5 / 30, "a block of 2.5 ms is 40 frames")
  }

  @Test("A loudspeaker that is unplugged is named")
  func unplugged() throws {
    let speaker = FakeSpeaker(captureRate: 16_000, playbackRate: 16_000)
    speaker.unpluggedAt = 1
    let output = try output(speaker)
    let text = message { try run(output, speaker, until: 2) }
    #expect(text == "Speaker was disconnected; connect it again.")
  }

  @Test("The ring takes whole buffers or nothing, and mixes by the layout")
  func ring() {
    let ring = MonitorRing(sampleRate: 1000, seconds: 0.1)
    #expect(ring.capacity == 128)
    func write(_ layout: ChannelLayout, _ samples: [Float]) -> Bool {
      ring.write(
        AudioBuffer(
          format: AudioFormat(sampleRate: 1000, layout: layout), samples: samples,
          time: Timestamp(nanoseconds: 0)))
    }
    #expect(write(.stereo, [1, 2]) && write(.mono, [3]) && write(.ambiX, [4, 0, 0, 0]))
    #expect(write(.discrete(3), [3, 6, 0]))
    #expect((0..<4).map { ring.sample($0, 0) } == [1, 3, 4, 3])
    #expect((0..<4).map { ring.sample($0, 1) } == [2, 3, 4, 3])
    #expect(!write(.mono, [Float](repeating: 0, count: 125)))
    #expect(ring.written == 4)
    ring.release(before: 1)
    #expect(write(.mono, [Float](repeating: 0, count: 125)))
    #expect(ring.written == 129)
  }

  @Test("What one thread writes another reads in order")
  func threads() async throws {
    let ring = MonitorRing(sampleRate: 1000, seconds: 0.2)
    let total = 100_000
    let writer = Task.detached {
      var next = 0
      while next < total {
        let count = min(total - next, 1 + next % 37)
        let samples = (next..<next + count).map { Float($0) }
        let buffer = AudioBuffer(
          format: AudioFormat(sampleRate: 1000, layout: .mono), samples: samples,
          time: Timestamp(nanoseconds: Int64(next) * 1_000_000))
        if ring.write(buffer) { next += count } else { await Task.yield() }
      }
    }
    var (read, wrong) = (0, 0)
    while read < total {
      let written = ring.written
      while read < written {
        if ring.sample(read, 0) != Float(read) || ring.sample(read, 1) != Float(read) { wrong += 1 }
        read += 1
      }
      ring.release(before: read)
      await Task.yield()
    }
    await writer.value
    #expect(wrong == 0)
  }
}
