import Libc
import LibraryTestSupport
import Safelight
import Testing

@testable import SafelightCLI

@Suite("Takes on their way into a file")
struct TakeWriterTests {
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private static let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)

  private func settings(_ source: AudioFormat = stereo, bits: WaveSampleFormat = .float32) -> TakeSettings {
    TakeSettings(path: scratch("take.wav"), overwrite: false, source: source, sampleFormat: bits)
  }

  /// Frames that count up in steps of 2⁻²⁰, the same on all channels, so that each says where it came from.
  private func ramp(_ frames: Range<Int>, _ format: AudioFormat = stereo) -> AudioBuffer {
    let samples = frames.flatMap { frame in
      [Float](repeating: Float(frame) * 0x1p-20, count: format.channelCount)
    }
    return AudioBuffer(
      format: format, samples: samples, time: Timestamp(nanoseconds: 0), position: Int64(frames.lowerBound))
  }

  /// The left channel of the file, in steps of the ramp.
  private func written() throws -> [Int] {
    let reader = try WaveFileReader(path: scratch("take.wav"))
    let samples = try reader.read(Int(reader.frameCount))
    return stride(from: 0, to: samples.count, by: reader.format.channelCount).map {
      Int((samples[$0] * 0x1p20).rounded())
    }
  }

  @Test("A pause leaves out what comes in it, and nothing else")
  func pause() throws {
    let take = try TakeWriter(settings())
    for start in stride(from: 0, to: 4800, by: 480) {
      take.isPaused = (960..<1920).contains(start)
      #expect(try take.add(ramp(start..<start + 480)) == nil)
    }
    try take.finish(isWhole: true)
    #expect(try written() == Array(0..<960) + Array(1920..<4800))
    #expect(take.status.silence.total == 0)
  }

  @Test("Sound that the disk was too slow for becomes counted silence of the same length")
  func gap() throws {
    let take = try TakeWriter(settings())
    _ = try take.add(ramp(480..<960))
    _ = try take.add(ramp(100_000..<100_480))
    try take.finish(isWhole: true)
    let expected = Array(480..<960) + [Int](repeating: 0, count: 99_040) + Array(100_000..<100_480)
    #expect(try written() == expected)
    #expect(take.status.silence == TakeSilence(disk: 99_040))
  }

  @Test("Silence of the device is counted by its reason", arguments: SilenceReason.allCases)
  func reasons(reason: SilenceReason) throws {
    let take = try TakeWriter(settings())
    _ = try take.add(ramp(0..<480))
    _ = try take.add(
      AudioBuffer(
        format: Self.stereo, samples: [Float](repeating: 0, count: 960), time: Timestamp(nanoseconds: 0),
        position: 480, silence: reason))
    _ = try take.add(ramp(960..<1440))
    try take.finish(isWhole: true)
    #expect(try written() == Array(0..<480) + [Int](repeating: 0, count: 480) + Array(960..<1440))
    let silence = take.status.silence
    #expect(silence.total == 480)
    #expect((reason == .overrun ? silence.overrun : silence.disconnected) == 480)
  }

  @Test("A limit of time ends the take at its sample")
  func duration() throws {
    var settings = settings()
    settings.maximumDuration = 0.015
    let take = try TakeWriter(settings)
    #expect(try take.add(ramp(0..<480)) == nil)
    #expect(try take.add(ramp(480..<960)) == .durationReached)
    try take.finish(isWhole: true)
    #expect(try written() == Array(0..<720))
  }

  @Test(
    "A limit of bytes holds for the whole file, which comes within one sample of it",
    arguments: [5000, 5001, 5002, 9999])
  func bytes(limit: Int) throws {
    var settings = settings(AudioFormat(sampleRate: 48_000, layout: .mono), bits: .int24)
    settings.maximumBytes = Int64(limit)
    let take = try TakeWriter(settings)
    #expect(try take.add(ramp(0..<4800, settings.source)) == .bytesReached)
    try take.finish(isWhole: true)
    let size = try scratch.read("take.wav").count
    // A sample of three bytes, and one that makes the length even.
    #expect(size <= limit && size > limit - 5, "\(size)")
  }

  @Test("A limit below the header is refused, with a remedy")
  func tooFewBytes() throws {
    var settings = settings()
    settings.maximumBytes = 50
    let problem = message { _ = try TakeWriter(settings) }
    #expect(problem?.contains("no room for sound") == true && problem?.contains("--max-bytes") == true)
  }

  @Test("Ambisonics of capsules keep their place in time, and have as many samples as the capsules")
  func capsules() throws {
    let source = AudioFormat(sampleRate: 48_000, layout: .discrete(4))
    var settings = settings(source)
    settings.arrangement = .capsules(.typeI)
    let take = try TakeWriter(settings)
    var samples = [Float](repeating: 0, count: 4 * 4800)
    for channel in 0..<4 { samples[4 * 1000 + channel] = 0.5 }
    for start in stride(from: 0, to: 4800, by: 480) {
      let buffer = AudioBuffer(
        format: source, samples: Array(samples[4 * start..<4 * (start + 480)]),
        time: Timestamp(nanoseconds: 0), position: Int64(start))
      _ = try take.add(buffer)
    }
    try take.finish(isWhole: true)
    let reader = try WaveFileReader(path: scratch("take.wav"))
    let result = try reader.read(10_000)
    #expect(reader.frameCount == 4800)
    let loudest = (0..<4800).max { abs(result[4 * $0]) < abs(result[4 * $1]) }
    // The filters see waves, which pass the capsules within 0.1 ms; their own delay would be 48 frames.
    #expect(abs((loudest ?? 0) - 1000) <= 4, "\(loudest ?? -1)")
  }

  @Test("Four channels are needed for ambisonics, and two are called stereo")
  func twoMicrophones() {
    var settings = settings()
    settings.arrangement = .capsules(.typeI)
    #expect(message { _ = try TakeWriter(settings) }?.contains("record stereo") == true)
  }

  @Test("Samples at full scale are counted, and zeros for three seconds are taken for a muted device")
  func clippingAndMute() throws {
    let take = try TakeWriter(settings())
    let second = [Float](repeating: 0, count: 96_000)
    for number in 0..<3 {
      #expect(!take.status.isMute)
      _ = try take.add(
        AudioBuffer(
          format: Self.stereo, samples: second, time: Timestamp(nanoseconds: 0),
          position: Int64(number * 48_000)))
    }
    #expect(take.status.isMute)
    _ = try take.add(
      AudioBuffer(
        format: Self.stereo, samples: [1, -1, 0.999, -2, .nan, 0], time: Timestamp(nanoseconds: 0),
        position: 144_000))
    #expect(take.status.clipped == 4 && !take.status.isMute)
    try take.finish(isWhole: true)
  }

  @Test("A file that is removed is noticed, and one that is renamed is not")
  func removal() throws {
    let take = try TakeWriter(settings())
    #expect(!take.isRemoved)
    #expect(rename(scratch("take.wav"), scratch("other.wav")) == 0)
    #expect(!take.isRemoved)
    #expect(unlink(scratch("other.wav")) == 0)
    #expect(take.isRemoved)
  }
}
