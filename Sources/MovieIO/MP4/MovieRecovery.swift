import Files
import FrameCore

/// Finishes the files of recordings that broke off: by a crash, a kill or a power cut.
///
/// Such a file is playable as it is; afterwards it is an ordinary one, as if the recording had been stopped.
public enum MovieRecovery {
  public struct Report: Sendable, Hashable {
    public var layout: MovieLayout
    /// Bytes of an incomplete fragment at the end, which were cut off.
    public var droppedBytes: Int64
    /// Whether the file was finished before and has not been touched.
    public var wasFinished: Bool
    /// In seconds, of the longest track; 0 if the file was finished before.
    public var duration: Double
  }

  /// More than this is not cut off, however damaged it looks: a fragment is half a second.
  static let largestTail: Int64 = 64 << 20

  /// Finishes a fragmented .mp4 or .mov file of `MP4Writer` in place. Nobody else may be writing it.
  ///
  /// - Parameter largestCopy: as `MP4Writer.Options.largestCopy`.
  /// - Throws: `SafelightError`: `.corruptData` if there is nothing to recover, `.unsupported` for fragments
  ///   of another kind, `.noSpace`. The file is as readable as before then.
  @discardableResult
  public static func finish(_ path: String, largestCopy: Int64 = 1 << 30) throws -> Report {
    try finish(GrowingFile(opening: path), path: path, largestCopy: largestCopy)
  }

  static func finish(_ storage: any MP4Storage, path: String, largestCopy: Int64) throws -> Report {
    let found: FragmentedMovie
    switch try FragmentedMovie.read(storage, path: path) {
    case .finished: return Report(layout: .indexFirst, droppedBytes: 0, wasFinished: true, duration: 0)
    case .fragmented(let movie): found = movie
    }
    guard found.movie.tracks.contains(where: { !$0.table.isEmpty }) else {
      throw SafelightError(.corruptData, "\(path) cannot be recovered: it holds no complete fragment")
    }
    let tail = try storage.length - found.end
    let dropped = tail <= largestTail ? tail : 0
    if dropped > 0 {
      try storage.truncate(to: found.end)
      try storage.synchronize()
    }
    let room = found.mediaStart - found.reserveStart
    if room >= 8 {
      // One box again, if an enlargement broke off.
      var header = MP4Bytes()
      header.u32(Int(room))
      header.code("free")
      try storage.write(header.bytes, at: found.reserveStart)
      try storage.synchronize()
    }
    var finisher = MP4Finisher(
      storage: storage, reserveStart: found.reserveStart, mediaStart: found.mediaStart,
      largestCopy: largestCopy)
    let layout = try finisher.finish(found.movie)
    let end = found.movie.tracks.map { track in
      track.table.isEmpty ? 0 : Double(track.table.endPresentation) / Double(track.timeScale)
    }
    return Report(layout: layout, droppedBytes: dropped, wasFinished: false, duration: end.max() ?? 0)
  }
}
