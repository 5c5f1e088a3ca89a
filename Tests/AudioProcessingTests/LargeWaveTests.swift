import AudioProcessingTestSupport
import FrameCore
import TestSupport
import Testing

@testable import AudioProcessing

@Suite("WAV files beyond 4 GiB")
struct LargeWaveTests {
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  @Test(
    "a file turns into BW64 when it outgrows 32 bits, readable before, at and after that",
    arguments: [ChannelLayout.ambiX, .stereo])
  func turning(layout: ChannelLayout) throws {
    // The limit is lowered, so that a small file crosses it.
    let limit: Int64 = 50_000
    let format = AudioFormat(sampleRate: 100, layout: layout)
    let writer = try WaveFileWriter(
      path: scratch("w.wav"),
      header: WaveHeader(format: format, sampleFormat: .float32, largestPlainSize: limit))
    let samples = TestSounds.noise(amplitude: 1, frames: 12_000, channels: layout.channelCount, seed: 6)
    let piece = 100 * layout.channelCount
    var kinds: Set<String> = []
    for first in stride(from: 0, to: samples.count, by: piece) {
      try writer.write(Array(samples[first..<first + piece]))
      let start = try scratch.read("w.wav").prefix(16)
      let kind = String(decoding: start[..<4], as: UTF8.self) + String(decoding: start[12...], as: UTF8.self)
      kinds.insert(kind)
      #expect(kind == (writer.byteCount - 8 > limit ? "BW64ds64" : "RIFFJUNK"))
      let reader = try WaveFileReader(path: scratch("w.wav"))
      #expect(reader.frameCount == writer.frameCount && !reader.isCut)
    }
    #expect(kinds == ["RIFFJUNK", "BW64ds64"])
    try writer.finish()
    #expect(try WaveFileReader(path: scratch("w.wav")).read(20_000) == samples)
    if ExternalProgram.ffmpeg.isAvailable {
      #expect(try FFmpegPrograms.samples(of: scratch("w.wav")) == samples)
    }
  }

  @Test("just below the limit of 32 bits a file is RIFF, just above BW64, with sizes that are right")
  func limit() {
    let header = WaveHeader(format: AudioFormat(sampleRate: 48_000, layout: .mono), sampleFormat: .int16)
    let largest: Int64 = 0xFFFF_FFFF + 8 - 80
    let below = header.bytes(dataBytes: largest - 1)
    #expect(Array(below[..<8]) == Array("RIFF".utf8) + [0xFE, 0xFF, 0xFF, 0xFF])
    let above = header.bytes(dataBytes: largest + 1)
    #expect(Array(above[..<8]) == Array("BW64".utf8) + [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(
      Array(above[20..<28]) == [0, 0, 0, 0, 1, 0, 0, 0] && Array(above[76...]) == [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(below.count == above.count)
  }

  @Test(
    "a real file of more than 4 GiB of AmbiX is read by FFmpeg to its last sample",
    .installed(.ffmpeg, .ffprobe))
  func real() throws {
    let rate = 48_000
    let format = AudioFormat(sampleRate: rate, layout: .ambiX)
    let writer = try WaveFileWriter(path: scratch("w.wav"), format: format, sampleFormat: .float32)
    let samples = TestSounds.noise(amplitude: 1, frames: rate, channels: 4, seed: 8)
    try writer.write(samples)
    // 94 minutes of silence take no room on the disk.
    try writer.writeSilence(Int64(94 * 60 * rate))
    #expect(try WaveFileReader(path: scratch("w.wav")).frameCount == writer.frameCount)
    try writer.write(samples)
    try writer.finish()
    #expect(writer.byteCount > 1 << 32)
    let facts = try FFmpegPrograms.probe(scratch("w.wav"))
    #expect(facts["duration_ts"] == "\(writer.frameCount)" && facts["channels"] == "4")
    // A little before the end: players seek to a packet's boundary.
    let end = try FFmpegPrograms.samples(of: scratch("w.wav"), from: Double(94 * 60) + 1.5)
    #expect(end.count >= 2 * rate && end.suffix(2 * rate) == samples.suffix(2 * rate))
    let reader = try WaveFileReader(path: scratch("w.wav"))
    reader.position = reader.frameCount - Int64(rate)
    #expect(try reader.read(rate) == samples)
  }
}
