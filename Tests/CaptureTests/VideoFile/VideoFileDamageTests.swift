import Capture
import FrameCore
import Foundation
import TestSupport
import Testing

/// Files that are damaged, cut off, or no videos at all. Needs FFmpeg's libraries, not its program.
@Suite("Damaged video files")
struct VideoFileDamageTests {
  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fuzz/video").standardizedFileURL.path

  private func seeds() throws -> [(name: String, bytes: [UInt8])] {
    try FileManager.default.contentsOfDirectory(atPath: Self.corpus).sorted().map { name in
      (name, Array(try Data(contentsOf: URL(filePath: Self.corpus + "/" + name))))
    }
  }

  private func open(_ path: String) throws -> any FrameStream {
    try VideoFileInput(path: path, paced: false).openStream(StreamRequest())
  }

  /// What opening a file says, without the file's name.
  private func refusal(_ path: String) -> String? {
    message { _ = try open(path) }?.replacingOccurrences(of: "Cannot read \(path): ", with: "")
  }

  @Test("The corpus is read or refused as its names say")
  func corpus() throws {
    let seeds = try seeds()
    #expect(seeds.count >= 14)
    for (name, bytes) in seeds {
      #expect(bytes.count < 20_480, "\(name)")
      let path = Self.corpus + "/" + name
      if name.hasPrefix("bad-") {
        #expect(refusal(path) != nil, "\(name)")
      } else {
        let record = StreamRecord(try open(path))
        #expect(record.hasFinished && record.drops.isEmpty && record.frames.count >= 3, "\(name)")
      }
    }
  }

  @Test("Each reason for not reading a file is one sentence")
  func sentences() throws {
    let scratch = try Scratch()
    #expect(refusal(scratch("none.mp4")) == "there is no such file; check the spelling.")
    #expect(refusal(scratch.path) == "it is a folder; name a video in it.")
    #expect(
      refusal(try scratch.write([], to: "empty.mp4"))
        == "the file is empty; copy it again from its source.")
    #expect(refusal("/dev/null") == "it is not a regular file; save the data to a file first.")
    let noVideo = "it is not a video file, or its beginning or its index is damaged; "
    let check = "check that it plays elsewhere, or copy it again from its source."
    #expect(refusal(Self.corpus + "/bad-text.txt") == noVideo + check)
    #expect(refusal(Self.corpus + "/bad-no-index.mp4") == noVideo + check)
    #expect(
      refusal(Self.corpus + "/bad-sound.wav") == "it has no video; choose a file that has video.")
  }

  @Test("A playlist reads no other file, and an address is no file")
  func noOtherFiles() throws {
    // Both name a file that lies beside them and can be read.
    for name in ["bad-playlist.m3u8", "bad-concat.txt"] {
      #expect(refusal(Self.corpus + "/" + name) != nil, "\(name)")
    }
    #expect(refusal("http://localhost/video.mp4") == "there is no such file; check the spelling.")
    #expect(refusal("concat:\(Self.corpus)/good-mpeg2.ts") == "there is no such file; check the spelling.")
  }

  @Test(
    "Of a file that is cut off, the frames before the cut come, they are the ones of the whole file, and then it fails",
    arguments: [
      ("good-ffv1.mkv", true), ("good-mpeg4.avi", true), ("good-fragmented.mp4", true),
      ("good-raw.nut", false),
    ])
  func truncated(name: String, statesLength: Bool) throws {
    let whole = StreamRecord(try open(Self.corpus + "/" + name)).frames
    let bytes = Array(try Data(contentsOf: URL(filePath: Self.corpus + "/" + name)))
    let scratch = try Scratch()
    var counts: [Int] = []
    for tenths in 4...9 {
      let path = try scratch.write(Array(bytes.prefix(bytes.count * tenths / 10)), to: "cut-\(tenths)")
      guard let stream = try? open(path) else { continue }
      let record = StreamRecord(stream)
      if statesLength, record.frames.count < whole.count {
        #expect(record.failure?.reason == .truncated && !record.hasFinished, "\(tenths)/10")
        #expect(record.failure?.description.contains(" is cut off after ") == true, "\(tenths)/10")
      }
      if record.frames.count == whole.count { #expect(record.failure == nil, "\(tenths)/10") }
      counts.append(record.frames.count)
      for (frame, expected) in zip(record.frames, whole) {
        let isSame = frame.bytes == expected.bytes
        #expect(isSame, "cut to \(tenths)/10, frame \(frame.sequence)")
      }
    }
    #expect(counts == counts.sorted())
    #expect((counts.last ?? 0) > 0 && (counts.first ?? 99) < whole.count, "\(counts)")
  }

  @Test("Damaged frames are dropped as corrupt, one by one, and the stream goes on to its end")
  func damagedFrames() throws {
    let seed = Array(try Data(contentsOf: URL(filePath: Self.corpus + "/good-h264.mp4")))
    let scratch = try Scratch()
    var variants = 0
    for position in stride(from: 100, to: seed.count - 100, by: 90) {
      var bytes = seed
      for index in position..<position + 40 { bytes[index] ^= 0x55 }
      guard let stream = try? open(try scratch.write(bytes, to: "damaged.mp4")) else { continue }
      let record = StreamRecord(stream)
      guard !record.drops.isEmpty, !record.frames.isEmpty else { continue }
      variants += 1
      #expect(record.hasFinished || record.failure != nil)
      for drop in record.drops { #expect(drop.first.reason == .corrupt && drop.count == 1) }
      var sequences: [UInt64] = record.frames.map(\.sequence)
      sequences += record.drops.map(\.first.sequence)
      sequences.sort()
      #expect(sequences == Array(0..<UInt64(sequences.count)))
    }
    #expect(variants >= 2)
  }

  @Test("1,200 mutated files are read or refused in a sentence; what is read adds up")
  func mutations() throws {
    let seeds = try seeds().filter { $0.name.hasPrefix("good-") }
    let scratch = try Scratch()
    var generator = SeededRandom(seed: 0x5AFE_0003)
    var (opened, damaged) = (0, 0)
    for round in 0..<1200 {
      var bytes = seeds[round % seeds.count].bytes
      for _ in 0...(round / seeds.count % 4) { Self.mutate(&bytes, using: &generator) }
      let path = try scratch.write(bytes, to: "fuzz")
      do {
        let stream = try open(path)
        opened += 1
        let record = StreamRecord(stream, limit: 60)
        if !record.drops.isEmpty { damaged += 1 }
        let sequences = (record.frames.map(\.sequence) + record.drops.map(\.first.sequence)).sorted()
        #expect(sequences == Array(0..<UInt64(sequences.count)), "round \(round)")
        let times = record.frames.map(\.time)
        #expect(times == times.sorted(), "round \(round)")
        #expect(record.frames.allSatisfy { $0.size == stream.format.size }, "round \(round)")
      } catch let failure as CaptureFailure {
        #expect(
          failure.description.contains(path) || [.tooLarge, .noMemory].contains(failure.error.code),
          "round \(round)")
      }
    }
    // Were everything refused at its first byte, or nothing harmed, nothing would have been tried.
    #expect(opened > 300 && opened < 1200, "\(opened)")
    #expect(damaged > 50, "\(damaged)")
  }

  private static func mutate(_ bytes: inout [UInt8], using generator: inout SeededRandom) {
    guard !bytes.isEmpty else { return }
    // Headers lie at the front, where changes do most.
    let reach = Bool.random(using: &generator) ? min(bytes.count, 600) : bytes.count
    let position = Int.random(in: 0..<reach, using: &generator)
    let end = min(bytes.count, position + Int.random(in: 1...16, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2:
      for index in position..<end { bytes[index] = [0, 0xFF, 0x7F].randomElement(using: &generator) ?? 0 }
    case 3: bytes.removeSubrange(position..<end)
    case 4: bytes.insert(contentsOf: bytes[position..<end], at: position)
    default: bytes.removeSubrange(min(max(position, 100), bytes.count)...)
    }
  }
}
