import FrameCore
import Foundation
import MovieIO
import TestSupport
import Testing

/// Sound of files that ffmpeg made.
@Suite("Sound of media files", .installed(.ffmpeg, .ffprobe))
struct SoundTrackReaderTests {
  private func make(_ path: String, _ options: [String], seconds: Double = 2) throws {
    try ExternalProgram.ffmpeg.run(
      ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=\(seconds)"]
        + ["-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*440*t)|0.2*sin(2*PI*660*t):d=\(seconds):s=48000"]
        + options + [path])
  }

  private func packets(_ path: String) throws -> (EncodedAudioFormat, [EncodedPacket]) {
    let reader = try SoundTrackReader(path: path, mode: .packets)
    var packets: [EncodedPacket] = []
    while let packet = try reader.nextPacket() { packets.append(packet) }
    return (try #require(reader.storedFormat), packets)
  }

  private func samples(_ path: String) throws -> (SoundTrackReader, [AudioBuffer]) {
    let reader = try SoundTrackReader(path: path, mode: .samples)
    var buffers: [AudioBuffer] = []
    while let buffer = try reader.nextBuffer() { buffers.append(buffer) }
    return (reader, buffers)
  }

  @Test(
    "Packets that are stored again decode to the very same samples",
    arguments: [
      ("a.mp4", ["-c:v", "libx264", "-c:a", "aac"], AudioCodec.aac),
      ("a.mkv", ["-c:v", "libx264", "-c:a", "aac"], .aac),
      ("a.mkv", ["-c:v", "libx264", "-c:a", "libopus"], .opus),
      ("a.mkv", ["-c:v", "libx264", "-c:a", "flac"], .flac),
      ("a.mov", ["-c:v", "libx264", "-c:a", "pcm_s16le"], .pcm),
      ("a.mov", ["-c:v", "libx264", "-c:a", "pcm_s24le"], .pcm),
      ("a.mkv", ["-c:v", "libx264", "-c:a", "pcm_f32le"], .pcm),
      ("a.wav", ["-map", "1:a"], .pcm), ("a.m4a", ["-map", "1:a"], .aac),
      ("a.ogg", ["-map", "1:a", "-c:a", "libopus"], .opus),
      ("a.flac", ["-map", "1:a"], .flac),
    ])
  func copies(name: String, options: [String], codec: AudioCodec) throws {
    let scratch = try Scratch()
    try make(scratch(name), options)
    let (format, packets) = try packets(scratch(name))
    #expect(format.codec == codec && format.format.channelCount == 2)
    // Nothing between the packets, and everything between the start and the end.
    for (a, b) in zip(packets, packets.dropFirst()) {
      #expect(a.presentation + a.duration == b.presentation)
    }
    let (first, last) = (try #require(packets.first), try #require(packets.last))
    // FFmpeg's Matroska places pictures later instead of saying that AAC has a delay.
    #expect(abs(first.presentation + Int64(format.priming)) <= (name == "a.mkv" ? 1100 : 49))
    #expect(abs(last.presentation + last.duration - 96_000) <= 1100)
    let copy = try WrittenMovie(scratch, "copy.mkv", tracks: [.audio(format)])
    try copy.write(packets)
    try copy.writer.finish()
    let (original, copied) = (
      try MediaProgram.decodeAudio(scratch(name)), try MediaProgram.decodeAudio(copy.path)
    )
    // The padding at the end may be left out or not.
    // So may AAC's delay: ffmpeg 5.1 leaves it out of MP4, but not of Matroska.
    let delay = codec == .aac ? 2 * format.priming : 0
    let same = zip(original, copied.dropFirst(delay)).prefix { $0 == $1 }.count
    #expect(same >= 2 * 95_000 && same >= min(original.count, copied.count - delay))
  }

  @Test(
    "Samples are those that ffmpeg decodes, at positions without a gap",
    arguments: [
      ("a.mp4", ["-c:v", "libx264", "-c:a", "aac"]), ("a.mkv", ["-c:v", "libx264", "-c:a", "libopus"]),
      ("a.flac", ["-map", "1:a"]), ("a.wav", ["-map", "1:a", "-c:a", "pcm_u8"]),
      ("a.wav", ["-map", "1:a", "-c:a", "pcm_s32le"]),
      ("a.aiff", ["-map", "1:a"]), ("a.mp3", ["-map", "1:a"]), ("a.ts", ["-c:v", "libx264", "-c:a", "aac"]),
      ("a.avi", ["-c:v", "mjpeg", "-c:a", "ac3"]), ("a.mka", ["-map", "1:a", "-c:a", "pcm_f64le"]),
    ])
  func decodes(name: String, options: [String]) throws {
    let scratch = try Scratch()
    try make(scratch(name), options)
    let (reader, buffers) = try samples(scratch(name))
    let all = buffers.flatMap(\.samples)
    #expect(try MediaProgram.decodeAudio(scratch(name)) == all)
    #expect(reader.damageCount == 0 && reader.format == AudioFormat(sampleRate: 48_000, layout: .stereo))
    for (a, b) in zip(buffers, buffers.dropFirst()) {
      #expect(a.position + Int64(a.frameCount) == b.position)
    }
  }

  @Test("Positions count from the first frame of the video", arguments: ["a.mp4", "a.mkv", "a.ts"])
  func videoStartsLater(name: String) throws {
    let scratch = try Scratch()
    // Without a delay of its own.
    try make(scratch("plain.mov"), ["-c:v", "libx264", "-bf", "0", "-c:a", "pcm_s16le"])
    // The pictures begin half a second after the sound.
    try ExternalProgram.ffmpeg.run(
      ["-v", "error", "-y", "-itsoffset", "0.5", "-i", scratch("plain.mov"), "-i", scratch("plain.mov")]
        + [
          "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", name == "a.mkv" ? "flac" : "aac",
          scratch(name),
        ])
    let (reader, buffers) = try samples(scratch(name))
    #expect(reader.hasVideo)
    let first = try #require(buffers.first)
    // Broadcast streams and their AAC begin with the encoder's delay.
    #expect(abs(first.position + 24_000) <= (name == "a.ts" ? 1400 : 49), "\(first.position)")
    #expect(abs(first.time.seconds(since: Timestamp(nanoseconds: 0)) + 0.5) < 0.03)
  }

  @Test("Sound that we do not store is refused as packets, and a file without sound altogether")
  func refusals() throws {
    let scratch = try Scratch()
    try make(scratch("a.mp3"), ["-map", "1:a"])
    let text = message { _ = try SoundTrackReader(path: scratch("a.mp3"), mode: .packets) } ?? ""
    #expect(text.hasSuffix("a.mp3 (mp3) cannot be stored unchanged; decode it and compress it again."))
    #expect(try SoundTrackReader(path: scratch("a.mp3"), mode: .samples).storedFormat == nil)
    try make(scratch("silent.mkv"), ["-map", "0:v"])
    let silent = message { _ = try SoundTrackReader(path: scratch("silent.mkv"), mode: .samples) } ?? ""
    #expect(silent.hasSuffix("it has no sound; choose a file that has sound."))
    #expect(
      message { _ = try SoundTrackReader(path: scratch("none"), mode: .samples) }?.contains("no such file")
        == true)
    #expect(
      message { _ = try SoundTrackReader(path: scratch.path, mode: .samples) }?.contains("is a folder")
        == true)
  }
}
