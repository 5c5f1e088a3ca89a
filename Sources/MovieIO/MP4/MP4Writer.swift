import Files
import FrameCore
import Libc

/// Writes .mp4 and .mov files that survive a crash: fragmented while they are written, ordinary once they are
/// closed.
///
/// A fragment is written at least every half second of media and before each key frame, by one write that is
/// flushed to the disk. `finish` puts the index before the media (`MP4Finisher`).
///
/// Sources: ISO/IEC 14496-12 (ISO base media file format), QuickTime File Format specification.
public final class MP4Writer: MovieWriter {
  public struct Options: Sendable {
    /// The moment of the packets' clock that becomes the movie's start, in 1/90000 s: above 0 in the second
    /// segment of a recording. What is presented before is not shown; a track that begins later begins later.
    public var start: Int64 = 0
    /// Whether an existing file is replaced.
    public var overwrite = false
    /// When the movie was made, in seconds since 1970 UTC; nil is now.
    public var creationTime: Int64?
    /// The program that wrote it; nil leaves it out.
    public var tool: String? = SafelightVersion.software
    /// Ties the movie to a Live Photo's picture (.mov only).
    public var contentIdentifier: String?
    /// The moment of a Live Photo's picture in the packets' clock, in 1/90000 s.
    public var stillImageTime: Int64?
    /// The most bytes of media that `finish` may copy to put the index first, where the file system cannot
    /// insert blocks; larger movies have their index last.
    public var largestCopy: Int64 = 1 << 30
    /// Bytes at the front that are reserved for the index; `finish` enlarges them.
    public var reservedBytes = 32 << 10

    public init() {}
  }

  /// Media of at most this length are lost in a crash, apart from packets that the encoder still has, in
  /// seconds.
  static let longestFragment = 0.5

  /// Bytes by which the room grows at once; about the index of twenty minutes.
  private static let largestGrowth: Int64 = 512 << 10

  public private(set) var byteCount: Int64
  /// Where the index is; `fragmented` until `finish`.
  public private(set) var layout = MovieLayout.fragmented
  /// Why `finish` left the file fragmented; nil if it did not.
  public private(set) var layoutNote: String?

  private let storage: any MP4Storage
  private let path: String
  private var movie: MP4Movie
  private var queues: [MP4TrackQueue]
  private let options: Options
  private var finisher: MP4Finisher
  /// Whether the file system can insert blocks, as far as was tried.
  private var canGrow = true
  private var sequence = 0
  private var failure: SafelightError?
  private var isFinished = false
  private var isShortened = false

  /// Creates the file. `tracks` are numbered in their order, from 0.
  ///
  /// - Throws: `SafelightError`: `.unsupported` for what the container does not take, `.invalidValue`, and
  ///   all that prevents the file from being created.
  public convenience init(
    path: String, container: MovieContainer, tracks: [MovieTrack], options: Options = Options()
  ) throws {
    // What is wrong with the tracks must be said before an old file is replaced.
    let movie = try Self.movie(container: container, tracks: tracks, options: options)
    let file = try GrowingFile(creating: path, overwrite: options.overwrite)
    try self.init(storage: file, path: path, movie: movie, formats: tracks, options: options)
  }

  init(
    storage: any MP4Storage, path: String, movie: MP4Movie, formats: [MovieTrack], options: Options
  ) throws {
    self.storage = storage
    self.path = path
    self.movie = movie
    self.options = options
    queues = formats.map { MP4TrackQueue($0, start: options.start) }
    let fileType = movie.fileType()
    let reserveStart = Int64(fileType.count)
    let mediaStart = max(Int64(options.reservedBytes), reserveStart + 16)
    finisher = MP4Finisher(
      storage: storage, reserveStart: reserveStart, mediaStart: mediaStart, largestCopy: options.largestCopy)
    byteCount = mediaStart
    var front = MP4Bytes()
    front.raw(fileType)
    front.box("free") { $0.zeros(Int(mediaStart - reserveStart) - 8) }
    try storage.write(front.bytes, at: 0)
    try storage.synchronize()
  }

  static func movie(
    container: MovieContainer, tracks: [MovieTrack], options: Options
  ) throws -> MP4Movie {
    guard container != .mkv else {
      throw SafelightError(.invalidValue, "This writer makes .mp4 and .mov files, not Matroska")
    }
    guard options.contentIdentifier == nil || container == .mov else {
      throw SafelightError(
        .unsupported, "Only a .mov file can belong to a Live Photo", remedy: "name the movie .mov")
    }
    guard !tracks.isEmpty else { throw SafelightError(.invalidValue, "A movie needs at least one track") }
    var made: [MP4Track] = []
    for (index, track) in tracks.enumerated() {
      switch track {
      case .video(let format):
        var video = MP4Track(
          id: index + 1, kind: .video, timeScale: track.timeScale,
          sampleEntry: try MP4VideoEntry.make(format, in: container))
        let size = MP4VideoEntry.displaySize(format)
        (video.displaySize, video.matrix) = (size, MP4VideoEntry.matrix(format.orientation, size))
        made.append(video)
      case .audio(let format):
        var audio = MP4Track(
          id: index + 1, kind: .audio, timeScale: track.timeScale,
          sampleEntry: try MP4AudioEntry.make(format, in: container))
        audio.frameBytes = MP4AudioEntry.frameBytes(format)
        audio.roll = MP4AudioEntry.roll(format)
        made.append(audio)
      }
    }
    let created = options.creationTime ?? Int64(time(nil))
    return MP4Movie(
      container: container, tracks: made, creation: max(created + MP4Time.epoch, 0), tool: options.tool,
      contentIdentifier: options.contentIdentifier,
      stillImageTime: options.stillImageTime.map { $0 - options.start })
  }

  /// Names a moment of the packets' clock, in 1/90000 s; players list it as a chapter once the file is
  /// finished.
  public func mark(at time: Int64, title: String) {
    movie.marks.append(MovieMark(time: max(time - options.start, 0), title: title))
  }

  public func mark(seconds: Double, title: String) {
    mark(at: options.start + Int64((seconds * 90_000).rounded()), title: title)
  }

  public func write(_ packet: EncodedPacket, track: Int) throws {
    if let failure { throw failure }
    guard !isFinished else { throw SafelightError(.invalidValue, "The movie \(path) is already finished") }
    guard queues.indices.contains(track) else {
      throw SafelightError(.invalidValue, "The movie has no track \(track), only \(queues.count)")
    }
    let sample = try queues[track].prepare(packet, frameBytes: movie.tracks[track].frameBytes)
    if queues[track].needsFlush(before: sample) { try flush(arriving: sample, track: track) }
    queues[track].append(sample)
  }

  public func finish() throws { try finish(at: nil) }

  /// Completes the file, which ends at a moment of the packets' clock in 1/90000 s: what is presented later
  /// is not shown, and the last picture lasts until then.
  ///
  /// - Throws: `SafelightError` if the disk fails; what is in the file stays readable.
  public func finish(at end: Int64?) throws {
    guard !isFinished else { return }
    isFinished = true
    movie.end = end.map { max($0 - options.start, 0) }
    var late: SafelightError?
    if failure == nil {
      for track in queues.indices { queues[track].close(end: movie.end) }
      do { try flush(arriving: nil, track: nil) } catch let error as SafelightError { late = error }
    }
    // An index would promise what is gone; players read the fragments up to there.
    guard !isShortened else {
      if let late { throw late }
      return
    }
    do {
      layout = try finisher.finish(movie)
      if layout == .fragmented {
        layoutNote = "\(path) stays fragmented: there is no room in it for an index"
      }
    } catch let error as SafelightError where error.code == .noSpace {
      // It plays as it is, and MovieRecovery can finish it when there is space.
      layoutNote = "\(path) stays fragmented, because there is no space on the disk for its index"
    }
    byteCount = (try? storage.length) ?? byteCount
    if let late { throw late }
  }

  /// Writes what is complete as one fragment.
  private func flush(arriving: MP4Fragment.Sample?, track: Int?) throws {
    var runs: [MP4Fragment.Run] = []
    let now = arriving.flatMap { sample in track.map { queues[$0].seconds(sample.decode) } }
    let mediaTimes = queues.map(\.mediaTime)
    for index in queues.indices {
      let samples = queues[index].takeComplete(arriving: index == track ? arriving?.decode : nil, now: now)
      guard !samples.isEmpty else { continue }
      runs.append(
        MP4Fragment.Run(
          track: index, id: movie.tracks[index].id, mediaTime: mediaTimes[index], samples: samples))
    }
    guard !runs.isEmpty else { return }
    sequence += 1
    let fragment = MP4Fragment(sequence: sequence, runs: runs)
    var (bytes, dataStarts) = fragment.encoded()
    if sequence == 1 {
      let header = movie.fragmentedHeader(mediaTimes: mediaTimes)
      for (index, time) in mediaTimes.enumerated() { queues[index].describedMediaTime = time }
      dataStarts = dataStarts.map { $0 + header.count }
      bytes = header + bytes
    }
    do {
      try checkLength()
      try storage.write(bytes, at: byteCount)
      try storage.synchronize()
    } catch {
      // Readers stop at the last whole fragment anyway; the space of a part is of more use to others.
      if let length = try? storage.length, length > byteCount { try? storage.truncate(to: byteCount) }
      failure = error as? SafelightError ?? SafelightError(.file, "Cannot write \(path): \(error)")
      throw error
    }
    for (run, start) in zip(runs, dataStarts) {
      movie.tracks[run.track].table.add(run.samples, at: byteCount - finisher.mediaStart + Int64(start))
    }
    byteCount += Int64(bytes.count)
    try growRoom()
  }

  /// A fragment behind the end of a shortened file would leave a hole there.
  private func checkLength() throws {
    guard try storage.length < byteCount else { return }
    isShortened = true
    throw SafelightError(
      .file, "\(path) was shortened by somebody while it was written",
      remedy: "keep others from it, and record again")
  }

  /// Keeps the reserved room ahead of the index, so that `finish` need not make much of it at once.
  private func growRoom() throws {
    let room = finisher.mediaStart - finisher.reserveStart
    let index = movie.tracks.reduce(2048 + 512 * Int64(movie.tracks.count)) { $0 + $1.table.indexBytes }
    guard canGrow, index > room - room / 8 else { return }
    let before = finisher.mediaStart
    // Also if a flush fails after the media have moved.
    defer { byteCount += finisher.mediaStart - before }
    do {
      canGrow = try finisher.grow(by: min(room, Self.largestGrowth)) > 0
    } catch let error as SafelightError where error.code == .noSpace {
      // There is room for fragments yet, and finish will see.
      canGrow = false
    } catch {
      failure = error as? SafelightError
      throw error
    }
  }
}
