import FoundationEssentials
import FrameCore
import TestSupport
import Testing

@testable import AudioProcessing

/// Mutated WAV files, from the corpus `Tests/Fuzz/wave` and a fixed seed.
@Suite("Fuzzing WAV files")
struct WaveFuzzTests {
  private static func corpus() throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fuzz/wave")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      ($0, try Array(Data(contentsOf: folder.appending(path: $0))))
    }
  }

  private static func layout(_ bytes: [UInt8]) throws -> WaveLayout {
    try WaveLayout(length: Int64(bytes.count), name: "fuzz") { offset, count in
      guard offset < Int64(bytes.count) else { return [] }
      return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }

  @Test("the corpus is there, and says of each file whether it can be read")
  func corpusIsRead() throws {
    let scratch = try Scratch()
    let corpus = try Self.corpus()
    #expect(corpus.count == 21)
    for (name, bytes) in corpus {
      let path = try scratch.write(bytes, to: name)
      let samples = try? WaveFileReader(path: path).read(1 << 20)
      #expect((samples != nil) == name.hasPrefix("good-"), "\(name)")
      if let samples { #expect(samples.contains { $0 != 0 }, "\(name)") }
    }
    let fuMa = try WaveFileReader(path: scratch("good-bw64-fuma.wav"))
    #expect(fuMa.format == AudioFormat(sampleRate: 48_000, layout: .fuMa))
    #expect(try fuMa.read(9) == [0.1, 0.2, 0.3, 0.4, -0.1, -0.2, -0.3, -0.4])
    #expect(try WaveFileReader(path: scratch("good-format-last.wav")).read(9) == [0x1p-15, 0x2p-15])
    #expect(try WaveFileReader(path: scratch("good-unstated.wav")).frameCount == 80)
  }

  @Test("20,000 mutated files are read or refused in one sentence, and what is read lies within the file")
  func mutations() throws {
    let corpus = try Self.corpus()
    var generator = SeededRandom(seed: 0x5AFE_1170)
    var readable = 0
    for round in 0..<20_000 {
      var bytes = corpus[round % corpus.count].bytes
      for _ in 0...(round / corpus.count % 4) {
        Self.mutate(&bytes, corpus: corpus.map(\.bytes), using: &generator)
      }
      do {
        let layout = try Self.layout(bytes)
        readable += 1
        let end = layout.offset + layout.frameCount * Int64(layout.frameBytes)
        #expect(
          layout.offset >= 12 && layout.frameCount >= 0 && end <= max(layout.offset, Int64(bytes.count)))
        #expect(1...64 ~= layout.format.channelCount && 1...768_000 ~= layout.format.sampleRate)
        guard layout.frameCount > 0 else { continue }
        let samples = layout.coding.samples(bytes[Int(layout.offset)..<Int(end)])
        #expect(samples.count == Int(layout.frameCount) * layout.format.channelCount)
        #expect(samples.allSatisfy { $0.isFinite })
      } catch let error as SafelightError {
        #expect(error.problem.hasPrefix("Cannot read fuzz: ") && !error.remedy.isEmpty)
      }
    }
    // Were everything refused at its first byte, nothing would have been tried.
    #expect(readable > 3000 && readable < 18_000, "\(readable)")
  }

  private static let words: [[UInt8]] = [
    Array("data".utf8), Array("fmt ".utf8), Array("ds64".utf8), Array("RF64".utf8), [0xFF, 0xFF, 0xFF, 0xFF],
    [0, 0, 0, 0], [0xFE, 0xFF], [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 0x80],
  ]

  private static func mutate(
    _ bytes: inout [UInt8], corpus: [[UInt8]], using generator: inout SeededRandom
  ) {
    guard !bytes.isEmpty else { return }
    // What leads astray stands in the header.
    let position = Int.random(in: 0..<min(bytes.count, 120), using: &generator)
    let end = min(bytes.count, position + Int.random(in: 1...12, using: &generator))
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2:
      let word = words.randomElement(using: &generator) ?? []
      bytes.replaceSubrange(position..<min(bytes.count, position + word.count), with: word)
    case 3: bytes.removeSubrange(position..<end)
    case 4: bytes.insert(contentsOf: bytes[position..<end], at: position)
    case 5: bytes.removeSubrange(Int.random(in: position..<bytes.count, using: &generator)...)
    default:
      let other = corpus.randomElement(using: &generator) ?? []
      bytes = bytes[..<position] + other.suffix(Int.random(in: 0...other.count, using: &generator))
    }
  }
}
