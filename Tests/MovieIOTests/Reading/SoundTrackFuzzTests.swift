import FrameCore
import Foundation
import MovieIO
import TestSupport
import Testing

/// Files with sound that are damaged, cut off, or none at all. Needs FFmpeg's libraries, not its program.
@Suite("Damaged files with sound")
struct SoundTrackFuzzTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fuzz/sound").standardizedFileURL.path

  private func seeds() throws -> [(name: String, bytes: [UInt8])] {
    try FileManager.default.contentsOfDirectory(atPath: Self.corpus).sorted().map { name in
      (name, Array(try Data(contentsOf: URL(filePath: Self.corpus + "/" + name))))
    }
  }

  /// Reads a file to its end and returns the number of samples per channel.
  private func count(_ path: String, _ mode: SoundTrackReader.Mode) throws -> Int64 {
    let reader = try SoundTrackReader(path: path, mode: mode)
    var count: Int64 = 0
    // No seed has more than some hundred blocks, and damage cannot add any.
    for _ in 0..<100_000 {
      switch mode {
      case .packets:
        guard let packet = try reader.nextPacket() else { return count }
        count += packet.duration
      case .samples:
        guard let buffer = try reader.nextBuffer() else { return count }
        #expect(buffer.samples.count == buffer.frameCount * buffer.format.channelCount)
        count += Int64(buffer.frameCount)
      }
    }
    Issue.record("\(path) has no end")
    return count
  }

  @Test("The corpus is read or refused as its names say")
  func corpus() throws {
    let seeds = try seeds()
    #expect(seeds.count >= 15)
    for (name, bytes) in seeds {
      #expect(bytes.count < 20_480, "\(name)")
      let path = Self.corpus + "/" + name
      if name.hasPrefix("bad-") {
        #expect(throws: SafelightError.self, "\(name)") { try count(path, .samples) }
      } else {
        #expect(try count(path, .samples) >= 1500, "\(name)")
      }
    }
  }

  @Test(
    "Damage ends in samples or in one sentence, and always ends",
    arguments: [SoundTrackReader.Mode.samples, .packets])
  func damage(mode: SoundTrackReader.Mode) throws {
    var random = SeededRandom(seed: mode == .samples ? 11 : 12)
    let scratch = try Scratch()
    for (name, bytes) in try seeds() {
      for _ in 0..<12 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random))
        }
        let path = try scratch.write(damaged, to: name)
        do {
          _ = try count(path, mode)
        } catch let error as SafelightError {
          #expect(error.problem.contains(path), "\(name): \(error)")
        }
      }
    }
  }
}
