import FrameCore
import TestSupport
import Testing

@testable import MovieIO

/// What FFmpeg, on which most players rest, reads from our files.
@Suite("MP4 files in FFmpeg", .installed(.ffprobe, .ffmpeg))
struct PlayerTests {
  private func write(
    _ streams: [TestStream], _ container: MovieContainer = .mp4, finished: Bool = true,
    options: MP4Writer.Options = testOptions(), marks: [MovieMark] = []
  ) throws -> (scratch: Scratch, path: String) {
    let scratch = try Scratch()
    let bytes = try MemoryStorage.movie(
      streams, container, options: options, finished: finished, marks: marks
    )
    .storage.bytes
    return (scratch, try scratch.write(bytes, to: "a.\(container.rawValue)"))
  }

  /// What FFmpeg's decoders complain about.
  private func complaints(_ path: String) throws -> String {
    try ExternalProgram.ffmpeg.transcript([
      "-v", "error", "-i", path, "-map", "0:v?", "-map", "0:a?", "-f", "null", "-",
    ])
  }

  @Test(
    "Each codec is named, decoded without complaint and has all packets at their times",
    arguments: [
      ("h264", "avc1"), ("hevc", "hvc1"), ("av1", "av01"), ("prores", "apco"), ("aac", "mp4a"),
      ("opus", "Opus"),
      ("flac", "fLaC"),
    ])
  func codecs(name: String, code: String) throws {
    let stream = try TestStream(name)
    for container in [MovieContainer.mp4, .mov] where name != "prores" || container == .mov {
      // FFmpeg reads neither from QuickTime files.
      if container == .mov, name == "opus" || name == "flac" { continue }
      let (scratch, path) = try write([stream], container)
      defer { withExtendedLifetime(scratch) {} }
      #expect(
        try MediaProgram.transcript(path, "-show_entries", "stream=codec_name,codec_tag_string") == [
          "\(name),\(code)"
        ])
      #expect(try complaints(path) == "")
      let packets = try MediaProgram.transcript(path, "-show_entries", "packet=pts,dts,size")
      #expect(packets == stream.packets.map { "\($0.presentation),\($0.decode),\($0.bytes.count)" })
    }
  }

  @Test("Colour, aspect and dates are those that were asked for", arguments: [MovieContainer.mp4, .mov])
  func tags(container: MovieContainer) throws {
    let stream = try TestStream("h264", aspect: SampleAspect(width: 16, height: 15))
    let (scratch, path) = try write([stream], container, options: testOptions { $0.tool = "Tester 1" })
    defer { withExtendedLifetime(scratch) {} }
    #expect(
      try MediaProgram.transcript(
        path, "-show_entries",
        "stream=width,height,sample_aspect_ratio,color_range,color_space,color_transfer,color_primaries")
        == ["64,48,16:15,tv,bt709,bt709,bt709"])
    // 1 700 000 000 s since 1970.
    #expect(
      try MediaProgram.transcript(path, "-show_entries", "format_tags=creation_time,encoder")
        == ["2023-11-14T22:13:20.000000Z,Tester 1"])
  }

  @Test("Players turn pictures as their orientation says", arguments: Orientation.allCases)
  func orientation(_ orientation: Orientation) throws {
    func picture(_ orientation: Orientation) throws -> [UInt8] {
      let (scratch, path) = try write([try TestStream("h264", orientation: orientation)])
      _ = try ExternalProgram.ffmpeg.transcript([
        "-v", "error", "-i", path, "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo",
        scratch("a.gray"),
      ])
      return try scratch.read("a.gray")
    }
    let (stored, shown) = (try picture(.up), try picture(orientation))
    try #require(stored.count == 64 * 48 && shown.count == 64 * 48)
    let width = orientation.swapsAxes ? 48 : 64
    for y in 0..<48 {
      for x in 0..<64 {
        // Mirror first, then turn clockwise: (x, y) → (h − 1 − y, x).
        var (column, row, w, h) = (orientation.isMirrored ? 63 - x : x, y, 64, 48)
        for _ in 0..<orientation.quarterTurns { (column, row, w, h) = (h - 1 - row, column, h, w) }
        guard shown[row * width + column] == stored[y * 64 + x] else {
          Issue.record("\(orientation) at \(x), \(y)")
          return
        }
      }
    }
  }

  @Test(
    "Marks are chapters up to the end, in MP4 and in MOV, and so is what is before the first one",
    arguments: [MovieContainer.mp4, .mov])
  func chapters(container: MovieContainer) throws {
    let marks = [MovieMark(time: 45_000, title: "One"), MovieMark(time: 120_000, title: "„Größe“ 大")]
    let (scratch, path) = try write([try TestStream("h264")], container, marks: marks)
    defer { withExtendedLifetime(scratch) {} }
    let told = try MediaProgram.transcript(
      path, "-show_entries", "chapter=start_time,end_time:chapter_tags=title")
    #expect(told == ["0.000000,0.500000,Start", "0.500000,1.333333,One", "1.333333,3.000000,„Größe“ 大"])
  }

  @Test("PCM has its samples, and AmbiX says that it is", arguments: [16, 24, 32])
  func pcm(bits: Int) throws {
    for (container, layout) in [
      (MovieContainer.mov, ChannelLayout.stereo), (.mov, .ambiX), (.mp4, .stereo), (.mp4, .ambiX),
    ] {
      // FFmpeg before 6.1 does not read float in MP4.
      if container == .mp4, bits == 32 { continue }
      let stream = TestStream.pcm(bits: bits, layout: layout, seconds: 1.1)
      let (scratch, path) = try write([stream], container)
      let format = bits == 32 ? "f32le" : "s\(bits)le"
      _ = try ExternalProgram.ffmpeg.transcript([
        "-v", "error", "-i", path, "-f", format, "-c:a", "pcm_\(format)", scratch("a.raw"),
      ])
      #expect(try scratch.read("a.raw") == stream.packets.flatMap(\.bytes))
      if layout == .ambiX {
        #expect(
          try MediaProgram.transcript(path, "-show_entries", "stream=channel_layout") == ["ambisonic 1"])
      }
    }
  }

  @Test("Cut anywhere, a file is decoded up to the last whole fragment")
  func cut() throws {
    let streams = [try TestStream("h264"), try TestStream("aac")]
    let (whole, _) = try MemoryStorage.movie(
      streams, options: testOptions { $0.reservedBytes = 512 }, finished: false)
    let scratch = try Scratch()
    var counts: [Int] = []
    for length in stride(from: 4000, through: whole.bytes.count, by: 1409) {
      let bytes = Array(whole.bytes.prefix(length))
      let path = try scratch.write(bytes, to: "cut.mp4")
      let expected = ParsedMovie(bytes).tracks.map { $0.samples.count }
      // FFmpeg also reads what is there of the fragment that is cut, and complains about the first packet
      // that is not.
      let found = try ExternalProgram.ffprobe.transcript([
        "-v", "quiet", "-of", "csv=p=0", "-count_packets", "-show_entries", "stream=nb_read_packets", path,
      ]
      ).split(separator: "\n").compactMap { Int($0) }
      #expect(
        zip(found, expected).allSatisfy { $0 >= $1 } && found.count == 2, "\(length): \(found) \(expected)")
      counts.append(found.first ?? 0)
    }
    #expect(counts == counts.sorted() && (counts.last ?? 0) >= 40)
  }
}
