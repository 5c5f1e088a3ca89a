import FrameCore
import Foundation
import MovieIO
import TestSupport
import Testing

/// Matroska files, as ffprobe and ffmpeg read them.
@Suite("Matroska", .installed(.ffmpeg, .ffprobe))
struct MatroskaWriterTests {
  /// Pictures and sound of `seconds`, and a function that writes them in the order of their times.
  private struct Recording {
    let video: EncodedMovie
    let sound: [EncodedPacket]
    let soundFormat: EncodedAudioFormat
    var tracks: [MovieTrack] { [.video(video.format), .audio(soundFormat)] }

    init(seconds: Int, codec: AudioCodec = .aac) throws {
      video = try EncodedMovie(
        VideoEncoderSettings(size: PixelSize(width: 128, height: 96), tags: MovieScene.tags),
        count: seconds * 30, keepsSources: false)
      let format = AudioFormat(sampleRate: 48_000, layout: .mono)
      let encoder = try AudioEncoder(AudioEncoderSettings(codec: codec, format: format))
      let samples = AudioEncoderTests.sound(format, count: seconds * 48_000)
      sound =
        try encoder.encode(
          AudioBuffer(format: format, samples: samples, time: Timestamp(nanoseconds: 0)))
        + encoder.finish()
      soundFormat = encoder.format
    }

    func write(to writer: MatroskaWriter, each: (Double) throws -> Void = { _ in }) throws {
      let all =
        video.packets.map { (track: 0, time: Double($0.presentation) / 90_000, packet: $0) }
        + sound.map { (track: 1, time: Double($0.presentation) / 48_000, packet: $0) }
      for (track, time, packet) in all.sorted(by: { $0.time < $1.time }) {
        try writer.write(packet, track: track)
        try each(time)
      }
    }
  }

  @Test(
    "Pictures and sound are complete, in step, and both begin at 0", arguments: [AudioCodec.aac, .opus, .pcm])
  func complete(codec: AudioCodec) throws {
    let scratch = try Scratch()
    let recording = try Recording(seconds: 3, codec: codec)
    let file = try WrittenMovie(scratch, tracks: recording.tracks)
    try recording.write(to: file.writer)
    try file.writer.finish()
    #expect(try MediaProgram.packets(file.path).count == 90)
    let sound = try MediaProgram.packets(file.path, "a:0")
    #expect(sound.count == recording.sound.count)
    for (read, written) in zip(sound, recording.sound) {
      #expect(abs(read.time - Double(written.presentation) / 48_000) < 0.0011)
    }
    #expect(abs(try MediaProgram.decodeAudio(file.path, startsAtZero: true).count - 3 * 48_000) <= 49)
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
    #expect(file.writer.byteCount == Int64(size ?? -1))
  }

  @Test("While it is written, the file never lacks more than the last second, and plays to its end")
  func growing() throws {
    let scratch = try Scratch()
    let recording = try Recording(seconds: 4)
    let file = try WrittenMovie(scratch, tracks: recording.tracks)
    var next = 0.9
    try recording.write(to: file.writer) { time in
      guard time >= next else { return }
      next += 0.7
      let times = try MediaProgram.packets(file.path).map(\.time)
      #expect((times.last ?? -1) >= time - 1, "\(time)")
      let exact: [Double] = times.indices.map { index in (Double(index) * 1000 / 30).rounded() / 1000 }
      #expect(times == exact)
    }
  }

  @Test("A file that is cut anywhere plays up to there, and loses at most a second")
  func cut() throws {
    let scratch = try Scratch()
    let recording = try Recording(seconds: 3)
    let file = try WrittenMovie(scratch, tracks: recording.tracks)
    // Where in the file each moment is.
    var written: [(bytes: Int64, time: Double)] = []
    try recording.write(to: file.writer) { written.append((file.writer.byteCount, $0)) }
    try file.writer.finish()
    let bytes = try scratch.read("movie.mkv")
    var random = SeededRandom(seed: 5)
    for number in 0..<25 {
      let count = Int.random(in: 2_000..<bytes.count, using: &random)
      let path = try scratch.write(Array(bytes.prefix(count)), to: "cut-\(number).mkv")
      let last = (try? MediaProgram.packets(path))?.last?.time ?? -1
      let reached = written.last { $0.bytes <= Int64(count) }?.time ?? 0
      #expect(last >= reached - 1, "\(count) of \(bytes.count)")
    }
  }

  @Test("Marks become chapters, each up to the next")
  func chapters() throws {
    let scratch = try Scratch()
    let recording = try Recording(seconds: 2)
    let file = try WrittenMovie(scratch, tracks: recording.tracks)
    try recording.write(to: file.writer)
    file.writer.chapters = [
      MovieChapter(start: 1.25, title: "The “second” part"), MovieChapter(start: 0, title: "Begin"),
    ]
    try file.writer.finish()
    let lines = try MediaProgram.lines(
      file.path, ["-show_chapters", "-show_entries", "chapter=start_time,end_time:chapter_tags=title"])
    try #require(lines.count == 2)
    #expect(lines[0] == "0.000000,1.250000,Begin")
    #expect(lines[1].hasPrefix("1.250000,2.0") && lines[1].contains("second"), "\(lines[1])")
  }

  @Test("A track that goes silent does not keep the other one from the disk")
  func silentTrack() throws {
    let scratch = try Scratch()
    let recording = try Recording(seconds: 4)
    let file = try WrittenMovie(scratch, tracks: recording.tracks)
    for packet in recording.sound where packet.presentation < 24_000 {
      try file.writer.write(packet, track: 1)
    }
    try file.write(recording.video.packets)
    #expect((try MediaProgram.packets(file.path).last?.time ?? -1) >= 2)
    try file.writer.finish()
    #expect(try MediaProgram.packets(file.path).count == 120)
  }

  @Test("A full disk is one sentence, and the writer stays closed")
  func fullDisk() throws {
    let recording = try Recording(seconds: 1)
    let descriptor = open("/dev/full", O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let text = message {
      let writer = try MatroskaWriter(descriptor: descriptor, path: "movie.mkv", tracks: recording.tracks)
      try recording.write(to: writer)
      try writer.finish()
    }
    #expect(text?.contains("movie.mkv") == true && text?.hasSuffix(".") == true, "\(text ?? "")")
    #expect(text?.contains("No space left on device") == true || text?.contains("the disk is full") == true)
  }
}
