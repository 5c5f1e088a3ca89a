/// A named moment of a movie, which players list as a chapter.
public struct MovieMark: Sendable, Hashable {
  /// In 1/90000 s since the movie's start.
  public var time: Int64
  public var title: String

  public init(time: Int64, title: String) {
    self.time = time
    self.title = title
  }
}

extension MP4Movie {
  /// The tracks that serve others, and their bytes, which lie together at one place.
  func sideTracks(duration: Int64) -> (tracks: [MP4Track], bytes: [UInt8], chapters: Int?) {
    var next = (tracks.map(\.id).max() ?? 0) + 1
    var (side, bytes): ([MP4Track], [UInt8]) = ([], [])
    var chapters: Int?
    let marks = MP4Chapters.ordered(marks, within: duration)
    if !marks.isEmpty {
      side.append(MP4Chapters.track(marks, id: next, duration: duration, bytes: &bytes))
      chapters = next
      next += 1
    }
    if let stillImageTime, let video = tracks.first(where: { $0.kind == .video }) {
      side.append(
        Self.stillImageTrack(stillImageTime, id: next, describing: video.id, bytes: &bytes))
    }
    return (side, bytes, chapters)
  }

  /// The bytes of the side tracks; they do not depend on anything's place.
  var sideBytes: [UInt8] {
    sideTracks(
      duration: tracks.map { track in
        let edit = MP4Edit(track.table, timeScale: track.timeScale, end: end)
        return edit.emptyDuration + edit.duration
      }.max() ?? 0
    ).bytes
  }

  /// One sample at the picture's moment, whose value −1 says that there is a picture.
  ///
  /// Source: QuickTime File Format specification, timed metadata (mebx); Apple's sample code LivePhoto.
  private static func stillImageTrack(
    _ time: Int64, id: Int, describing video: Int, bytes: inout [UInt8]
  ) -> MP4Track {
    let entry = MP4Bytes.box("mebx") {
      $0.zeros(6)
      $0.u16(1)
      $0.box("keys") {
        // A local key; its number names the values in samples.
        $0.box("\0\0\0\u{1}") {
          $0.box("keyd") {
            $0.code("mdta")
            $0.text("com.apple.quicktime.still-image-time")
          }
          $0.box("dtyp") {
            // Of the well-known types, a signed integer of 8 bits.
            $0.u32(0)
            $0.u32(65)
          }
        }
      }
    }
    var track = MP4Track(id: id, kind: .metadata, timeScale: timeScale, sampleEntry: entry)
    track.reference = ("cdsc", video)
    track.table.beginChunk(at: Int64(bytes.count))
    let sample = MP4Bytes.box("\0\0\0\u{1}") { $0.u8(-1) }
    bytes += sample
    let moment = max(time, 0)
    track.table.append(
      size: UInt32(sample.count), decode: moment, presentation: moment, duration: timeScale / 100, isKey: true
    )
    return track
  }
}

/// Chapters, in the two ways that players read: a list (`chpl`: VLC, FFmpeg, mpv) and a track of text
/// (QuickTime too).
///
/// Sources: Nero's list as FFmpeg's movenc.c and VLC's mp4.c have it; QuickTime File Format specification,
/// chapter lists and text media.
enum MP4Chapters {
  /// The list counts with one byte.
  private static let mostListed = 255

  /// Returns marks in their order, those beyond the end left out. What is before the first one becomes a chapter too:
  /// players count the end of the last one from the beginning of the first.
  static func ordered(_ marks: [MovieMark], within duration: Int64) -> [MovieMark] {
    let marks = marks.filter { (0..<max(duration, 1)).contains($0.time) }.sorted { $0.time < $1.time }
    guard let first = marks.first, first.time > 0 else { return marks }
    return [MovieMark(time: 0, title: "Start")] + marks
  }

  static func writeList(_ marks: [MovieMark], into output: inout MP4Bytes) {
    let marks = ordered(marks, within: .max).prefix(mostListed)
    guard !marks.isEmpty else { return }
    output.fullBox("chpl", version: 1) {
      $0.u32(0)
      $0.u8(marks.count)
      for mark in marks {
        // In 100 ns.
        $0.u64(MP4Time.rescale(mark.time, from: MP4Movie.timeScale, to: 10_000_000))
        let title = shortened(mark.title, to: 255)
        $0.u8(title.count)
        $0.raw(title)
      }
    }
  }

  static func track(_ marks: [MovieMark], id: Int, duration: Int64, bytes: inout [UInt8]) -> MP4Track {
    // Thousandths would lose the exact frame, so the ticks are the movie's.
    var track = MP4Track(id: id, kind: .text, timeScale: MP4Movie.timeScale, sampleEntry: entry)
    track.table.beginChunk(at: Int64(bytes.count))
    for (index, mark) in marks.enumerated() {
      let end = index + 1 < marks.count ? marks[index + 1].time : max(duration, mark.time + 1)
      let title = shortened(mark.title, to: 65_535)
      var sample = MP4Bytes()
      sample.u16(title.count)
      sample.raw(title)
      // The text is UTF-8.
      sample.box("encd") { $0.u32(0x100) }
      bytes += sample.bytes
      track.table.append(
        size: UInt32(sample.bytes.count), decode: mark.time, presentation: mark.time,
        duration: end - mark.time,
        isKey: true)
    }
    return track
  }

  /// Cuts at a character.
  private static func shortened(_ title: String, to count: Int) -> [UInt8] {
    var title = title
    while title.utf8.count > count { title.removeLast() }
    return Array(title.utf8)
  }

  /// Text without a style: QuickTime's defaults, and an empty font name.
  private static var entry: [UInt8] {
    MP4Bytes.box("text") {
      $0.zeros(6)
      $0.u16(1)
      $0.u32(1)
      $0.u32(0)
      $0.zeros(6 + 8 + 8 + 2 + 2 + 1 + 2 + 6)
      $0.u8(0)
    }
  }
}
