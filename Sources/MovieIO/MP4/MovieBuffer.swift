/// A movie in memory, for short ones that become part of another file. It is complete once its writer has
/// finished.
public final class MovieBuffer {
  public private(set) var bytes: [UInt8] = []

  public init() {}
}

extension MovieBuffer: MP4Storage {
  var length: Int64 { Int64(bytes.count) }
  var blockSize: Int64 { 1 }
  var freeSpace: Int64 { .max >> 1 }

  func write(_ more: [UInt8], at offset: Int64) throws {
    let (start, end) = (Int(offset), Int(offset) + more.count)
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(start..<end, with: more)
  }

  func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
    Array(bytes.dropFirst(Int(offset)).prefix(count))
  }

  func truncate(to length: Int64) throws { bytes.removeSubrange(min(Int(length), bytes.count)...) }

  /// Memory is as safe as it gets.
  func synchronize() throws {}

  func insert(_ length: Int64, at offset: Int64) throws -> Bool {
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: Int(length)), at: Int(offset))
    return true
  }

  func replace(front: [UInt8], keepingFrom offset: Int64) throws {
    bytes = front + bytes.dropFirst(Int(offset))
  }
}

extension MP4Writer {
  /// Writes into memory; of the options, `overwrite` has no effect.
  ///
  /// - Throws: `SafelightError`: `.unsupported` for what the container does not take, `.invalidValue`.
  public convenience init(
    into buffer: MovieBuffer, container: MovieContainer, tracks: [MovieTrack], options: Options = Options()
  ) throws {
    let movie = try Self.movie(container: container, tracks: tracks, options: options)
    try self.init(storage: buffer, path: "in memory", movie: movie, formats: tracks, options: options)
  }
}
