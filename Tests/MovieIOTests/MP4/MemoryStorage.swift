import FrameCore

@testable import MovieIO

/// A file in memory that remembers every call, so that tests can stop between any two of them.
final class MemoryStorage: MP4Storage {
  enum Call {
    case write([UInt8], Int64)
    case truncate(Int64)
    case synchronize
    case insert(Int64, Int64)
    case replace([UInt8], Int64)
  }

  private(set) var bytes: [UInt8] = []
  private(set) var calls: [Call] = []
  var blockSize: Int64 = 512
  var freeSpace: Int64 = 1 << 40
  /// Whether blocks can be inserted, as on ext4.
  var inserts = true
  /// Writes beyond this size fail as on a full disk.
  var capacity: Int64 = .max

  /// The flush that fails, from 1 on; 0 for none.
  var failingFlush = 0
  private(set) var flushes = 0

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  var length: Int64 { Int64(bytes.count) }

  func write(_ more: [UInt8], at offset: Int64) throws {
    let fitting = max(min(Int64(more.count), capacity - offset), 0)
    apply(.write(Array(more.prefix(Int(fitting))), offset))
    if fitting < more.count { throw SafelightError(.noSpace, "Cannot write: the disk is full") }
  }
  func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
    Array(bytes.dropFirst(Int(offset)).prefix(count))
  }
  func truncate(to length: Int64) throws { apply(.truncate(length)) }
  func synchronize() throws {
    flushes += 1
    if flushes == failingFlush { throw SafelightError(.file, "The disk does not answer") }
    apply(.synchronize)
  }
  func insert(_ length: Int64, at offset: Int64) throws -> Bool {
    guard inserts, length % blockSize == 0, offset % blockSize == 0, offset < Int64(bytes.count) else {
      return false
    }
    guard Int64(bytes.count) + length <= capacity else { throw SafelightError(.noSpace, "The disk is full") }
    apply(.insert(length, offset))
    return true
  }
  func replace(front: [UInt8], keepingFrom offset: Int64) throws { apply(.replace(front, offset)) }

  func apply(_ call: Call) {
    calls.append(call)
    Self.apply(call, to: &bytes)
  }

  static func apply(_ call: Call, to bytes: inout [UInt8]) {
    switch call {
    case .write(let more, let offset):
      let end = Int(offset) + more.count
      if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
      bytes.replaceSubrange(Int(offset)..<end, with: more)
    case .truncate(let length):
      bytes = Array(bytes.prefix(Int(length)))
    case .synchronize: break
    case .insert(let length, let offset):
      bytes.insert(contentsOf: [UInt8](repeating: 0, count: Int(length)), at: Int(offset))
    case .replace(let front, let offset):
      bytes = front + bytes.dropFirst(Int(offset))
    }
  }

  /// Writes a movie of several streams, in the order of a recording.
  static func movie(
    _ streams: [TestStream], _ container: MovieContainer = .mp4, options: MP4Writer.Options = testOptions(),
    finished: Bool = true, _ change: (MemoryStorage) -> Void = { _ in }, marks: [MovieMark] = []
  ) throws -> (storage: MemoryStorage, writer: MP4Writer) {
    let storage = MemoryStorage()
    change(storage)
    let tracks = streams.map(\.track)
    let writer = try MP4Writer(
      storage: storage, path: "test.mp4",
      movie: try MP4Writer.movie(container: container, tracks: tracks, options: options), formats: tracks,
      options: options)
    for mark in marks { writer.mark(at: mark.time, title: mark.title) }
    for (track, packet) in TestStream.interleaved(streams) { try writer.write(packet, track: track) }
    if finished { try writer.finish() }
    return (storage, writer)
  }
}
