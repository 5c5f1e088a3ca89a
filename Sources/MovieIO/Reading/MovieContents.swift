import CFFmpeg
import FrameCore

/// What a media file holds besides its pictures and the sound that is read.
public struct MovieContents: Sendable, Hashable {
  /// In ascending order, from the moment of the first picture, or of the first sound if there are no pictures. One that
  /// began before that begins there. A chapter without a title has an empty one.
  public var chapters: [MovieChapter]
  /// How many sounds it has, such as languages.
  public var soundTracks: Int

  /// More chapters than this are not read: no player lists them.
  private static let mostChapters: Int32 = 10_000

  /// Reads the file's index.
  ///
  /// - Throws: `SafelightError` if it does not exist, may not be read, or is damaged at its beginning.
  public init(path: String) throws {
    let file = try LocalMediaFile(path: path)
    var status = CFFMPEG_OPENED
    let (opened, message) = FFmpegVersion.explaining { cffmpeg_contents_open(file.descriptor, &status, $0) }
    guard let opened else { throw SoundTrackReader.error(status, message, path: path) }
    defer { cffmpeg_contents_free(opened) }
    soundTracks = Int(cffmpeg_contents_sounds(opened))
    let start = cffmpeg_contents_start(opened)
    chapters = []
    var data = cffmpeg_chapter_data()
    for index in 0..<Self.mostChapters {
      guard cffmpeg_contents_chapter(opened, index, &data) else { break }
      let moment = data.start - start
      guard data.has_start, moment.isFinite else { continue }
      chapters.append(MovieChapter(start: moment, title: data.title.map { String(cString: $0) } ?? ""))
    }
    chapters.sort { $0.start < $1.start }
    guard let first = chapters.lastIndex(where: { $0.start <= 0 }) else { return }
    chapters.removeFirst(first)
    chapters[0].start = 0
  }
}
