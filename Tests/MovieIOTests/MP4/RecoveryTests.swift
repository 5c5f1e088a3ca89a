import Foundation
import FrameCore
import TestSupport
import Testing

@testable import MovieIO

@Suite("Recovery of movies")
struct RecoveryTests {
  private func streams() throws -> [TestStream] { [try TestStream("h264"), try TestStream("aac")] }

  private func recover(_ bytes: [UInt8], inserts: Bool = true) throws -> (MemoryStorage, MovieRecovery.Report)
  {
    let storage = MemoryStorage(bytes)
    storage.inserts = inserts
    let report = try MovieRecovery.finish(storage, path: "cut.mp4", largestCopy: 1 << 30)
    return (storage, report)
  }

  @Test(
    "A movie that broke off becomes an ordinary file with the packets of its whole fragments",
    arguments: [512, 32 << 10])
  func cut(reserved: Int) throws {
    let streams = try streams()
    let options = testOptions { $0.reservedBytes = reserved }
    let (whole, _) = try MemoryStorage.movie(streams, options: options, finished: false)
    let firstFragment = try #require(ParsedMovie(whole.bytes).topLevel.first { $0.type == "mdat" })
    for length in stride(
      from: firstFragment.offset + firstFragment.length, through: whole.bytes.count, by: 97)
    {
      let cut = Array(whole.bytes.prefix(length))
      let before = ParsedMovie(cut)
      let (storage, report) = try recover(cut, inserts: length % 2 == 0)
      #expect(report.layout == .indexFirst && !report.wasFinished)
      let after = ParsedMovie(storage.bytes)
      #expect(!after.isFragmented)
      #expect(after.topLevel.map(\.type) == ["ftyp", "moov", "mdat"])
      for (track, fragmented) in zip(after.tracks, before.tracks) {
        #expect(track.samples == fragmented.samples)
      }
      #expect(!after.tracks[0].samples.isEmpty)
      // Once more: nothing is left to do.
      #expect(try recover(storage.bytes).1.wasFinished)
    }
  }

  @Test("A finish that broke off anywhere is completed, with nothing lost")
  func brokenFinish() throws {
    let streams = try streams()
    let options = testOptions { $0.reservedBytes = 2048 }
    let made = try MemoryStorage.movie(streams, options: options, finished: false)
    // The last fragment is written by finish.
    let before = made.storage.calls.count + 2
    try made.writer.finish()
    var bytes: [UInt8] = []
    for (index, call) in made.storage.calls.enumerated() {
      MemoryStorage.apply(call, to: &bytes)
      guard index >= before else { continue }
      let (storage, _) = try recover(bytes)
      let movie = ParsedMovie(storage.bytes)
      #expect(!movie.isFragmented)
      for (track, stream) in zip(movie.tracks, streams) {
        #expect(track.samples == MP4WriterTests.expected(stream), "after call \(index)")
      }
    }
  }

  @Test("PCM and all-key codecs are recovered sample by sample", arguments: [MovieContainer.mp4, .mov])
  func sound(container: MovieContainer) throws {
    let stream = TestStream.pcm(bits: 24, layout: .stereo, seconds: 2)
    let (whole, _) = try MemoryStorage.movie([stream], container, finished: false)
    let (storage, report) = try recover(whole.bytes)
    let track = try #require(ParsedMovie(storage.bytes).tracks.first)
    #expect(Double(track.samples.count) / 48_000 == report.duration)
    #expect(report.duration >= 1.5)
    #expect(
      track.samples.flatMap(\.bytes) == Array(stream.packets.flatMap(\.bytes).prefix(track.samples.count * 6))
    )
  }

  @Test("What is no recording is refused with a sentence and stays as it is")
  func refusals() throws {
    for bytes in [[], Array("not a movie at all, but some text".utf8), [0, 0, 0, 8] + Array("ftyp".utf8)]
      as [[UInt8]]
    {
      let storage = MemoryStorage(bytes)
      let text = message { _ = try MovieRecovery.finish(storage, path: "x.mp4", largestCopy: 0) }
      #expect(text?.hasPrefix("x.mp4 cannot be recovered: ") == true)
      #expect(storage.calls.isEmpty)
    }
  }

  /// A seed's name says whether it is recovered (`good-`) or refused (`bad-`).
  private static var corpus: [(name: String, bytes: [UInt8])] {
    get throws {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fuzz/mp4")
        .standardizedFileURL
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".md") }
        .sorted()
        .map { ($0, try Array(Data(contentsOf: folder.appending(path: $0)))) }
    }
  }

  @Test("Seeds are recovered or refused as their names say")
  func seeds() throws {
    let corpus = try Self.corpus
    #expect(corpus.count >= 8)
    for (name, bytes) in corpus {
      let storage = MemoryStorage(bytes)
      let text = message { _ = try MovieRecovery.finish(storage, path: name, largestCopy: 1 << 30) }
      #expect((text == nil) == name.hasPrefix("good-"), "\(name): \(text ?? "recovered")")
    }
  }

  @Test("Damaged files never crash the reader, and what it takes stays within the file")
  func fuzz() throws {
    let seeds = try Self.corpus.map(\.bytes)
    var random = SeededRandom(seed: 18)
    var (recovered, refused) = (0, 0)
    for round in 0..<4000 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) where bytes.count > 8 {
        // Mostly in the boxes at the front, where most of what is read stands.
        let bound = Bool.random(using: &random) ? min(bytes.count, 2200) : bytes.count
        let place = Int.random(in: 0..<bound - 4, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.replaceSubrange(place..<place + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        case 2: bytes.replaceSubrange(place..<place + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
        case 3: bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
        default:
          bytes.replaceSubrange(place..<place + 4, with: [0, 0, 0, UInt8.random(in: 0...32, using: &random)])
        }
      }
      let storage = MemoryStorage(bytes)
      do {
        if case .fragmented(let found) = try FragmentedMovie.read(storage, path: "fuzz") {
          recovered += 1
          #expect(found.end <= storage.length && found.mediaStart <= found.end)
          for track in found.movie.tracks {
            var sizes = track.table.sizes[...]
            for chunk in track.table.chunks {
              let length = sizes.prefix(Int(chunk.samples)).reduce(Int64(0)) { $0 + Int64($1) }
              sizes = sizes.dropFirst(Int(chunk.samples))
              #expect(chunk.offset + found.mediaStart >= 0)
              #expect(chunk.offset + found.mediaStart + length <= storage.length)
            }
          }
        }
        _ = try MovieRecovery.finish(storage, path: "fuzz", largestCopy: 1 << 30)
      } catch is SafelightError { refused += 1 }
    }
    #expect(recovered > 500 && refused > 500)
  }
}
