import FrameCore
import TestSupport
import Testing

@testable import AudioProcessing

@Suite("Cue points of WAV files")
struct WaveCuePointsTests {
  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// A file of 1000 samples of silence with a chunk behind them.
  private func file(_ chunk: [UInt8], named name: String = "a.wav") throws -> WaveFileReader {
    let writer = try WaveFileWriter(
      path: scratch(name), format: AudioFormat(sampleRate: 8000, layout: .mono), sampleFormat: .int16)
    try writer.write([Float](repeating: 0, count: 1000))
    try writer.finish()
    return try WaveFileReader(path: scratch.write(try scratch.read(name) + chunk, to: name))
  }

  private func cue(_ points: [(chunk: String, sample: UInt32)], stated: Int? = nil, size: Int? = nil)
    -> [UInt8]
  {
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    var body: [UInt8] = []
    for (index, point) in points.enumerated() {
      body += word(index + 1) + word(index)
      body += Array(point.chunk.utf8) + [UInt8](repeating: 0, count: 8) + word(Int(point.sample))
    }
    let head: [UInt8] = word(size ?? 4 + body.count) + word(stated ?? points.count)
    return Array("cue ".utf8) + head + body
  }

  @Test(
    "are read from behind the samples, sorted, each once, without those beyond the end or in other chunks")
  func read() throws {
    let reader = try file(cue([("data", 700), ("data", 20), ("slnt", 300), ("data", 700), ("data", 1000)]))
    #expect(try reader.cuePoints() == [20, 700])
    // Reading goes on where it was.
    #expect(reader.position == 0 && reader.frameCount == 1000)
  }

  @Test("are none where there is no chunk of them")
  func none() throws { #expect(try file([]).cuePoints().isEmpty) }

  @Test("of a chunk that is cut or states too many are those that are there")
  func damaged() throws {
    let whole = cue([("data", 10), ("data", 20)])
    #expect(try file(Array(whole.dropLast(3))).cuePoints() == [10])
    #expect(try file(cue([("data", 10)], stated: 0x7FFF_FFFF), named: "many.wav").cuePoints() == [10])
    #expect(try file(cue([("data", 10)], size: 0xFFFF_FFFF), named: "large.wav").cuePoints() == [10])
    for count in 0..<whole.count {
      _ = try file(Array(whole.prefix(count)), named: "\(count).wav").cuePoints()
    }
  }
}
