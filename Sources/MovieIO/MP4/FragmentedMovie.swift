import FrameCore

/// A fragmented movie as it is found in a file: what a recording that broke off has left.
struct FragmentedMovie {
  /// The tracks with the samples of all whole fragments.
  var movie: MP4Movie
  /// The place of the reserved box, or of the media if there is none.
  var reserveStart: Int64
  var mediaStart: Int64
  /// The end of the last whole fragment.
  var end: Int64

  enum Finding {
    case fragmented(FragmentedMovie)
    /// Its index is complete: nothing is to be done.
    case finished
  }

  /// Larger boxes other than `mdat` are not read: an hour's index takes 3 MB.
  private static let largestBox: Int64 = 256 << 20

  /// - Throws: `SafelightError(.corruptData)` if this is no movie, `.unsupported` if its fragments are of
  ///   another kind than ours.
  static func read(_ storage: any MP4Storage, path: String) throws -> Finding {
    func damaged(_ what: String) -> SafelightError {
      SafelightError(.corruptData, "\(path) cannot be recovered: \(what)")
    }
    let length = try storage.length
    guard let first = try header(storage, at: 0), first.type == "ftyp", (8...4096).contains(first.length)
    else {
      throw damaged("it does not begin like an MP4 file")
    }
    let fileType = try storage.read(Int(first.length), at: 0)
    var position = first.length
    let reserveStart = position
    // An enlargement that broke off leaves two or three of them.
    while let box = try header(storage, at: position), box.type == "free", box.length >= 8,
      box.length <= length - position
    {
      position += box.length
    }
    let mediaStart = position
    guard let box = try header(storage, at: position) else { throw damaged("it holds no media yet") }
    if box.type == "mdat" { return .finished }
    guard box.type == "moov", box.length <= min(length - position, largestBox) else {
      throw damaged("the description of its tracks is missing")
    }
    let moov = try storage.read(Int(box.length), at: position)
    guard var reader = MP4BoxReader(moov).find("moov") else {
      throw damaged("the description of its tracks is damaged")
    }
    guard reader.find("mvex") != nil else { return .finished }
    guard case (var movie, let mediaTimes)? = FragmentedHeader.read(&reader) else {
      throw damaged("the description of its tracks is damaged")
    }
    movie.container = fileType.dropFirst(8).starts(with: Array("qt  ".utf8)) ? .mov : .mp4
    position += box.length
    while let next = try header(storage, at: position), next.length >= 8, next.length <= length - position {
      switch next.type {
      case "mdat", "free", "styp", "sidx", "emsg", "prft":
        position += next.length
        continue
      case "moof": break
      // The index of a finish that broke off, or damage.
      default: return found()
      }
      guard next.length <= largestBox, let data = try header(storage, at: position + next.length),
        data.type == "mdat", data.length >= 8, data.length <= length - position - next.length
      else { return found() }
      let bytes = try storage.read(Int(next.length), at: position)
      let space = FragmentHeader.Space(
        fragment: position, media: mediaStart, end: position + next.length + data.length)
      guard FragmentHeader.add(bytes, to: &movie, mediaTimes: mediaTimes, in: space) else {
        guard movie.tracks.contains(where: { !$0.table.isEmpty }) else {
          throw SafelightError(
            .unsupported,
            "\(path) cannot be recovered: its fragments are not of the kind that Safelight writes",
            remedy: "try ffmpeg -i \(path) -c copy")
        }
        return found()
      }
      position += next.length + data.length
    }
    func found() -> Finding {
      .fragmented(
        FragmentedMovie(movie: movie, reserveStart: reserveStart, mediaStart: mediaStart, end: position))
    }
    return found()
  }

  private static func header(
    _ storage: any MP4Storage, at offset: Int64
  ) throws -> (type: String, header: Int, length: Int64)? {
    MP4BoxReader.header(try storage.read(16, at: offset))
  }
}

/// Reads the `moov` of a fragmented file.
enum FragmentedHeader {
  /// Returns the tracks without samples, and for each the time in its media that is the movie's start.
  static func read(_ moov: inout MP4BoxReader) -> (MP4Movie, [Int64])? {
    guard var header = moov.find("mvhd"), let version = header.fullHeader()?.version,
      let creation = header.unsigned(version == 1 ? 8 : 4)
    else { return nil }
    var movie = MP4Movie(container: .mp4, tracks: [], creation: creation)
    var mediaTimes: [Int64] = []
    while let box = moov.box() {
      switch box.type {
      case "trak":
        guard movie.tracks.count < 64, let (track, mediaTime) = track(box.content) else { return nil }
        movie.tracks.append(track)
        mediaTimes.append(mediaTime)
      case "udta", "meta": movie.preserved += box.whole
      default: break
      }
    }
    return movie.tracks.isEmpty ? nil : (movie, mediaTimes)
  }

  private static func track(_ trak: MP4BoxReader) -> (MP4Track, Int64)? {
    guard var header = trak.find("tkhd"), let version = header.fullHeader()?.version,
      header.skip(version == 1 ? 16 : 8), let id = header.unsigned(4), id > 0,
      header.skip((version == 1 ? 12 : 8) + 16)
    else { return nil }
    var matrix: [Int] = []
    for _ in 0..<9 {
      guard let value = header.signed(4) else { return nil }
      matrix.append(Int(value))
    }
    guard let width = header.unsigned(4), let height = header.unsigned(4),
      var media = trak.find("mdia", "mdhd"), let mediaVersion = media.fullHeader()?.version,
      media.skip(mediaVersion == 1 ? 16 : 8), let timeScale = media.unsigned(4), timeScale > 0,
      var handler = trak.find("mdia", "hdlr"), handler.skip(8), let code = handler.code(),
      var descriptions = trak.find("mdia", "minf", "stbl", "stsd"), descriptions.skip(8),
      let entry = descriptions.box()
    else { return nil }
    let kind: MP4Track.Kind
    switch code {
    case "vide": kind = .video
    case "soun": kind = .audio
    default: return nil
    }
    var track = MP4Track(id: Int(id), kind: kind, timeScale: timeScale, sampleEntry: entry.whole)
    (track.matrix, track.displaySize) = (matrix, (Int(width), Int(height)))
    switch entry.type {
    case "mp4a": track.roll = -1
    case "Opus": track.roll = -4
    case "sowt", "lpcm", "ipcm", "fpcm":
      guard let bytes = frameBytes(entry.content), bytes > 0 else { return nil }
      track.frameBytes = bytes
    default: break
    }
    return (track, mediaTime(trak) ?? 0)
  }

  /// The bytes of a PCM sample of all channels, from its description of version 0 or 2.
  private static func frameBytes(_ entry: MP4BoxReader) -> Int? {
    var entry = entry
    guard entry.skip(8), let version = entry.unsigned(2), entry.skip(6), let channels = entry.unsigned(2),
      let bits = entry.unsigned(2)
    else { return nil }
    guard version == 2 else { return Int(channels * bits / 8) }
    // The size of this structure, rate, channels, a constant, bits and flags stand before.
    guard entry.skip(8 + 4 + 8 + 4 + 4 + 4 + 4), let bytes = entry.unsigned(4), bytes <= 1 << 16 else {
      return nil
    }
    return Int(bytes)
  }

  /// The place in the media of the first edit that is not empty.
  private static func mediaTime(_ trak: MP4BoxReader) -> Int64? {
    guard var list = trak.find("edts", "elst"), let version = list.fullHeader()?.version,
      let count = list.unsigned(4)
    else { return nil }
    let size = version == 1 ? 8 : 4
    for _ in 0..<min(count, 16) {
      guard list.skip(size), let time = list.signed(size), list.skip(4) else { return nil }
      // Longer ago than any recording lasts; sums cannot overflow.
      if time >= 0 { return time <= 1 << 50 ? time : nil }
    }
    return nil
  }
}
