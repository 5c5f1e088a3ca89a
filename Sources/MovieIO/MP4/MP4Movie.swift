/// A movie as `moov` describes it.
struct MP4Movie {
  /// Ticks per second of edits and of the movie's duration.
  static let timeScale: Int64 = 90_000

  var container: MovieContainer
  var tracks: [MP4Track]
  /// Seconds since 1904 UTC.
  var creation: Int64
  /// The name of the program that wrote it.
  var tool: String?
  /// Ties a Live Photo's movie to its picture.
  var contentIdentifier: String?
  /// The moment of a Live Photo's picture, in ticks of the movie.
  var stillImageTime: Int64?
  var marks: [MovieMark] = []
  /// Boxes of metadata to be kept as they are, from a file that is recovered.
  var preserved: [UInt8] = []
  /// When it ends, in its ticks; nil if the longest track decides.
  var end: Int64?

  private var isQuickTime: Bool { container == .mov }

  /// The file type box: its size is a multiple of 8, so that the header behind it lies within one sector.
  func fileType() -> [UInt8] {
    MP4Bytes.box("ftyp") {
      $0.code(isQuickTime ? "qt  " : "isom")
      $0.u32(0x200)
      // iso5 and iso6: fragments whose offsets count from themselves.
      for brand in isQuickTime ? ["qt  ", "isom", "iso5", "iso6"] : ["isom", "iso5", "iso6", "mp41"] {
        $0.code(brand)
      }
    }
  }

  /// The `moov` of the file while it is written: it describes the tracks, and fragments follow.
  ///
  /// - Parameter mediaTimes: for each track the time in its media that is the movie's start.
  func fragmentedHeader(mediaTimes: [Int64]) -> [UInt8] {
    MP4Bytes.box("moov") {
      writeHeader(duration: 0, nextTrack: (tracks.map(\.id).max() ?? 0) + 1, into: &$0)
      for (track, mediaTime) in zip(tracks, mediaTimes) {
        var empty = track
        empty.table = MP4SampleTable()
        var edit: MP4Edit?
        if mediaTime != 0 {
          // The duration is open until the end is known.
          edit = MP4Edit(empty.table, timeScale: track.timeScale, end: nil)
          edit?.mediaTime = mediaTime
        }
        empty.write(
          into: &$0, creation: creation, isQuickTime: isQuickTime, edit: edit, mediaStart: 0,
          usesLongOffsets: false)
      }
      $0.box("mvex") {
        for track in tracks {
          $0.fullBox("trex") {
            $0.u32(track.id)
            $0.u32(1)
            $0.zeros(12)
          }
        }
      }
      writeMetadata(into: &$0)
    }
  }

  /// The `moov` of the finished file.
  ///
  /// - Parameters:
  ///   - mediaStart: the place in the file that chunks of tracks count from.
  ///   - sideStart: the place of `sideTracks`' bytes.
  func header(mediaStart: Int64, sideStart: Int64, usesLongOffsets: Bool) -> [UInt8] {
    let filled = tracks.filter { !$0.table.isEmpty }
    let shown = filled.isEmpty ? tracks : filled
    let edits = shown.map { MP4Edit($0.table, timeScale: $0.timeScale, end: end) }
    let duration = edits.map { $0.emptyDuration + $0.duration }.max() ?? 0
    let sides = sideTracks(duration: duration)
    return MP4Bytes.box("moov") {
      writeHeader(
        duration: duration, nextTrack: (tracks.map(\.id).max() ?? 0) + sides.tracks.count + 1, into: &$0)
      for (track, edit) in zip(shown, edits) {
        var track = track
        if let chapters = sides.chapters, track.id == shown.first?.id { track.reference = ("chap", chapters) }
        track.write(
          into: &$0, creation: creation, isQuickTime: isQuickTime, edit: edit, mediaStart: mediaStart,
          usesLongOffsets: usesLongOffsets)
      }
      for track in sides.tracks {
        track.write(
          into: &$0, creation: creation, isQuickTime: isQuickTime,
          edit: MP4Edit(track.table, timeScale: track.timeScale, end: nil), mediaStart: sideStart,
          usesLongOffsets: usesLongOffsets)
      }
      writeMetadata(into: &$0)
    }
  }

  private func writeHeader(duration: Int64, nextTrack: Int, into output: inout MP4Bytes) {
    let isLong = creation > UInt32.max || duration > UInt32.max
    output.fullBox("mvhd", version: isLong ? 1 : 0) {
      for _ in 0..<2 { isLong ? $0.u64(creation) : $0.u32(Int(creation)) }
      $0.u32(Int(Self.timeScale))
      isLong ? $0.u64(duration) : $0.u32(Int(duration))
      // Normal speed, full volume.
      $0.u32(0x1_0000)
      $0.u16(0x100)
      $0.zeros(10)
      for value in MP4VideoEntry.matrix(.up, (0, 0)) { $0.u32(value) }
      $0.zeros(24)
      $0.u32(nextTrack)
    }
  }

  private func writeMetadata(into output: inout MP4Bytes) {
    output.raw(preserved)
    if let contentIdentifier {
      output.box("meta") {
        Self.writeQuickTimeItem("com.apple.quicktime.content.identifier", contentIdentifier, &$0)
      }
    }
    guard tool != nil || !marks.isEmpty else { return }
    output.box("udta") {
      if let tool {
        if isQuickTime {
          $0.box("©too") {
            $0.u16(tool.utf8.count)
            $0.u16(0x55C4)
            $0.text(tool)
          }
        } else {
          $0.fullBox("meta") {
            $0.fullBox("hdlr") {
              $0.u32(0)
              $0.code("mdirappl")
              $0.zeros(9)
            }
            $0.box("ilst") { $0.box("©too") { Self.writeData(tool, &$0) } }
          }
        }
      }
      MP4Chapters.writeList(marks, into: &$0)
    }
  }

  /// Source: QuickTime File Format specification, metadata atoms; there `meta` has no version.
  private static func writeQuickTimeItem(_ key: String, _ value: String, _ output: inout MP4Bytes) {
    output.fullBox("hdlr") {
      $0.u32(0)
      $0.code("mdta")
      $0.zeros(13)
    }
    output.fullBox("keys") {
      $0.u32(1)
      $0.box("mdta") { $0.text(key) }
    }
    output.box("ilst") {
      // The type is the number of the key.
      $0.box("\0\0\0\u{1}") { writeData(value, &$0) }
    }
  }

  private static func writeData(_ text: String, _ output: inout MP4Bytes) {
    output.box("data") {
      // UTF-8, of no country.
      $0.u32(1)
      $0.u32(0)
      $0.text(text)
    }
  }
}
