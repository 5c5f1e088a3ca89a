import Libc

/// Whether a video file contains everything that its outermost boxes declare.
///
/// ISO media files (MP4, MOV), Matroska and AVI state the sizes of their parts, so truncation can usually be
/// detected by the length alone, independently of time stamps. For FLV, the end is examined.
enum ContainerExtent: Hashable {
  /// The last part ends at or before the end of the file, and no other was to follow.
  case whole
  /// The file ends within a part that contains frames, so some are lost. Unless `statesDuration`, the file's
  /// stated duration only covers the existing part.
  case cutInFrames(statesDuration: Bool)
  /// The file ends within another part, or in one that may contain more than frames.
  case cut
  /// The end is irregular, either by truncation or by careless writing.
  case doubtful
  /// A file of another kind, one written without knowing its sizes, or one that ends between two fragments, whose
  /// number is unknown.
  case unknown

  /// The most boxes examined. A fragment of an MP4 consists of two and usually lasts a second or more.
  private static let maximumBoxes = 500_000

  /// Reads the sizes from `descriptor` without moving its position.
  init(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      self = .unknown
      return
    }
    let file = Reader(descriptor: descriptor, size: UInt64(max(0, status.st_size)))
    switch (file.number(at: 0, bytes: 4), file.number(at: 4, bytes: 4)) {
    case (0x1A45_DFA3, _): self = Self.matroska(file)
    case (0x5249_4646, _): self = Self.riff(file)
    case (let start?, _) where start >> 8 == 0x46_4C56: self = Self.flash(file)
    // Every ISO media file begins with one of these boxes; QuickTime files may lack `ftyp`.
    case (_, let kind?)
    where ["ftyp", "styp", "moov", "mdat", "wide", "free", "skip"].contains(Self.name(kind)):
      self = Self.isoMedia(file)
    default: self = .unknown
    }
  }

  /// Boxes that contain frames, or that precede such boxes in a fragmented file.
  private static let frameBoxes: Set = ["mdat", "moof", "styp", "sidx", "ssix", "prft", "emsg"]

  /// ISO/IEC 14496-12, 4.2: 32-bit size and type; size 1 means that a 64-bit size follows, 0 that the box extends
  /// to the end.
  private static func isoMedia(_ file: Reader) -> ContainerExtent {
    var position: UInt64 = 0
    var (isFragmented, hasIndex) = (false, false)
    // More fragments may have followed, unless the index, which is written last, is present.
    var end: ContainerExtent { isFragmented && !hasIndex ? .unknown : .whole }
    var endWithinBox: ContainerExtent {
      // Anything after the index is not part of the video.
      !isFragmented ? .cut : hasIndex ? .whole : .cutInFrames(statesDuration: false)
    }
    for _ in 0..<maximumBoxes {
      guard position < file.size else { return end }
      guard let short = file.number(at: position, bytes: 4),
        let kind = file.number(at: position + 4, bytes: 4)
      else { return endWithinBox }
      guard short != 0 else { return .unknown }
      var size = short
      if short == 1 {
        guard let long = file.number(at: position + 8, bytes: 8) else { return endWithinBox }
        size = long
      }
      // Anything that is not a box was appended and is not part of the video.
      guard size >= 8, let name = name(kind) else { return end }
      if name == "moof" { isFragmented = true }
      if name == "mfra" { hasIndex = true }
      if size > file.size - position { return frameBoxes.contains(name) ? endWithinBox : end }
      position += size
    }
    return .unknown
  }

  /// Returns a box's type if it is plain ASCII, such as letters and digits.
  private static func name(_ kind: UInt64) -> String? {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: kind >> UInt64(24 - 8 * $0)) }
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0xA9 }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// RFC 8794 and RFC 9559: an EBML header, then a Segment of clusters and other elements; sizes may be unknown.
  private static func matroska(_ file: Reader) -> ContainerExtent {
    guard let header = file.element(at: 0), let headerSize = header.size,
      let segment = file.element(at: header.start + headerSize), segment.id == 0x1853_8067,
      let size = segment.size
    else { return .unknown }
    var position = segment.start
    for _ in 0..<maximumBoxes {
      guard let part = file.element(at: position), let size = part.size else { break }
      guard size <= file.size - part.start else {
        return part.id == 0x1F43_B675 ? .cutInFrames(statesDuration: true) : .whole
      }
      position = part.start + size
    }
    return size <= file.size - segment.start ? .whole : .cut
  }

  /// RIFF chunks, each with a little-endian 32-bit size; AVI files beyond a gigabyte have several RIFF chunks,
  /// each with its own list of frames.
  private static func riff(_ file: Reader) -> ContainerExtent {
    guard file.number(at: 8, bytes: 4) == 0x4156_4920 else { return .unknown }
    var position: UInt64 = 0
    for _ in 0..<maximumBoxes {
      guard let kind = file.number(at: position, bytes: 4), let size = file.littleEndian(at: position + 4)
      else {
        return .whole
      }
      switch (kind, file.number(at: position + 8, bytes: 4)) {
      // RIFF: descend into it.
      case (0x5249_4646, _): position += 12
      case (_, _) where size == 0xFFFF_FFFF: return .unknown
      // A LIST of type `movi` has size 0 if the recording was interrupted.
      case (0x4C49_5354, 0x6D6F_7669) where size == 0: return .unknown
      case (0x4C49_5354, 0x6D6F_7669) where size > file.size - position - 8:
        return .cutInFrames(statesDuration: false)
      default: position += 8 + size + size % 2
      }
    }
    return .unknown
  }

  /// Adobe's Flash Video: each tag is followed by its length. Some programs write 0 instead, or nothing after the
  /// last tag.
  private static func flash(_ file: Reader) -> ContainerExtent {
    guard file.size > 15 + 11, let length = file.number(at: file.size - 4, bytes: 4), length > 11,
      length <= file.size - 4, let stated = file.number(at: file.size - 4 - length + 1, bytes: 3),
      stated == length - 11
    else { return .doubtful }
    return .unknown
  }

  /// Reads numbers at positions in a file.
  private struct Reader {
    let descriptor: Int32
    let size: UInt64

    /// Returns a big-endian number of up to eight bytes; nil beyond the end.
    func number(at position: UInt64, bytes count: Int) -> UInt64? {
      guard position <= size, UInt64(count) <= size - position else { return nil }
      var bytes: UInt64 = 0
      let got = withUnsafeMutableBytes(of: &bytes) {
        pread(descriptor, $0.baseAddress, count, off_t(position))
      }
      guard got == count else { return nil }
      return bytes.bigEndian >> UInt64(64 - 8 * count)
    }

    /// Returns a little-endian number of four bytes.
    func littleEndian(at position: UInt64) -> UInt64? {
      number(at: position, bytes: 4).map { UInt64(UInt32(truncatingIfNeeded: $0).byteSwapped) }
    }

    /// Returns an EBML element: its identifier, the start of its contents, and their size, nil for “unknown”.
    func element(at position: UInt64) -> (id: UInt64, start: UInt64, size: UInt64?)? {
      guard let id = variable(at: position), let size = variable(at: position + UInt64(id.length)) else {
        return nil
      }
      let mask = (UInt64(1) << UInt64(7 * size.length)) - 1
      let start = position + UInt64(id.length + size.length)
      return (id.value, start, size.value & mask == mask ? nil : size.value & mask)
    }

    /// Returns a number of one to eight bytes, whose leading zeros give the length; the bit that ends them is
    /// kept.
    private func variable(at position: UInt64) -> (length: Int, value: UInt64)? {
      guard let first = number(at: position, bytes: 1), first > 0 else { return nil }
      let length = UInt8(first).leadingZeroBitCount + 1
      return number(at: position, bytes: length).map { (length, $0) }
    }
  }
}
