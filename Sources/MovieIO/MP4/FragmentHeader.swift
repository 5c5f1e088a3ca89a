/// Reads the `moof` of a fragment.
///
/// Source: ISO/IEC 14496-12, section 8.8.
enum FragmentHeader {
  /// Places in the file.
  struct Space {
    /// Of the `moof`.
    var fragment: Int64
    /// That tables count from.
    var media: Int64
    /// Of the fragment's end.
    var end: Int64
  }

  /// A fragment that is longer than this was not written by us: half a second at 192 kHz has 94 samples of
  /// AAC.
  private static let mostSamples = 1 << 20

  /// Adds the samples of a fragment to the tracks.
  ///
  /// - Returns: false if it is damaged or of another kind; the tracks are as before then.
  static func add(_ moof: [UInt8], to movie: inout MP4Movie, mediaTimes: [Int64], in space: Space) -> Bool {
    guard var reader = MP4BoxReader(moof).find("moof") else { return false }
    var tracks = movie.tracks
    var room = mostSamples
    while let box = reader.box() {
      guard box.type == "traf" else { continue }
      guard addRun(box.content, &room, to: &tracks, mediaTimes: mediaTimes, in: space) else { return false }
    }
    movie.tracks = tracks
    return true
  }

  private struct Defaults {
    var track: Int
    var duration: Int64 = 0
    var size: Int64 = 0
    var flags: Int64 = 0

    init?(_ traf: MP4BoxReader, ids: [Int]) {
      guard var header = traf.find("tfhd"), let flags = header.fullHeader()?.flags,
        let id = header.unsigned(4), let track = ids.firstIndex(of: Int(id)),
        // Offsets count from the fragment, and the sample description is the only one.
        flags & 0x2_0000 != 0, flags & 0x3 == 0
      else { return nil }
      self.track = track
      if flags & 0x8 != 0 {
        guard let value = header.unsigned(4) else { return nil }
        duration = value
      }
      if flags & 0x10 != 0 {
        guard let value = header.unsigned(4) else { return nil }
        size = value
      }
      if flags & 0x20 != 0 {
        guard let value = header.unsigned(4) else { return nil }
        self.flags = value
      }
    }
  }

  private static func addRun(
    _ traf: MP4BoxReader, _ room: inout Int, to tracks: inout [MP4Track], mediaTimes: [Int64], in space: Space
  ) -> Bool {
    guard let defaults = Defaults(traf, ids: tracks.map(\.id)), var time = traf.find("tfdt"),
      let version = time.fullHeader()?.version, let start = time.unsigned(version == 1 ? 8 : 4),
      // Longer than any recording; sums cannot overflow.
      start <= 1 << 50
    else { return false }
    var reader = traf
    var decode = start - mediaTimes[defaults.track]
    // Later runs without an offset follow the data of the one before.
    var offset: Int64?
    while let box = reader.box() {
      guard box.type == "trun" else { continue }
      var run = box.content
      guard let (version, flags) = run.fullHeader(), let count = run.unsigned(4), count <= room else {
        return false
      }
      room -= Int(count)
      if flags & 0x1 != 0 {
        guard let value = run.signed(4) else { return false }
        offset = space.fragment + value
      }
      guard let place = offset, place >= space.fragment else { return false }
      var first: Int64?
      if flags & 0x4 != 0 {
        guard let value = run.unsigned(4) else { return false }
        first = value
      }
      guard
        let end = addSamples(
          &run, count: Int(count), flags: flags, first: first, isSigned: version > 0, defaults: defaults,
          decode: &decode, at: place, to: &tracks[defaults.track], in: space)
      else { return false }
      offset = end
    }
    return true
  }

  /// Returns the end of the samples' data.
  private static func addSamples(
    _ run: inout MP4BoxReader, count: Int, flags: Int, first: Int64?, isSigned: Bool, defaults: Defaults,
    decode: inout Int64, at offset: Int64, to track: inout MP4Track, in space: Space
  ) -> Int64? {
    guard count > 0 else { return offset }
    if !track.table.isEmpty, decode < track.table.lastDecode { return nil }
    track.table.beginChunk(at: offset - space.media)
    var place = offset
    for index in 0..<count {
      var (duration, size, own, shift) = (defaults.duration, defaults.size, defaults.flags, Int64(0))
      if let first, index == 0 { own = first }
      if flags & 0x100 != 0 {
        guard let value = run.unsigned(4) else { return nil }
        duration = value
      }
      if flags & 0x200 != 0 {
        guard let value = run.unsigned(4) else { return nil }
        size = value
      }
      if flags & 0x400 != 0 {
        guard let value = run.unsigned(4) else { return nil }
        own = value
      }
      if flags & 0x800 != 0 {
        guard let value = isSigned ? run.signed(4) : run.unsigned(4) else { return nil }
        shift = value
      }
      place += size
      guard size > 0, place <= space.end, let bytes = UInt32(exactly: size) else { return nil }
      if track.frameBytes > 0 {
        guard size.isMultiple(of: Int64(track.frameBytes)) else { return nil }
      }
      // Bit 16 of the flags: decoding cannot begin here.
      track.table.append(
        size: bytes, decode: decode, presentation: decode + shift, duration: duration,
        isKey: own & 0x1_0000 == 0)
      decode += duration
    }
    return place
  }
}
