/// A track as its boxes describe it.
struct MP4Track {
  enum Kind {
    case video, audio
    /// Chapters' names.
    case text
    /// Timed metadata.
    case metadata

    /// The type in `hdlr`, and the name that QuickTime shows.
    var handler: (code: String, name: String) {
      switch self {
      case .video: ("vide", "VideoHandler")
      case .audio: ("soun", "SoundHandler")
      case .text: ("text", "SubtitleHandler")
      case .metadata: ("meta", "MetadataHandler")
      }
    }
  }

  /// From 1 on.
  var id: Int
  var kind: Kind
  /// Ticks per second.
  var timeScale: Int64
  /// The box in `stsd`.
  var sampleEntry: [UInt8]
  /// In 16.16 fixed point; 0 without pictures.
  var displaySize: (width: Int, height: Int) = (0, 0)
  var matrix = MP4VideoEntry.matrix(.up, (0, 0))
  /// Bytes of a sample of all channels of PCM; 0 for anything else.
  var frameBytes = 0
  /// The packets to decode before one to hear it right; negative.
  var roll: Int?
  /// References to other tracks: a type and an id.
  var reference: (type: String, id: Int)?
  /// Times count from the movie's start.
  var table = MP4SampleTable()
}

/// Which part of a track's media is shown when.
///
/// Source: ISO/IEC 14496-12, section 8.6.6.
struct MP4Edit: Equatable {
  /// Before the track begins, in ticks of the movie.
  var emptyDuration: Int64
  /// Where the media begins to be shown, in ticks of the track.
  var mediaTime: Int64
  /// In ticks of the movie.
  var duration: Int64

  /// - Parameters:
  ///   - end: of the movie in its ticks; nil if the track decides.
  init(_ table: MP4SampleTable, timeScale: Int64, end: Int64?) {
    guard !table.isEmpty else {
      (emptyDuration, mediaTime, duration) = (0, 0, 0)
      return
    }
    func inMovie(_ time: Int64) -> Int64 { MP4Time.rescale(time, from: timeScale, to: MP4Movie.timeScale) }
    let start = max(table.firstPresentation, 0)
    emptyDuration = inMovie(start)
    mediaTime = max(start - table.firstDecode, 0)
    duration = max(min(inMovie(table.endPresentation), end ?? .max) - emptyDuration, 0)
  }
}

enum MP4Time {
  /// Returns a time in other ticks, rounded to the nearest.
  static func rescale(_ time: Int64, from scale: Int64, to other: Int64) -> Int64 {
    guard scale != other else { return time }
    let (product, isLarge) = time.multipliedReportingOverflow(by: other)
    let (sum, overflow) = product.addingReportingOverflow(product < 0 ? -scale / 2 : scale / 2)
    guard !isLarge, !overflow else {
      // Only damaged files get here; sums of two results must not overflow.
      let bound = Double(1 << 61)
      return Int64(min(max((Double(time) / Double(scale) * Double(other)).rounded(), -bound), bound))
    }
    return sum / scale
  }

  /// The seconds from the epoch of the format, 1904-01-01 UTC, to Unix's.
  static let epoch: Int64 = 2_082_844_800
}

extension MP4Track {
  /// Writes the `trak` box.
  ///
  /// - Parameters:
  ///   - edit: nil for a track whose media is shown as it is.
  ///   - mediaStart: the place in the file that offsets of chunks count from.
  func write(
    into output: inout MP4Bytes, creation: Int64, isQuickTime: Bool, edit: MP4Edit?, mediaStart: Int64,
    usesLongOffsets: Bool
  ) {
    let isLong = creation > UInt32.max || table.duration > UInt32.max || (edit?.duration ?? 0) > UInt32.max
    func times(_ output: inout MP4Bytes) {
      for _ in 0..<2 { isLong ? output.u64(creation) : output.u32(Int(creation)) }
    }
    func number(_ value: Int64, _ output: inout MP4Bytes) {
      isLong ? output.u64(value) : output.u32(Int(value))
    }
    output.box("trak") {
      // In the movie, and enabled unless it only serves another track.
      let isEnabled = kind == .video || kind == .audio || kind == .metadata
      $0.fullBox("tkhd", version: isLong ? 1 : 0, flags: isEnabled ? 3 : 2) {
        times(&$0)
        $0.u32(id)
        $0.u32(0)
        number((edit?.emptyDuration ?? 0) + (edit?.duration ?? 0), &$0)
        $0.zeros(8)
        $0.u16(0)
        $0.u16(kind == .audio ? 1 : 0)
        $0.u16(kind == .audio ? 0x100 : 0)
        $0.u16(0)
        for value in matrix { $0.u32(value) }
        $0.u32(displaySize.width)
        $0.u32(displaySize.height)
      }
      if let edit { write(edit, into: &$0) }
      if let reference {
        $0.box("tref") { $0.box(reference.type) { $0.u32(reference.id) } }
      }
      $0.box("mdia") {
        $0.fullBox("mdhd", version: isLong ? 1 : 0) {
          times(&$0)
          $0.u32(Int(timeScale))
          number(table.duration, &$0)
          // Undetermined, packed in 5 bits a letter: `und`.
          $0.u16(0x55C4)
          $0.u16(0)
        }
        writeHandler(isQuickTime: isQuickTime, into: &$0)
        $0.box("minf") {
          writeMediaHeader(isQuickTime: isQuickTime, into: &$0)
          $0.box("dinf") {
            $0.fullBox("dref") {
              $0.u32(1)
              $0.fullBox("url ", flags: 1) { _ in }
            }
          }
          $0.box("stbl") {
            $0.fullBox("stsd") {
              $0.u32(1)
              $0.raw(sampleEntry)
            }
            table.write(
              into: &$0, mediaStart: mediaStart, usesLongOffsets: usesLongOffsets, frameBytes: frameBytes,
              roll: roll)
          }
        }
      }
    }
  }

  private func write(_ edit: MP4Edit, into output: inout MP4Bytes) {
    output.box("edts") {
      $0.fullBox("elst", version: 1) {
        $0.u32(edit.emptyDuration > 0 ? 2 : 1)
        if edit.emptyDuration > 0 {
          $0.u64(edit.emptyDuration)
          $0.u64(-1)
          $0.u32(0x1_0000)
        }
        $0.u64(edit.duration)
        $0.u64(edit.mediaTime)
        $0.u32(0x1_0000)
      }
    }
  }

  private func writeHandler(isQuickTime: Bool, into output: inout MP4Bytes) {
    func handler(_ component: String, _ code: String, _ name: String, _ output: inout MP4Bytes) {
      output.fullBox("hdlr") {
        // QuickTime has a component's type here and a Pascal string, ISO zeros and a C string.
        isQuickTime ? $0.code(component) : $0.u32(0)
        $0.code(code)
        $0.zeros(12)
        if isQuickTime { $0.u8(name.utf8.count) }
        $0.text(name)
        if !isQuickTime { $0.u8(0) }
      }
    }
    handler("mhlr", kind.handler.code, kind.handler.name, &output)
  }

  private func writeMediaHeader(isQuickTime: Bool, into output: inout MP4Bytes) {
    switch kind {
    case .video:
      output.fullBox("vmhd", flags: 1) { $0.zeros(8) }
    case .audio:
      output.fullBox("smhd") { $0.zeros(4) }
    case .text, .metadata:
      output.box("gmhd") {
        $0.fullBox("gmin") {
          // Mode copy of mid-grey, as QuickTime writes it.
          $0.u16(0x40)
          for _ in 0..<3 { $0.u16(0x8000) }
          $0.u32(0)
        }
        if kind == .text {
          $0.box("text") { for value in MP4VideoEntry.matrix(.up, (0, 0)) { $0.u32(value) } }
        }
      }
    }
    if isQuickTime {
      output.fullBox("hdlr") {
        $0.code("dhlr")
        $0.code("url ")
        $0.zeros(12)
        let name = "DataHandler"
        $0.u8(name.utf8.count)
        $0.text(name)
      }
    }
  }
}
