import FrameCore
import MovieIO
import TestSupport
import Testing

/// Chapters that our own writers made, as a slideshow reads them from a recording.
@Suite("Chapters of media files", .installed(.ffmpeg, .ffprobe))
struct ChapterReadingTests {
  private static let sound = AudioFormat(sampleRate: 8000, layout: .mono)

  private func write(_ marks: [Double], into writer: any MovieWriter, encoder: AudioEncoder) throws {
    let samples = [Float](repeating: 0.1, count: 8000)
    for _ in 0..<10 {
      let buffer = AudioBuffer(format: Self.sound, samples: samples, time: Timestamp(nanoseconds: 0))
      for packet in try encoder.encode(buffer) { try writer.write(packet, track: 0) }
    }
    for packet in try encoder.finish() { try writer.write(packet, track: 0) }
    for mark in marks { writer.mark(seconds: mark, title: "Mark") }
    try writer.finish()
  }

  @Test("come back to a thousandth of a second", arguments: [MovieContainer.mov, .mkv])
  func marks(container: MovieContainer) throws {
    let scratch = try Scratch()
    let path = scratch("a." + container.rawValue)
    let encoder = try AudioEncoder(
      AudioEncoderSettings(codec: .pcm, format: Self.sound, bitsPerSample: 16))
    let tracks = [MovieTrack.audio(encoder.format)]
    let writer: any MovieWriter =
      container == .mkv
      ? try MatroskaWriter(creating: path, tracks: tracks)
      : try MP4Writer(path: path, container: container, tracks: tracks)
    let marks = [1.25, 3.5, 7.777]
    try write(marks, into: writer, encoder: encoder)
    // MP4 has a chapter before the first mark too.
    let chapters = try MovieContents(path: path).chapters.filter { $0.start > 0 }
    try #require(chapters.count == marks.count)
    for (chapter, mark) in zip(chapters, marks) {
      #expect(abs(chapter.start - mark) <= 0.001)
      #expect(chapter.title == "Mark")
    }
  }

  @Test("are none in a file without them")
  func none() throws {
    let scratch = try Scratch()
    let encoder = try AudioEncoder(AudioEncoderSettings(codec: .pcm, format: Self.sound, bitsPerSample: 16))
    try write(
      [], into: MP4Writer(path: scratch("a.mov"), container: .mov, tracks: [.audio(encoder.format)]),
      encoder: encoder)
    let contents = try MovieContents(path: scratch("a.mov"))
    #expect(contents.chapters.isEmpty && contents.soundTracks == 1)
  }
}
