import FrameCore
import TestSupport
import Testing

@testable import AudioProcessing

@Suite("Marks in WAV files")
struct WaveMarkTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func take(_ name: String, samples: [Int], layout: ChannelLayout = .mono) throws -> [UInt8] {
    let writer = try WaveFileWriter(
      path: scratch(name), format: AudioFormat(sampleRate: 8000, layout: layout), sampleFormat: .int24)
    for (index, count) in samples.enumerated() {
      if index > 0 { writer.mark() }
      try writer.write([Float](repeating: 0.25, count: count * layout.channelCount))
    }
    try writer.finish()
    return try scratch.read(name)
  }

  @Test("come back where they were set, behind an odd number of bytes too, and the sound is as without them")
  func roundTrip() throws {
    for counts in [[801, 400, 3], [8000, 1, 1, 1], [5, 0, 5]] {
      let name = "\(counts.count)-\(counts[0]).wav"
      let bytes = try take(name, samples: counts)
      let reader = try WaveFileReader(path: scratch(name))
      var expected: [Int64] = []
      var position: Int64 = 0
      for count in counts.dropLast() {
        position += Int64(count)
        if expected.last != position { expected.append(position) }
      }
      #expect(try reader.cuePoints() == expected)
      let total = counts.reduce(0, +)
      #expect(reader.frameCount == Int64(total))
      #expect(try reader.read(total + 10) == [Float](repeating: 0.25, count: total))
      // RIFF states all bytes but its own eight, and chunks have even lengths.
      let stated = (0..<4).reduce(0) { $0 + Int(bytes[4 + $1]) << (8 * $1) }
      #expect(stated == bytes.count - 8 && bytes.count.isMultiple(of: 2))
    }
  }

  /// Source: Microsoft and IBM, Multimedia Programming Interface and Data Specifications 1.0, 1991, chapter 3.
  @Test("are the chunk of the specification, byte by byte")
  func chunk() throws {
    let bytes = try take("a.wav", samples: [258, 2])
    let expected: [UInt8] =
      Array("cue ".utf8) + [28, 0, 0, 0, 1, 0, 0, 0]
      + [1, 0, 0, 0, 2, 1, 0, 0] + Array("data".utf8) + [0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0]
    #expect(Array(bytes.suffix(36)) == expected)
  }
}
