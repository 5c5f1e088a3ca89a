import FrameCore
import Libc
import Synchronization

/// A file without a name that holds frames of a burst for which memory has no room.
///
/// The file goes with its last frame, or with the process, however that ends. Frames are written and read through the
/// system's cache, whose memory is not the process's. It takes at most half of what was free, since photos need room
/// too, and leaves a quarter of a gigabyte to others.
public final class PhotoSpool: Sendable {
  private let folder: String
  /// Negative until the first frame is written.
  private let file = Mutex<Int32>(-1)
  /// Where frames may lie: room that a released frame left, and the end of the file.
  private struct Space {
    var free: [Range<Int>] = []
    var end = 0
  }
  private let space = Mutex(Space())

  /// - Parameter folder: where there is room. The file is made when the first frame is written, and does not appear.
  public init(in folder: String) { self.folder = folder.isEmpty ? "." : folder }

  deinit {
    let descriptor = file.withLock { $0 }
    if descriptor >= 0 { Libc.close(descriptor) }
  }

  private func descriptor() throws -> Int32 {
    try file.withLock { descriptor in
      if descriptor < 0 { descriptor = Self.open(in: folder) }
      guard descriptor >= 0 else {
        throw SafelightError(
          .file, "No frames can be kept in \(folder): \(errorText(errno))",
          remedy: "give a folder that can be written to")
      }
      return descriptor
    }
  }

  private static func open(in folder: String) -> Int32 {
    // O_TMPFILE, a macro that Swift does not import.
    let temporary = 0o20_000_000 | O_DIRECTORY
    let nameless = Libc.open(folder, temporary | O_RDWR | O_CLOEXEC, 0o600)
    // Not all file systems have files without a name; there the name is taken away at once.
    guard nameless < 0, [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else { return nameless }
    var name = Array("\(folder)/.safelight-frames-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    if descriptor >= 0 {
      unlink(name)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    return descriptor
  }

  /// The length of the file in bytes.
  var length: Int {
    var facts = stat()
    let descriptor = file.withLock { $0 }
    return fstat(descriptor, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Writes what the camera sent, or else the frame's samples.
  ///
  /// - Throws: `SafelightError` if there is no room on the disk, or no file can be made.
  func write(_ frame: Frame) throws -> SpooledContent {
    if let mosaic = frame.mosaic {
      let (size, format, rowBytes) = (mosaic.size, mosaic.format, mosaic.rowBytes)
      let (transfer, neutral) = (mosaic.transfer, mosaic.neutral)
      return try write(mosaic.samples.bytes) { samples in
        .bayer(
          try BayerMosaic(
            samples, size: size, format: format, rowBytes: rowBytes, transfer: transfer, neutral: neutral))
      }
    }
    if let picture = frame.encoded { return try write(picture.bytes) { .jpeg($0) } }
    let (size, format) = (frame.buffer.size, frame.buffer.format)
    let (tags, alpha) = (frame.buffer.tags, frame.buffer.alpha)
    return try write(Self.rows(of: frame.buffer)) { spool, offset in
      let buffer = try PixelBuffer(size: size, format: format, tags: tags, alpha: alpha)
      try spool.read(Self.rows(of: buffer), at: offset)
      return .samples(buffer)
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer,
    as content: @escaping @Sendable (EncodedPicture) throws -> PhotoFrame.Content
  ) throws -> SpooledContent {
    try write([Self.piece(bytes)]) { [count = bytes.count] spool, offset in
      let picture = EncodedPicture(capacity: count)
      picture.setCount(count)
      try spool.read([Self.piece(picture.bytes)], at: offset)
      return try content(picture)
    }
  }

  private func write(_ pieces: [iovec], read: @escaping SpooledContent.Read) throws -> SpooledContent {
    let count = pieces.reduce(0) { $0 + $1.iov_len }
    let descriptor = try descriptor()
    let hasSlot = space.withLock { space in space.free.contains { $0.count >= count } }
    guard hasSlot || hasRoom(for: count, descriptor) else {
      throw SafelightError(
        .noSpace, "There is too little space in \(folder) for frames of a burst",
        remedy: "free some space, or take smaller frames")
    }
    let content = SpooledContent(at: reserve(count), of: self, read)
    try transfer(pieces, at: content.bytes.lowerBound) { pwritev(descriptor, $0, $1, $2) }
    return content
  }

  private func read(_ pieces: [iovec], at offset: Int) throws {
    let descriptor = try descriptor()
    try transfer(pieces, at: offset) { preadv(descriptor, $0, $1, $2) }
  }

  private static func piece(_ bytes: UnsafeRawBufferPointer) -> iovec {
    iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
  }

  /// All rows, without the gaps between them.
  private static func rows(of buffer: PixelBuffer) -> [iovec] {
    zip(buffer.planes, buffer.format.planes).flatMap { plane, layout in
      let count = layout.rowBytes(width: buffer.width)
      return (0..<plane.rows).map { iovec(iov_base: plane.row($0), iov_len: count) }
    }
  }

  /// Whether the file may grow by `count` bytes.
  private func hasRoom(for count: Int, _ descriptor: Int32) -> Bool {
    var facts = statvfs()
    guard fstatvfs(descriptor, &facts) == 0 else { return false }
    let free = Int(facts.f_bavail) * Int(facts.f_frsize)
    // What is free and what the file has was free before it.
    return free - count >= Self.spared && 2 * (length + count) <= free + length
  }

  /// The bytes of the disk that are left to others.
  private static let spared = 256 << 20

  private func reserve(_ count: Int) -> Range<Int> {
    space.withLock { space in
      // Frames of a stream have one size, so that the first place is as good as any.
      if let index = space.free.firstIndex(where: { $0.count >= count }) {
        return space.free.remove(at: index)
      }
      defer { space.end += count }
      return space.end..<space.end + count
    }
  }

  fileprivate func release(_ bytes: Range<Int>) {
    space.withLock { space in
      space.free.append(bytes)
      // Nothing is left: the disk's room is given back.
      if space.free.reduce(0, { $0 + $1.count }) == space.end {
        space = Space()
        ftruncate(file.withLock { $0 }, 0)
      }
    }
  }

  /// The most pieces of one call (IOV_MAX).
  private static let batch = 1024

  /// Moves all pieces between memory and file, where they lie one after the other.
  private func transfer(
    _ pieces: [iovec], at offset: Int, _ call: (UnsafePointer<iovec>, Int32, Int) -> Int
  ) throws {
    var (pieces, first, offset) = (pieces, 0, offset)
    while first < pieces.count {
      let moved = pieces[first...].prefix(Self.batch).withUnsafeBufferPointer { pieces in
        pieces.baseAddress.map { call($0, Int32(pieces.count), offset) } ?? 0
      }
      guard moved > 0 else {
        if moved < 0, errno == EINTR { continue }
        let why = moved == 0 ? "the file is shorter than was written" : errorText(errno)
        throw SafelightError(
          moved < 0 && errno == ENOSPC ? .noSpace : .file,
          "A frame of a burst cannot be kept on the disk: \(why)",
          remedy: "free some space, or take smaller frames")
      }
      offset += moved
      var rest = moved
      while first < pieces.count, rest >= pieces[first].iov_len {
        rest -= pieces[first].iov_len
        first += 1
      }
      if rest > 0 {
        pieces[first].iov_base += rest
        pieces[first].iov_len -= rest
      }
    }
  }
}

/// The content of one frame in a file; its room is used again once nobody refers to it.
final class SpooledContent: Sendable {
  typealias Read = @Sendable (_ spool: PhotoSpool, _ offset: Int) throws -> PhotoFrame.Content

  private let spool: PhotoSpool
  private let read: Read
  fileprivate let bytes: Range<Int>

  fileprivate init(at bytes: Range<Int>, of spool: PhotoSpool, _ read: @escaping Read) {
    (self.bytes, self.spool, self.read) = (bytes, spool, read)
  }

  deinit { spool.release(bytes) }

  /// Reads the content back.
  ///
  /// - Throws: `SafelightError` if memory is short, or the disk fails.
  func loaded() throws -> PhotoFrame.Content { try read(spool, bytes.lowerBound) }
}
