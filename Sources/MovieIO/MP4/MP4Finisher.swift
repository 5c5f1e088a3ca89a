import FrameCore

/// Where a finished movie has its index.
public enum MovieLayout: String, Sendable, Hashable, Codable {
  /// Before the media, as players on the web want it.
  case indexFirst
  /// Behind the media: an ordinary file, whose end must be there to play it.
  case indexLast
  /// Still in fragments, as while it was written; most players read that, few seek well in it.
  case fragmented
}

/// Turns a fragmented file into an ordinary one in place.
///
/// The file begins with `ftyp`, a `free` box that was reserved for the index, and the media: a `moov` and
/// fragments. The index is put into the reserved room, and everything behind it becomes the content of one
/// `mdat`: no sample moves. Until the type of the reserved box is changed, by one write of 8 bytes within a
/// sector, what was written is ignored by readers, so a crash leaves either file. Where the room is too
/// small, blocks are inserted into it (ext4, XFS) so that readers find their way both before and after;
/// otherwise the file is copied, or the index goes to the end.
struct MP4Finisher {
  let storage: any MP4Storage
  /// The place of the reserved box.
  let reserveStart: Int64
  /// The end of the reserved box.
  private(set) var mediaStart: Int64
  /// The most bytes to copy for an index at the front.
  let largestCopy: Int64

  private static let boxHeader: Int64 = 8
  private static let longBoxHeader: Int64 = 16

  init(storage: any MP4Storage, reserveStart: Int64, mediaStart: Int64, largestCopy: Int64) {
    self.storage = storage
    self.reserveStart = reserveStart
    self.mediaStart = mediaStart
    self.largestCopy = largestCopy
  }

  /// - Throws: `SafelightError`; the file stays as readable as it was.
  mutating func finish(_ movie: MP4Movie) throws -> MovieLayout {
    let end = try storage.length
    let side = movie.sideBytes
    // Its size does not depend on the offsets that it holds, only on whether they are long.
    let short = Int64(movie.header(mediaStart: 0, sideStart: 0, usesLongOffsets: false).count)
    let usesLongOffsets = end + 3 * short + 1 << 20 > UInt32.max
    let index =
      usesLongOffsets
      ? Int64(movie.header(mediaStart: 0, sideStart: 0, usesLongOffsets: true).count) : short
    let needed = index + Self.longBoxHeader + Int64(side.count)
    if try makeRoom(needed) {
      let sideStart = reserveStart + index + Self.longBoxHeader
      let bytes =
        movie.header(mediaStart: mediaStart, sideStart: sideStart, usesLongOffsets: usesLongOffsets)
        + Self.mediaHeader(end: try storage.length, start: reserveStart + index) + side
      try storage.write(Array(bytes.dropFirst(8)), at: reserveStart + Self.boxHeader)
      try storage.synchronize()
      try flip(Array(bytes.prefix(8)))
      return .indexFirst
    }
    if end - mediaStart <= largestCopy, storage.freeSpace > end + needed {
      try copy(movie, index: index, side: side, end: end, usesLongOffsets: usesLongOffsets)
      return .indexFirst
    }
    guard mediaStart - reserveStart >= Self.longBoxHeader else { return .fragmented }
    try append(movie, side: side, end: end, usesLongOffsets: usesLongOffsets)
    return .indexLast
  }

  /// Changes the type of the reserved box: the one moment at which the file turns from one kind into the
  /// other.
  private func flip(_ header: [UInt8]) throws {
    try storage.write(header, at: reserveStart)
    try storage.synchronize()
  }

  private static func mediaHeader(end: Int64, start: Int64) -> [UInt8] {
    var bytes = MP4Bytes()
    bytes.u32(1)
    bytes.code("mdat")
    bytes.u64(end - start)
    return bytes.bytes
  }

  private static func freeHeader(_ size: Int64) -> [UInt8] {
    var bytes = MP4Bytes()
    bytes.u32(Int(size))
    bytes.code("free")
    return bytes.bytes
  }

  /// Grows the reserved box to `needed` bytes.
  private mutating func makeRoom(_ needed: Int64) throws -> Bool {
    while mediaStart - reserveStart < needed {
      guard try grow(by: needed - (mediaStart - reserveStart)) > 0 else { return false }
    }
    return true
  }

  /// Grows the reserved box, at most to about twice its size, and moves the media by as much.
  ///
  /// After an insertion of L bytes a reader that skips the old box arrives L bytes too early. So a small
  /// `free` box of L bytes is put there before, which leads it to the media; then the first box is made
  /// larger.
  ///
  /// - Returns: the bytes that were inserted, at most `missing` in whole blocks; 0 if the file system cannot.
  mutating func grow(by missing: Int64) throws -> Int64 {
    let block = storage.blockSize
    let place = (reserveStart + Self.boxHeader + block - 1) / block * block
    let length = min((missing + block - 1) / block * block, (mediaStart - place) / block * block)
    guard length > 0, mediaStart + length - reserveStart < UInt32.max else { return 0 }
    try storage.write(Self.freeHeader(length), at: mediaStart - length)
    try storage.synchronize()
    guard try storage.insert(length, at: place) else { return 0 }
    mediaStart += length
    try storage.synchronize()
    try flip(Self.freeHeader(mediaStart - reserveStart))
    return length
  }

  /// Writes the file again, with the index before the media.
  private mutating func copy(
    _ movie: MP4Movie, index: Int64, side: [UInt8], end: Int64, usesLongOffsets: Bool
  ) throws {
    let fileType = try storage.read(Int(reserveStart), at: 0)
    let used = reserveStart + index + Self.longBoxHeader + Int64(side.count)
    // Blocks can be shared only if the media keep their place within one.
    let block = storage.blockSize
    let padding = ((mediaStart - used) % block + block) % block
    let start = used + padding
    let front =
      fileType
      + movie.header(
        mediaStart: start, sideStart: reserveStart + index + Self.longBoxHeader,
        usesLongOffsets: usesLongOffsets)
      + Self.mediaHeader(end: start + end - mediaStart, start: reserveStart + index) + side
      + [UInt8](repeating: 0, count: Int(padding))
    try storage.replace(front: front, keepingFrom: mediaStart)
  }

  /// Puts the index behind the media, as OBS does.
  private func append(_ movie: MP4Movie, side: [UInt8], end: Int64, usesLongOffsets: Bool) throws {
    // A box of their own, so that readers of the fragments pass over these bytes.
    var tail = MP4Bytes()
    if !side.isEmpty { tail.box("mdat") { $0.raw(side) } }
    let indexStart = end + Int64(tail.bytes.count)
    tail.raw(
      movie.header(
        mediaStart: mediaStart, sideStart: end + Self.boxHeader, usesLongOffsets: usesLongOffsets))
    do {
      try storage.write(tail.bytes, at: end)
    } catch {
      try? storage.truncate(to: end)
      throw error
    }
    try storage.synchronize()
    let header = Self.mediaHeader(end: indexStart, start: reserveStart)
    try storage.write(Array(header.dropFirst(8)), at: reserveStart + Self.boxHeader)
    try storage.synchronize()
    try flip(Array(header.prefix(8)))
  }
}
