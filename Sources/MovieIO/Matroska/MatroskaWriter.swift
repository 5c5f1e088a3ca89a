import CFFmpeg
import Files
import Files
import FrameCore
import Libc

/// A moment of a movie with a name, which players offer to go to.
public struct MovieChapter: Sendable, Hashable {
  /// In seconds since the movie's start.
  public var start: Double
  public var title: String

  public init(start: Double, title: String) {
    self.start = start
    self.title = title
  }
}

/// Writes Matroska through libavformat. One thread at a time.
///
/// A cluster holds at most half a second and is on the disk (fdatasync) once it is complete, so a crash loses
/// no more than that and what the tracks are apart. The index and the chapters come at the end; without them
/// a file plays, but players search it by reading. Times are rounded to milliseconds, Matroska's usual unit.
public final class MatroskaWriter: MovieWriter {
  public let tracks: [MovieTrack]
  /// What players offer to go to; written by `finish`.
  public var chapters: [MovieChapter] = []
  public private(set) var byteCount: Int64 = 0
  /// One sentence for each thing that the file cannot say.
  public let notes: [String]

  private let path: String
  /// The file that this created; nil if the caller did.
  private var file: GrowingFile?
  private let muxer: OpaquePointer
  private var hasFinished = false
  /// The latest end of a packet, in seconds.
  private var duration = 0.0
  /// After a failed write the position in the file is unknown.
  private var failure: SafelightError?

  /// Writes the header.
  ///
  /// - Parameters:
  ///   - descriptor: a file open for reading and writing, empty, which stays open and belongs to the caller.
  ///   - path: its name for messages.
  /// - Throws: `SafelightError` if FFmpeg's libraries are missing, a track cannot be stored, or the disk is
  ///   full.
  public init(descriptor: Int32, path: String, tracks: [MovieTrack]) throws {
    guard (1...8).contains(tracks.count) else {
      throw SafelightError(
        .invalidValue, "A movie of \(tracks.count) tracks cannot be written", remedy: "use 1…8 tracks")
    }
    var status = CFFMPEG_ENCODER_OPENED
    let (opened, message) = FFmpegVersion.explaining { message in
      MatroskaTracks.withShim(tracks) { shim in
        cffmpeg_muxer_open(
          descriptor, shim.baseAddress, Int32(shim.count), "Safelight", &status, message)
      }
    }
    guard let opened else {
      if status == CFFMPEG_ENCODER_NO_LIBRARY { throw FFmpegVersion.missing("write \(path)", message) }
      throw SafelightError(
        .file, "Cannot write \(path): \(message)", remedy: "check the disk, or use mp4 or mov")
    }
    (self.path, self.tracks, muxer) = (path, tracks, opened)
    let isTurned = tracks.contains { track in
      if case .video(let video) = track { video.orientation != .up } else { false }
    }
    notes =
      isTurned
      ? ["FFmpeg's Matroska cannot state that pictures are turned, so players show them as stored"] : []
    byteCount = cffmpeg_muxer_bytes(opened)
  }

  /// Creates the file, and writes the header.
  ///
  /// - Throws: as `init(descriptor:path:tracks:)`; `.exists` if there is a file.
  public convenience init(creating path: String, tracks: [MovieTrack]) throws {
    let file = try GrowingFile(creating: path)
    try self.init(descriptor: file.descriptor, path: path, tracks: tracks)
    self.file = file
  }

  deinit { cffmpeg_muxer_free(muxer) }

  public func mark(seconds: Double, title: String) {
    chapters.append(MovieChapter(start: seconds, title: title))
  }

  public func write(_ packet: EncodedPacket, track: Int) throws {
    if let failure { throw failure }
    precondition(tracks.indices.contains(track) && !hasFinished)
    let scale = Double(tracks[track].timeScale)
    duration = max(duration, Double(packet.presentation + packet.duration) / scale)
    let result = packet.bytes.withUnsafeBufferPointer { bytes in
      var shim = cffmpeg_packet()
      (shim.bytes, shim.count) = (bytes.baseAddress, bytes.count)
      (shim.presentation, shim.decode) = (packet.presentation, packet.decode)
      (shim.duration, shim.is_key) = (packet.duration, packet.isKey)
      shim.skip_end = Self.padding(packet, tracks[track])
      return cffmpeg_muxer_write(muxer, Int32(track), &shim)
    }
    try check(result)
  }

  /// Samples at the end of the last block of sound that its encoder added to fill it.
  private static func padding(_ packet: EncodedPacket, _ track: MovieTrack) -> UInt32 {
    guard case .audio(let audio) = track, audio.codec == .aac || audio.codec == .opus, packet.duration > 0
    else {
      return 0
    }
    let whole = packet.bytes.withUnsafeBytes { PacketDuration.samples($0, audio) } ?? packet.duration
    return UInt32(max(0, min(whole - packet.duration, Int64(Int32.max))))
  }

  public func finish() throws {
    guard !hasFinished else { return }
    hasFinished = true
    let result = MatroskaTracks.withShim(chapters, end: duration) {
      cffmpeg_muxer_finish(muxer, $0.baseAddress, Int32($0.count))
    }
    try check(result)
  }

  private func check(_ result: Int32) throws {
    byteCount = cffmpeg_muxer_bytes(muxer)
    guard result < 0 else { return }
    let code = cffmpeg_muxer_errno(muxer)
    let error: SafelightError
    switch code {
    case ENOSPC, EDQUOT:
      error = SafelightError(
        .noSpace, "Cannot write \(path): the disk is full (the movie up to there plays)",
        remedy: "free some space or choose another disk")
    case 0:
      error = SafelightError(
        .invalidValue, "Cannot write \(path): \(FFmpegVersion.text(result))",
        remedy: "check that the times of each track increase")
    default:
      error = SafelightError(
        .file, "Cannot write \(path): \(errorText(code))", remedy: "check the disk")
    }
    // After a failed write the position in the file is unknown.
    if code != 0 { failure = error }
    throw error
  }
}
