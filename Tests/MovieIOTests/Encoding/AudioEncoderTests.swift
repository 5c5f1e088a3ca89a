import FrameCore
import Libc
import MovieIO
import TestSupport
import Testing

/// Compressed sound, as ffmpeg decodes it from a file.
@Suite("Encoded sound", .installed(.ffmpeg, .ffprobe))
struct AudioEncoderTests {
  /// A quiet tone with a click of one sample at each of `clicks`.
  static func sound(_ format: AudioFormat, count: Int, clicks: [Int] = []) -> [Float] {
    var samples = [Float](repeating: 0, count: count * format.channelCount)
    for index in 0..<count {
      for channel in 0..<format.channelCount {
        let phase = 2 * Double.pi * 440 * Double(channel + 1) * Double(index) / Double(format.sampleRate)
        samples[index * format.channelCount + channel] = Float(0.02 * sin(phase))
      }
    }
    for click in clicks {
      for channel in 0..<format.channelCount { samples[click * format.channelCount + channel] = 0.9 }
    }
    return samples
  }

  /// Sends samples in drawn portions and writes the packets into a file.
  private func write(
    _ settings: AudioEncoderSettings, _ samples: [Float], _ scratch: Scratch, seed: UInt64 = 1
  ) throws -> (path: String, packets: [EncodedPacket], format: EncodedAudioFormat) {
    let encoder = try AudioEncoder(settings)
    var random = SeededRandom(seed: seed)
    var packets: [EncodedPacket] = []
    let channels = settings.format.channelCount
    var position = 0
    while position < samples.count / channels {
      let count = min(Int.random(in: 1...3000, using: &random), samples.count / channels - position)
      packets += try encoder.encode(
        AudioBuffer(
          format: settings.format,
          samples: Array(samples[position * channels..<(position + count) * channels]),
          time: Timestamp(nanoseconds: 0)))
      position += count
    }
    packets += try encoder.finish()
    #expect(encoder.sampleCount == Int64(samples.count / channels))
    let file = try WrittenMovie(scratch, tracks: [.audio(encoder.format)])
    try file.write(packets)
    try file.writer.finish()
    return (file.path, packets, encoder.format)
  }

  @Test(
    "FLAC and PCM give back every sample exactly",
    arguments: [
      (AudioCodec.flac, 16, 44_100, 1), (.flac, 24, 48_000, 2), (.flac, 24, 96_000, 4), (.pcm, 16, 48_000, 2),
      (.pcm, 24, 44_100, 1), (.pcm, 32, 48_000, 4), (.pcm, 32, 192_000, 2),
    ])
  func lossless(codec: AudioCodec, bits: Int, rate: Int, channels: Int) throws {
    let scratch = try Scratch()
    let format = AudioFormat(sampleRate: rate, layout: ChannelLayout(channelCount: channels))
    var random = SeededRandom(seed: UInt64(bits))
    // Numbers that the codec can store, with both ends of its range.
    let scale = bits == 32 ? Float(1 << 23) : Float(1 << (bits - 1))
    var samples = (0..<50_001 * channels).map { _ in
      Float(Int32.random(in: Int32(-scale)...Int32(scale - 1), using: &random)) / scale
    }
    (samples[0], samples[1]) = (-1, (scale - 1) / scale)
    let settings = AudioEncoderSettings(codec: codec, format: format, bitsPerSample: bits)
    let written = try write(settings, samples, scratch)
    #expect(try MediaProgram.decodeAudio(written.path) == samples)
    #expect(written.packets.reduce(0) { $0 + $1.duration } == 50_001)
    for (a, b) in zip(written.packets, written.packets.dropFirst()) {
      #expect(a.presentation + a.duration == b.presentation)
    }
  }

  @Test(
    "What is beyond full scale is clipped, and what is no number is silence",
    arguments: [AudioCodec.flac, .pcm])
  func clipping(codec: AudioCodec) throws {
    let scratch = try Scratch()
    let samples: [Float] = [2, -2, .infinity, -.infinity, .nan, 0.5, -1, 1] + Array(repeating: 0, count: 100)
    let written = try write(
      AudioEncoderSettings(
        codec: codec, format: AudioFormat(sampleRate: 48_000, layout: .mono), bitsPerSample: 16),
      samples, scratch)
    let top: Float = 32_767 / 32_768
    #expect(
      Array(try MediaProgram.decodeAudio(written.path).prefix(8)) == [top, -1, top, -1, 0, 0.5, -1, top])
  }

  @Test(
    "A click stays within a millisecond of its place, and the sound keeps its length",
    arguments: [
      (AudioCodec.aac, 48_000, 2), (.aac, 44_100, 1), (.opus, 48_000, 2), (.opus, 48_000, 1),
      (.flac, 44_100, 2),
      (.pcm, 48_000, 1),
    ])
  func clicks(codec: AudioCodec, rate: Int, channels: Int) throws {
    let scratch = try Scratch()
    let format = AudioFormat(sampleRate: rate, layout: ChannelLayout(channelCount: channels))
    let clicks = [5_000, 20_011, 43_217]
    let samples = Self.sound(format, count: 60_000, clicks: clicks)
    let written = try write(AudioEncoderSettings(codec: codec, format: format), samples, scratch)
    let decoded = try MediaProgram.decodeAudio(written.path, startsAtZero: true)
    // Matroska states the start in milliseconds.
    #expect(abs(decoded.count / channels - 60_000) <= rate / 1000 + 1, "\(decoded.count / channels)")
    for click in clicks {
      let window = click - 2000..<click + 2000
      let peak = window.max { abs(decoded[$0 * channels]) < abs(decoded[$1 * channels]) } ?? 0
      #expect(abs(peak - click) <= rate / 1000, "\(peak) for \(click)")
    }
    // Exact in our own numbers: from the priming to the last sample.
    #expect(written.packets.first?.presentation == -Int64(written.format.priming))
    #expect(written.packets.last.map { $0.presentation + $0.duration } == 60_000)
    #expect((written.format.priming > 0) == (codec == .aac || codec == .opus))
  }

  @Test("ffprobe shows the codec, the rate and the channels")
  func probe() throws {
    for (codec, name) in [(AudioCodec.aac, "aac"), (.opus, "opus"), (.flac, "flac"), (.pcm, "pcm_f32le")] {
      let scratch = try Scratch()
      let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
      let written = try write(
        AudioEncoderSettings(codec: codec, format: format), Self.sound(format, count: 48_000), scratch)
      let stream = try MediaProgram.stream(written.path, "a:0")
      #expect(stream["codec_name"] == name && stream["sample_rate"] == "48000" && stream["channels"] == "2")
    }
  }

  @Test("The start shifts all times and nothing else")
  func start() throws {
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let buffer = AudioBuffer(
      format: format, samples: Self.sound(format, count: 5000), time: Timestamp(nanoseconds: 0))
    for codec in AudioCodec.allCases {
      let both = try [Int64(0), -777].map { start in
        let encoder = try AudioEncoder(AudioEncoderSettings(codec: codec, format: format), start: start)
        return try encoder.encode(buffer) + encoder.finish()
      }
      #expect(both[0].map { $0.presentation - 777 } == both[1].map(\.presentation), "\(codec)")
      #expect(
        both[0].map(\.duration) == both[1].map(\.duration) && both[0].map(\.bytes) == both[1].map(\.bytes))
    }
  }

  @Test("Rates, channels and numbers that a codec does not store are refused with those that it stores")
  func refusals() {
    func refusal(_ codec: AudioCodec, _ rate: Int, _ channels: Int, bits: Int? = nil, rateOfBits: Int? = nil)
      -> String?
    {
      let format = AudioFormat(sampleRate: rate, layout: ChannelLayout(channelCount: channels))
      return message {
        _ = try AudioEncoder(
          AudioEncoderSettings(codec: codec, format: format, bitRate: rateOfBits, bitsPerSample: bits))
      }
    }
    #expect(
      refusal(.opus, 44_100, 2)
        == "Opus stores no sound of 44100 Hz; resample it to 48000 Hz, or use FLAC or PCM.")
    #expect(refusal(.aac, 192_000, 2) != nil && refusal(.aac, 44_100, 2) == nil)
    #expect(refusal(.pcm, 48_000, 9) == "PCM stores no 9 channels; use 1…8, or a WAV file.")
    #expect(refusal(.flac, 48_000, 2, bits: 20) == "FLAC stores no 20 bits per sample; use one of 16, 24.")
    #expect(refusal(.aac, 48_000, 2, bits: 16) != nil)
    #expect(refusal(.pcm, 48_000, 2, rateOfBits: 100_000) != nil)
    #expect(refusal(.opus, 48_000, 2, rateOfBits: 100) != nil)
  }
}
