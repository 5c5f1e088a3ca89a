import FrameCore
import TestSupport
import Testing

@testable import MovieIO

@Suite("MP4 writer")
struct MP4WriterTests {
  private func streams() throws -> [TestStream] { [try TestStream("h264"), try TestStream("aac")] }

  /// What the packets should be when they are read back.
  static func expected(_ stream: TestStream) -> [ParsedMovie.Sample] {
    stream.packets.map {
      ParsedMovie.Sample(presentation: $0.presentation, decode: $0.decode, bytes: $0.bytes, isKey: $0.isKey)
    }
  }

  @Test(
    "Every packet of a finished file is read back with its bytes, times and kind", arguments: [true, false])
  func roundTrip(inserts: Bool) throws {
    let streams = try streams()
    let (storage, writer) = try MemoryStorage.movie(streams) { $0.inserts = inserts }
    #expect(writer.layout == .indexFirst)
    let movie = ParsedMovie(storage.bytes)
    #expect(!movie.isFragmented)
    #expect(movie.topLevel.map(\.type) == ["ftyp", "moov", "mdat"])
    #expect(movie.tracks.map(\.entry) == ["avc1", "mp4a"])
    for (track, stream) in zip(movie.tracks, streams) { #expect(track.samples == Self.expected(stream)) }
    #expect(writer.byteCount == storage.length)
  }

  @Test("An unfinished file holds everything but at most half a second, and the same packets")
  func unfinished() throws {
    let streams = try streams()
    let (storage, _) = try MemoryStorage.movie(streams, finished: false)
    let movie = ParsedMovie(storage.bytes)
    #expect(movie.isFragmented)
    for (track, stream) in zip(movie.tracks, streams) {
      let expected = Self.expected(stream)
      #expect(track.samples == Array(expected.prefix(track.samples.count)))
      let (end, last) = (try #require(expected.last), try #require(track.samples.last))
      let missing = Double(end.decode - last.decode) / Double(track.timeScale)
      #expect(missing <= 0.55)
    }
  }

  @Test("Fragments begin at key frames, last at most half a second and are each flushed to the disk")
  func fragments() throws {
    let (storage, _) = try MemoryStorage.movie(try streams(), finished: false)
    var isSynchronized = true
    for call in storage.calls {
      switch call {
      case .write:
        #expect(isSynchronized, "two writes without a flush between")
        isSynchronized = false
      case .synchronize: isSynchronized = true
      case .truncate, .insert, .replace: Issue.record("unexpected")
      }
    }
    #expect(isSynchronized)
    // 3 s with a key each second, and half seconds: six fragments, the last of which waits for its end.
    let movie = ParsedMovie(storage.bytes)
    #expect(movie.topLevel.filter { $0.type == "moof" }.count >= 5)
    #expect(movie.topLevel.map(\.type).prefix(3) == ["ftyp", "free", "moov"])
  }

  @Test("Frames at irregular times keep them")
  func variableRate() throws {
    var random = SeededRandom(seed: 7)
    let stream = try TestStream("h264")
    for _ in 0..<20 {
      var time = Int64.random(in: 0...90_000, using: &random)
      let packets = (0..<60).map { index in
        time += Int64.random(in: 1...40_000, using: &random)
        return EncodedPacket(
          bytes: [UInt8(index), 1, 2], presentation: time, duration: 0,
          isKey: Int.random(in: 0..<10, using: &random) == 0)
      }
      let irregular = TestStream(track: stream.track, packets: packets)
      let (storage, _) = try MemoryStorage.movie([irregular, try TestStream("aac")])
      #expect(ParsedMovie(storage.bytes).tracks[0].samples == Self.expected(irregular))
    }
  }

  @Test(
    "A track that begins late begins late, and one that begins early is cut",
    arguments: [40_000, -9_000, 200_000])
  func offsets(ticks: Int64) throws {
    let audio = try TestStream("aac")
    let moved = TestStream(
      track: audio.track,
      packets: audio.packets.map {
        EncodedPacket(bytes: $0.bytes, presentation: $0.presentation + ticks, duration: $0.duration)
      })
    let streams = [try TestStream("h264"), moved]
    for finished in [true, false] {
      let (storage, _) = try MemoryStorage.movie(streams, finished: finished)
      let movie = ParsedMovie(storage.bytes)
      let read = try #require(movie.tracks.first { $0.handler == "soun" }).samples
      let expected = Self.expected(moved)
      #expect(!read.isEmpty)
      // Edits count in 1/90000 s, which is less than a sample.
      for (sample, wanted) in zip(read, expected) {
        #expect(abs(sample.presentation - wanted.presentation) <= 1)
        #expect(sample.bytes == wanted.bytes)
      }
    }
  }

  @Test("Segments that begin at their start and end at the next one's hold the frames of the whole")
  func segments() throws {
    let video = try TestStream("h264")
    let cuts: [Int64] = [0, 90_000, 180_000, 270_000]
    var joined: [ParsedMovie.Sample] = []
    for (start, end) in zip(cuts, cuts.dropFirst()) {
      // From one key frame to the next in the order of decoding.
      let first = try #require(video.packets.firstIndex { $0.presentation == start })
      let last = video.packets.firstIndex { $0.presentation == end } ?? video.packets.count
      let options = testOptions { $0.start = start }
      let storage = MemoryStorage()
      let writer = try MP4Writer(
        storage: storage, path: "segment.mp4",
        movie: try MP4Writer.movie(container: .mp4, tracks: [video.track], options: options),
        formats: [video.track], options: options)
      for packet in video.packets[first..<last] { try writer.write(packet, track: 0) }
      try writer.finish(at: end)
      let track = try #require(ParsedMovie(storage.bytes).tracks.first)
      #expect(track.samples.map(\.presentation).min() == 0)
      #expect(track.edits.map(\.0) == [end - start])
      joined += track.samples.map {
        ParsedMovie.Sample(
          presentation: $0.presentation + start, decode: $0.decode + start, bytes: $0.bytes, isKey: $0.isKey)
      }
    }
    #expect(joined == Self.expected(video))
  }

  @Test("What cannot be written is refused with a sentence")
  func refusals() throws {
    let prores = try TestStream("prores")
    let text = message {
      _ = try MP4Writer.movie(container: .mp4, tracks: [prores.track], options: testOptions())
    }
    #expect(text == "An .mp4 file cannot hold ProRes; name the movie .mov or .mkv.")
    let (_, writer) = try MemoryStorage.movie([try TestStream("h264")], finished: false)
    let early = EncodedPacket(bytes: [1], presentation: -90_000)
    #expect(message { try writer.write(early, track: 0) }?.contains("in the order of decoding") == true)
    #expect(message { try writer.write(early, track: 3) }?.contains("no track 3") == true)
    try writer.finish()
    #expect(message { try writer.write(early, track: 0) }?.contains("already finished") == true)
  }

  @Test("PCM is one sample a moment in the finished file, whatever its packets", arguments: [16, 24, 32])
  func pcm(bits: Int) throws {
    for container in [MovieContainer.mp4, .mov] {
      let stream = TestStream.pcm(bits: bits, layout: .ambiX, seconds: 1.2)
      let (storage, _) = try MemoryStorage.movie([stream], container)
      let track = try #require(ParsedMovie(storage.bytes).tracks.first)
      #expect(track.samples.count == 57_600)
      #expect(track.duration == 57_600)
      #expect(track.samples.flatMap(\.bytes) == stream.packets.flatMap(\.bytes))
    }
  }
}
