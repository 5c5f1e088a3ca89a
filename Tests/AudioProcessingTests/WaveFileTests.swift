import AudioProcessingTestSupport
import FrameCore
import Libc
import SyncObserver
import TestSupport
import Testing

@testable import AudioProcessing

@Suite("WAV files")
struct WaveFileTests {
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  static let layouts: [ChannelLayout] = [.mono, .stereo, .ambiX, .fuMa, .discrete(6)]

  private func noise(_ layout: ChannelLayout, _ frames: Int) -> [Float] {
    TestSounds.noise(amplitude: 0.9, frames: frames, channels: layout.channelCount, seed: 7)
  }

  private func write(
    _ samples: [Float], _ name: String, _ layout: ChannelLayout, _ format: WaveSampleFormat,
    rate: Int = 48_000
  ) throws -> String {
    let writer = try WaveFileWriter(
      path: scratch(name), format: AudioFormat(sampleRate: rate, layout: layout), sampleFormat: format)
    let piece = 480 * layout.channelCount
    for first in stride(from: 0, to: samples.count, by: piece) {
      try writer.write(Array(samples[first..<min(first + piece, samples.count)]))
    }
    try writer.finish()
    return scratch(name)
  }

  @Test("integers come back exactly, every one of 16 bits and any of 24")
  func integersAreExact() throws {
    let all = (Int32(Int16.min)...Int32(Int16.max)).map { Float($0) / 32_768 }
    let path = try write(all, "16.wav", .mono, .int16)
    #expect(try WaveFileReader(path: path).read(100_000) == all)
    var random = SeededRandom(seed: 1)
    let some = (0..<50_000).map { _ in
      Float(Int32.random(in: -8_388_608...8_388_607, using: &random)) / 8_388_608
    }
    #expect(try WaveFileReader(path: write(some, "24.wav", .stereo, .int24)).read(100_000) == some)
    // 16 bits in 24 and in floats stay what they are too.
    #expect(try WaveFileReader(path: write(all, "16in24.wav", .mono, .int24)).read(100_000) == all)
    #expect(try WaveFileReader(path: write(all, "16in32.wav", .mono, .float32)).read(100_000) == all)
  }

  @Test("floats come back exactly, beyond full scale too, and integers cut them off and count them")
  func floats() throws {
    let samples: [Float] = [0, 1, -1, 1.5, -3, 1e-30, 0.1, -0.1]
    #expect(try WaveFileReader(path: write(samples, "f.wav", .stereo, .float32)).read(10) == samples)
    let writer = try WaveFileWriter(
      path: scratch("c.wav"), format: AudioFormat(sampleRate: 48_000, layout: .stereo), sampleFormat: .int16)
    try writer.write([0, 1, -1, 1.5, -3, .nan, .infinity, -0.5])
    try writer.finish()
    #expect(writer.clippedSamples == 4)
    let read = try WaveFileReader(path: scratch("c.wav")).read(10)
    let largest: Float = 32_767 / 32_768
    let expected: [Float] = [0, largest, -1, largest, -1, 0, 0, -0.5]
    #expect(read == expected)
  }

  @Test("a quiet tone between two steps is kept by dither, as noise of half a step without distortion")
  func dither() throws {
    // A quarter of a step of 16 bits: without dither all of it would be silence.
    let amplitude = 0.25 / 32_768
    let rate = 48_000
    let samples = (0..<rate * 4).map {
      Float(amplitude * sin(2 * .pi * 1000 * (Double($0) + 0.123) / 48_000))
    }
    let read = try WaveFileReader(path: write(samples, "d.wav", .mono, .int16)).read(rate * 4)
    func correlation(_ frequency: Double, _ values: [Float]) -> Double {
      var (inPhase, quadrature) = (0.0, 0.0)
      for (index, value) in values.enumerated() {
        let angle = 2 * Double.pi * frequency * Double(index) / 48_000
        inPhase += Double(value) * sin(angle)
        quadrature += Double(value) * cos(angle)
      }
      return 2 * (inPhase * inPhase + quadrature * quadrature).squareRoot() / Double(values.count)
    }
    #expect(abs(correlation(1000, read) / amplitude - 1) < 0.1)
    #expect(correlation(3000, read) / amplitude < 0.05)
    // The error of triangular dither has a variance of a quarter of a step, whatever the sound.
    let power = zip(read, samples).map { pow(Double($0 - $1) * 32_768, 2) }.reduce(0, +) / Double(read.count)
    #expect(abs(power - 0.25) < 0.01, "\(power)")
  }

  @Test(
    "FFmpeg reads every format and layout with the same samples", .installed(.ffmpeg, .ffprobe),
    arguments: WaveSampleFormat.allCases, layouts)
  func ffmpegReads(format: WaveSampleFormat, layout: ChannelLayout) throws {
    let samples = noise(layout, 4801)
    let path = try write(samples, "x.wav", layout, format, rate: 44_100)
    let facts = try FFmpegPrograms.probe(path)
    #expect(
      facts["codec_name"]
        == ["int16": "pcm_s16le", "int24": "pcm_s24le", "float32": "pcm_f32le"][format.rawValue])
    #expect(facts["sample_rate"] == "44100" && facts["channels"] == "\(layout.channelCount)")
    #expect(facts["duration_ts"] == "4801")
    // The plain form, for 16 bits, has no loudspeakers.
    if format != .int16, layout == .mono || layout == .stereo {
      #expect(facts["channel_layout"] == "\(layout)")
    }
    let reader = try WaveFileReader(path: path)
    let own = try reader.read(5000)
    #expect(own.count == samples.count && reader.isCut == false)
    #expect(try FFmpegPrograms.samples(of: path) == own)
    #expect(reader.format.layout == (layout == .ambiX ? .discrete(4) : layout))
    if layout == .ambiX { #expect(try WaveFileReader(path: path, channels: .ambiX).format.layout == .ambiX) }
    #expect(try scratch.read("x.wav").count.isMultiple(of: 2))
  }

  @Test("the header states AmbiX with mask 0, and FuMa by its own GUID")
  func identifiers() throws {
    func header(_ layout: ChannelLayout, _ format: WaveSampleFormat) -> [UInt8] {
      WaveHeader(format: AudioFormat(sampleRate: 48_000, layout: layout), sampleFormat: format)
        .bytes(dataBytes: 64)
    }
    // In the file `fmt ` begins at 48, its mask at 76, its GUID at 80.
    let tail: [UInt8] = [0, 0, 0, 0, 16, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    #expect(Array(header(.ambiX, .float32)[76..<96]) == [0, 0, 0, 0, 3, 0] + tail)
    #expect(Array(header(.stereo, .int24)[76..<96]) == [3, 0, 0, 0, 1, 0] + tail)
    // {00000003-0721-11D3-8644-C8C1CA000000} and {00000001-…}, as Dobson's AMB has them.
    let fuMa: [UInt8] = [0, 0, 0x21, 7, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0]
    #expect(Array(header(.fuMa, .float32)[76..<96]) == [0, 0, 0, 0, 3, 0] + fuMa)
    #expect(Array(header(.fuMa, .int16)[80..<96]) == [1, 0] + fuMa)
    #expect(header(.stereo, .int16).count == 80 && Array(header(.mono, .int16)[56..<58]) == [1, 0])
  }

  @Test("a name that exists is refused, and the file there is kept; replaced it is only at the end")
  func names() throws {
    let path = try scratch.write(Array("old".utf8), to: "take.wav")
    let format = AudioFormat(sampleRate: 8000, layout: .mono)
    do {
      _ = try WaveFileWriter(path: path, format: format, sampleFormat: .int16)
      Issue.record("it was not refused")
    } catch let error as SafelightError { #expect(error.code == .exists) }
    let writer = try WaveFileWriter(path: path, format: format, sampleFormat: .int16, overwrite: true)
    try writer.write([Float](repeating: 0.5, count: 16_000))
    #expect(try scratch.read("take.wav") == Array("old".utf8))
    try writer.finish()
    #expect(try WaveFileReader(path: path).frameCount == 16_000)
    #expect(try scratch.names == ["take.wav"])
  }

  @Test("a writer that is let go completes its file")
  func abandoned() throws {
    do {
      let writer = try WaveFileWriter(
        path: scratch("a.wav"), format: AudioFormat(sampleRate: 8000, layout: .mono), sampleFormat: .int24)
      try writer.write([Float](repeating: 0.5, count: 777))
    }
    #expect(try WaveFileReader(path: scratch("a.wav")).frameCount == 777)
  }
}

@Suite("WAV files after a crash")
struct WaveCrashTests {
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }
  private let format = AudioFormat(sampleRate: 8000, layout: .stereo)

  @Test("at every moment the file states all but the last second, and that was synced to the disk")
  func everyMoment() throws {
    let writer = try WaveFileWriter(path: scratch("w.wav"), format: format, sampleFormat: .float32)
    let samples = TestSounds.noise(amplitude: 0.5, frames: 40_000, channels: 2, seed: 3)
    for first in stride(from: 0, to: samples.count, by: 2 * 96) {
      try writer.write(Array(samples[first..<min(first + 2 * 96, samples.count)]))
      // What another program sees now is what is left if this one is killed.
      let reader = try WaveFileReader(path: scratch("w.wav"))
      // An unstated size means that everything there counts.
      #expect(writer.frameCount - reader.frameCount < 8000 && reader.frameCount <= writer.frameCount)
      #expect(!reader.isCut)
      let synced = sync_observer_synced_bytes(scratch("w.wav"))
      #expect(Int(writer.byteCount) - max(synced, 0) < 8000 * 8 + 200)
      reader.position = max(0, reader.frameCount - 10)
      let last = Int(reader.position) * 2
      let read = try reader.read(10)
      #expect(read == Array(samples[last..<last + read.count]))
    }
  }

  @Test("a file cut at any byte is read as far as it reaches")
  func everyCut() throws {
    let samples = TestSounds.noise(amplitude: 0.5, frames: 300, channels: 2, seed: 4)
    let writer = try WaveFileWriter(path: scratch("w.wav"), format: format, sampleFormat: .int24)
    try writer.write(samples)
    try writer.finish()
    let bytes = try scratch.read("w.wav")
    let whole = try WaveFileReader(path: scratch("w.wav")).read(300)
    let start = 104
    for length in 0..<bytes.count {
      try scratch.write(Array(bytes[..<length]), to: "cut.wav")
      guard length >= start else {
        #expect(throws: SafelightError.self, "\(length)") { try WaveFileReader(path: scratch("cut.wav")) }
        continue
      }
      let reader = try WaveFileReader(path: scratch("cut.wav"))
      let frames = (length - start) / 6
      #expect(reader.frameCount == frames && reader.isCut == (length < bytes.count))
      #expect(try reader.read(300) == Array(whole[..<(2 * frames)]))
    }
  }

  @Test(
    "FFmpeg plays what is left of a cut file", .installed(.ffmpeg, .ffprobe),
    arguments: [500, 1234, 8000, 33_333, 63_999])
  func ffmpegReadsCuts(length: Int) throws {
    let writer = try WaveFileWriter(path: scratch("w.wav"), format: format, sampleFormat: .int16)
    let samples = TestSounds.noise(amplitude: 0.5, frames: 16_000, channels: 2, seed: 5)
    try writer.write(samples)
    try writer.finish()
    try scratch.write(Array(try scratch.read("w.wav")[..<length]), to: "cut.wav")
    let read = try FFmpegPrograms.samples(of: scratch("cut.wav"))
    #expect(read.count / 2 == (length - 80) / 4)
    #expect(read == Array(try WaveFileReader(path: scratch("w.wav")).read(16_000)[..<read.count]))
  }

  @Test(
    "a full disk is one sentence, and what was written before stays readable", .enabled(if: getuid() == 0))
  func fullDisk() throws {
    // A small file system needs root.
    try scratch.makeFolder("disk")
    guard mount("none", scratch("disk"), "tmpfs", 0, "size=200k") == 0 else { return }
    defer { umount(scratch("disk")) }
    let path = scratch("disk") + "/w.wav"
    let writer = try WaveFileWriter(path: path, format: format, sampleFormat: .float32)
    var code: SafelightError.Code?
    while code == nil {
      do { try writer.write([Float](repeating: 0.25, count: 1600)) } catch let error as SafelightError {
        code = error.code
      }
    }
    #expect(code == .noSpace)
    try writer.finish()
    let reader = try WaveFileReader(path: path)
    #expect(reader.frameCount == writer.frameCount && reader.frameCount > 20_000)
    #expect(try reader.read(100_000).allSatisfy { $0 == 0.25 })
  }
}
