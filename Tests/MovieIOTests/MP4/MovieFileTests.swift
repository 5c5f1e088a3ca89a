import Files
import Foundation
import FrameCore
import TestSupport
import Testing

@testable import MovieIO

/// Movies on real file systems.
@Suite("Movie files")
struct MovieFileTests {
  /// A folder on a file system where blocks cannot be inserted.
  private static let memoryFolder = "/dev/shm"

  private func write(
    _ path: String, _ streams: [TestStream], finished: Bool = true, options: MP4Writer.Options
  ) throws -> MP4Writer {
    let writer = try MP4Writer(path: path, container: .mp4, tracks: streams.map(\.track), options: options)
    for (track, packet) in TestStream.interleaved(streams) { try writer.write(packet, track: track) }
    if finished { try writer.finish() }
    return writer
  }

  /// The streams of a test again and again.
  private func long(_ times: Int) throws -> [TestStream] {
    try ["h264", "aac"].map { name in
      let stream = try TestStream(name)
      let period = 3 * stream.track.timeScale
      return TestStream(
        track: stream.track,
        packets: (0..<times).flatMap { turn in
          stream.packets.prefix(name == "aac" ? 140 : .max).map {
            EncodedPacket(
              bytes: $0.bytes, presentation: $0.presentation + Int64(turn) * period,
              decode: $0.decode + Int64(turn) * period, duration: $0.duration, isKey: $0.isKey)
          }
        })
    }
  }

  @Test(
    "The index comes first on a disk and in memory, even where it outgrows its room many times",
    arguments: [true, false])
  func indexFirst(onDisk: Bool) throws {
    let streams = try long(60)
    let name = "/safelight-\(UUID().uuidString).mp4"
    let scratch = try Scratch()
    let path = onDisk ? scratch("long.mp4") : Self.memoryFolder + name
    defer { if !onDisk { try? FileManager.default.removeItem(atPath: path) } }
    let writer = try write(path, streams, options: testOptions { $0.reservedBytes = 8192 })
    #expect(writer.layout == .indexFirst && writer.layoutNote == nil)
    let bytes = try Array(Data(contentsOf: URL(filePath: path)))
    #expect(writer.byteCount == Int64(bytes.count))
    let movie = ParsedMovie(bytes)
    #expect(movie.topLevel.map(\.type) == ["ftyp", "moov", "mdat"])
    for (track, stream) in zip(movie.tracks, streams) {
      #expect(track.samples.map(\.bytes) == stream.packets.map(\.bytes))
      #expect(track.samples.map(\.presentation) == stream.packets.map(\.presentation))
    }
  }

  @Test("A recording that broke off is finished in its file")
  func recovery() throws {
    let scratch = try Scratch()
    let streams = try long(20)
    _ = try write(
      scratch("a.mp4"), streams, finished: false, options: testOptions { $0.reservedBytes = 8192 })
    let before = try scratch.read("a.mp4")
    try scratch.write(Array(before.dropLast(700)), to: "a.mp4")
    let report = try MovieRecovery.finish(scratch("a.mp4"))
    #expect(report.droppedBytes > 0 && report.layout == .indexFirst)
    #expect((58...60).contains(report.duration))
    let movie = ParsedMovie(try scratch.read("a.mp4"))
    #expect(!movie.isFragmented)
    #expect(
      movie.tracks[0].samples
        == Array(MP4WriterTests.expected(streams[0]).prefix(movie.tracks[0].samples.count)))
    #expect(try scratch.names == ["a.mp4"])
  }

  @Test("A file that somebody shortens while it is written is told, and grows no hole")
  func shortened() throws {
    let scratch = try Scratch()
    let streams = try long(4)
    let packets = TestStream.interleaved(streams)
    let writer = try MP4Writer(
      path: scratch("a.mp4"), container: .mp4, tracks: streams.map(\.track), options: testOptions())
    for (track, packet) in packets.prefix(packets.count / 2) { try writer.write(packet, track: track) }
    let length = writer.byteCount - 500
    #expect(truncate(scratch("a.mp4"), off_t(length)) == 0)
    let text = message {
      for (track, packet) in packets.dropFirst(packets.count / 2) { try writer.write(packet, track: track) }
    }
    #expect(text?.contains("a.mp4 was shortened by somebody while it was written") == true)
    try writer.finish()
    #expect(try Int64(scratch.read("a.mp4").count) == length)
    #expect(writer.layout == .fragmented)
  }

  @Test("A file that exists is only replaced when that is allowed; what cannot be written says why")
  func names() throws {
    let scratch = try Scratch()
    try scratch.write("old", to: "a.mp4")
    let streams = [try TestStream("h264")]
    #expect(
      message { _ = try write(scratch("a.mp4"), streams, options: testOptions()) }
        == "Cannot write \(scratch("a.mp4")): the file already exists; "
        + "allow overwriting or choose another name."
    )
    #expect(try scratch.read("a.mp4") == Array("old".utf8))
    // Wrong tracks are refused before the old file is touched.
    let prores = [try TestStream("prores")]
    #expect(
      message { _ = try write(scratch("a.mp4"), prores, options: testOptions { $0.overwrite = true }) } != nil
    )
    #expect(try scratch.read("a.mp4") == Array("old".utf8))
    _ = try write(scratch("a.mp4"), streams, options: testOptions { $0.overwrite = true })
    #expect(ParsedMovie(try scratch.read("a.mp4")).tracks.count == 1)
    #expect(
      message { _ = try write(scratch("none/a.mp4"), streams, options: testOptions()) }
        == "Cannot write \(scratch("none/a.mp4")): the folder \(scratch("none")) does not exist; "
        + "create it first."
    )
  }

  @Test("Beyond 4 GiB offsets are 64 bits long, and point at their packets")
  func beyondFourGiB() throws {
    let storage = SparseStorage()
    let stream = try TestStream("h264")
    let options = testOptions()
    let writer = try MP4Writer(
      storage: storage, path: "large.mp4",
      movie: try MP4Writer.movie(container: .mp4, tracks: [stream.track], options: options),
      formats: [stream.track], options: options)
    // 34 packets of 128 MiB, each with its number in front.
    var packet = [UInt8](repeating: 0, count: 128 << 20)
    for index in 0..<34 {
      packet.replaceSubrange(0..<4, with: [0xAB, 0xCD, 0xEF, UInt8(index)])
      try writer.write(EncodedPacket(bytes: packet, presentation: Int64(index) * 90_000), track: 0)
    }
    try writer.finish()
    #expect(writer.byteCount > 4 << 30)
    let front = storage.read(32 << 10, at: 0)
    let index = try #require(
      MP4BoxReader(front).find("moov", "trak", "mdia", "minf", "stbl", "co64"))
    var offsets = index
    _ = offsets.fullHeader()
    let count = offsets.unsigned(4)
    #expect(count == 34)
    for number in 0..<34 {
      let next = offsets.unsigned(8)
      let offset = try #require(next)
      #expect(storage.read(4, at: offset) == [0xAB, 0xCD, 0xEF, UInt8(number)])
    }
  }
}

/// A file that keeps only the beginnings and ends of long writes.
private final class SparseStorage: MP4Storage {
  private var parts: [Int64: [UInt8]] = [:]
  private(set) var length: Int64 = 0
  let blockSize: Int64 = 4096
  let freeSpace: Int64 = .max

  func write(_ bytes: [UInt8], at offset: Int64) {
    parts[offset] = Array(bytes.prefix(64 << 10))
    length = max(length, offset + Int64(bytes.count))
  }
  /// Later writes are not looked for in the middle of others, but for the front.
  func read(_ count: Int, at offset: Int64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    for (start, part) in parts.sorted(by: { $0.value.count > $1.value.count }) {
      for index in 0..<count {
        let place = offset + Int64(index) - start
        if place >= 0, place < part.count { bytes[index] = part[Int(place)] }
      }
    }
    return bytes
  }
  func truncate(to length: Int64) { self.length = length }
  func synchronize() {}
  func insert(_ length: Int64, at offset: Int64) -> Bool { false }
  func replace(front: [UInt8], keepingFrom offset: Int64) {}
}
