import FrameCore
import TestSupport
import Testing

@testable import MovieIO

/// What a crash leaves: of the process (a prefix of all calls) and of the machine (writes since the last
/// flush may be there or not).
@Suite("Movies after a crash")
struct CrashTests {
  private func streams() throws -> [TestStream] { [try TestStream("h264"), try TestStream("aac")] }

  /// The seconds of each stream that a file lacks at its end; all that is there must be right.
  private func missing(_ bytes: [UInt8], _ streams: [TestStream]) -> [Double] {
    let movie = ParsedMovie(bytes)
    return streams.map { stream in
      let expected = MP4WriterTests.expected(stream)
      let handler = if case .video = stream.track { "vide" } else { "soun" }
      let read = movie.tracks.first { $0.handler == handler }?.samples ?? []
      #expect(read == Array(expected.prefix(read.count)))
      let scale = Double(stream.track.timeScale)
      let last = read.last.map { Double($0.decode) / scale } ?? Double(expected[0].decode) / scale
      return Double(expected.last?.decode ?? 0) / scale - last
    }
  }

  @Test(
    "A file that is cut at any byte loses at most a second of what had been recorded when it was that long")
  func everyByte() throws {
    let streams = try streams()
    // The moment that the recording had reached when the file had a length.
    let storage = MemoryStorage()
    let tracks = streams.map(\.track)
    let options = testOptions()
    let writer = try MP4Writer(
      storage: storage, path: "test.mp4",
      movie: try MP4Writer.movie(container: .mp4, tracks: tracks, options: options), formats: tracks,
      options: options)
    var reached: [(length: Int64, decode: [Int64])] = []
    var decode = streams.map { $0.packets[0].decode }
    for (track, packet) in TestStream.interleaved(streams) {
      try writer.write(packet, track: track)
      decode[track] = packet.decode
      reached.append((storage.length, decode))
    }
    let whole = storage.bytes
    var (worst, position) = (0.0, 0)
    for length in Int(writerFront)...whole.count {
      while position + 1 < reached.count, reached[position].length < length { position += 1 }
      let movie = ParsedMovie(Array(whole.prefix(length)))
      for (index, stream) in streams.enumerated() {
        let read = movie.tracks.count > index ? movie.tracks[index].samples : []
        let expected = stream.packets.prefix(read.count)
        // Bytes were compared for whole files; comparing them at every length would take minutes.
        guard read.map(\.decode) == expected.map(\.decode), read.last?.bytes == expected.last?.bytes else {
          Issue.record("wrong at \(length)")
          return
        }
        let last = read.last?.decode ?? stream.packets[0].decode
        worst = max(worst, Double(reached[position].decode[index] - last) / Double(stream.track.timeScale))
      }
    }
    #expect(worst <= 1)
    #expect(worst > 0.2)
  }

  /// Where the media begin by default.
  private let writerFront: Int64 = 32 << 10

  /// How a finish goes on: with room, with inserted blocks, by copying, with the index last.
  enum Way: String, CaseIterable {
    case room, insertion, copy, last
  }

  private func finish(_ way: Way) throws -> (before: Int, storage: MemoryStorage, writer: MP4Writer) {
    let options = testOptions {
      $0.reservedBytes = way == .room ? 32 << 10 : 2048
      $0.largestCopy = way == .last ? 0 : 1 << 30
    }
    let made = try MemoryStorage.movie(
      try streams(), options: options, finished: false,
      { $0.inserts = way == .insertion }, marks: [MovieMark(time: 45_000, title: "Middle")])
    let before = made.storage.calls.count
    try made.writer.finish()
    return (before, made.storage, made.writer)
  }

  @Test(
    "Stopping finish after any of its calls, in the middle of a write too, leaves the whole movie",
    arguments: Way.allCases)
  func anyCall(way: Way) throws {
    let streams = try streams()
    let (before, storage, writer) = try finish(way)
    #expect(writer.layout == (way == .last ? .indexLast : .indexFirst))
    var bytes: [UInt8] = []
    var states = 0
    for (index, call) in storage.calls.enumerated() {
      if index > before, case .write(let more, let offset) = call, more.count > 8 {
        // A write that broke off; those of 8 bytes lie within one sector.
        for length in stride(from: 1, to: more.count, by: max(more.count / 40, 1)) {
          var torn = bytes
          MemoryStorage.apply(.write(Array(more.prefix(length)), offset), to: &torn)
          #expect(missing(torn, streams).allSatisfy { $0 < 0.55 }, "\(way) in call \(index) at \(length)")
          states += 1
        }
      }
      MemoryStorage.apply(call, to: &bytes)
      guard index >= before else { continue }
      #expect(missing(bytes, streams).allSatisfy { $0 < 0.55 }, "\(way) after call \(index)")
      states += 1
    }
    #expect(missing(bytes, streams) == [0, 0])
    // A copy is flushed and renamed in one call of the file.
    #expect(states > (way == .copy ? 3 : 10))
  }

  @Test("While the room for the index grows, no call and no loss of writes takes back what was there")
  func growth() throws {
    let options = testOptions { $0.reservedBytes = 1024 }
    let streams = try streams()
    let storage = try MemoryStorage.movie(streams, options: options, finished: false).storage
    var (durable, pending): ([UInt8], [MemoryStorage.Call]) = ([], [])
    var (safe, growths) = (0, 0)
    for call in storage.calls {
      if case .insert = call { growths += 1 }
      if case .synchronize = call {
        for lost in pending { MemoryStorage.apply(lost, to: &durable) }
        pending = []
        let samples = ParsedMovie(durable).tracks.reduce(0) { $0 + $1.samples.count }
        #expect(samples >= safe)
        safe = samples
        continue
      }
      pending.append(call)
      for subset in 0..<(1 << pending.count) {
        var bytes = durable
        for (bit, lost) in pending.enumerated() where subset >> bit & 1 == 1 {
          MemoryStorage.apply(lost, to: &bytes)
        }
        #expect(ParsedMovie(bytes).tracks.reduce(0) { $0 + $1.samples.count } >= safe)
      }
    }
    #expect(growths >= 2)
    #expect(safe > 150)
  }

  @Test("A disk that fails at any one flush leaves a right movie of what was before")
  func failingFlush() throws {
    let streams = try streams()
    let options = testOptions { $0.reservedBytes = 1024 }
    let all = try MemoryStorage.movie(streams, options: options).storage.flushes
    #expect(all > 20)
    let tracks = streams.map(\.track)
    for flush in 2...all {
      let storage = MemoryStorage()
      storage.failingFlush = flush
      let writer = try MP4Writer(
        storage: storage, path: "failing.mp4",
        movie: try MP4Writer.movie(container: .mp4, tracks: tracks, options: options), formats: tracks,
        options: options)
      var failures = 0
      for (track, packet) in TestStream.interleaved(streams) {
        do { try writer.write(packet, track: track) } catch is SafelightError {
          failures += 1
          break
        }
      }
      do { try writer.finish() } catch is SafelightError { failures += 1 }
      #expect(failures == 1, "\(flush)")
      _ = missing(storage.bytes, streams)
      if writer.layout == .indexFirst { #expect(!ParsedMovie(storage.bytes).isFragmented) }
    }
  }

  @Test("Losing any writes that were not flushed yet leaves the whole movie", arguments: Way.allCases)
  func powerCut(way: Way) throws {
    let streams = try streams()
    let (before, storage, _) = try finish(way)
    var durable: [UInt8] = []
    var pending: [MemoryStorage.Call] = []
    for (index, call) in storage.calls.enumerated() {
      if case .synchronize = call {
        for lost in pending { MemoryStorage.apply(lost, to: &durable) }
        pending = []
      } else {
        pending.append(call)
      }
      guard index >= before else { continue }
      for subset in 0..<(1 << pending.count) {
        var bytes = durable
        for (bit, lost) in pending.enumerated() where subset >> bit & 1 == 1 {
          MemoryStorage.apply(lost, to: &bytes)
        }
        // The last fragment is flushed by finish itself.
        #expect(missing(bytes, streams).allSatisfy { $0 < 1 }, "\(way) after call \(index), \(subset)")
      }
    }
  }

  @Test("A full disk at any moment leaves a movie of what was before, and finish says what it did")
  func fullDisk() throws {
    let streams = try streams()
    let whole = try MemoryStorage.movie(streams, options: testOptions { $0.reservedBytes = 1024 }).storage
      .length
    var layouts: Set<MovieLayout> = []
    var full = 0
    for capacity in stride(from: 1524, to: whole + 4096, by: 211) {
      let storage = MemoryStorage()
      storage.capacity = capacity
      storage.freeSpace = 0
      let tracks = streams.map(\.track)
      let options = testOptions { $0.reservedBytes = 1024 }
      let writer = try MP4Writer(
        storage: storage, path: "full.mp4",
        movie: try MP4Writer.movie(container: .mp4, tracks: tracks, options: options), formats: tracks,
        options: options)
      var failed: SafelightError?
      for (track, packet) in TestStream.interleaved(streams) {
        do { try writer.write(packet, track: track) } catch let error as SafelightError {
          failed = error
          break
        }
      }
      if let failed { #expect(failed.code == .noSpace) }
      do { try writer.finish() } catch let error as SafelightError {
        // Only what finish itself could not write; what write told of is settled.
        #expect(error.code == .noSpace && failed == nil)
      }
      #expect((writer.layout == .fragmented) == (writer.layoutNote != nil))
      layouts.insert(writer.layout)
      #expect(storage.length <= capacity)
      _ = missing(storage.bytes, streams)
      full += failed == nil ? 0 : 1
    }
    #expect(layouts == [.fragmented, .indexFirst])
    #expect(full > 20)
  }
}
