import FrameCore
import MovieIO
import TestSupport
import Testing

/// A preset that changes while a movie is encoded.
@Suite("Change of the preset", .installed(.ffmpeg, .ffprobe))
struct PresetChangeTests {
  private func settings(_ codec: VideoCodec, _ preset: EncoderPreset) -> VideoEncoderSettings {
    var settings = VideoEncoderSettings(
      codec: codec, size: PixelSize(width: 320, height: 180), tags: MovieScene.tags)
    settings.preset = preset
    return settings
  }

  @Test(
    "Every faster preset of x264 has the parameter sets of the first, byte for byte",
    arguments: EncoderPreset.allCases)
  func x264ParameterSets(first: EncoderPreset) throws {
    for size in [PixelSize(width: 320, height: 180), PixelSize(width: 1920, height: 1080)] {
      for quality in [VideoQuality.constant(21), .constant(0.5), .bitRate(3_000_000)] {
        var settings = settings(.h264, first)
        (settings.size, settings.quality) = (size, quality)
        let encoder = try VideoEncoder(settings)
        // It compares them itself, and throws if they differ.
        for preset in EncoderPreset.allCases where preset > first {
          #expect(throws: Never.self, "\(preset)") { try encoder.changePreset(to: preset) }
        }
      }
    }
  }

  @Test(
    "Pictures go on through every step down and up, and the joined stream decodes without a complaint",
    arguments: [
      (VideoCodec.h264, EncoderPreset.medium), (.h264, .veryfast), (.hevc, .veryfast), (.av1, .superfast),
    ])
  func steps(codec: VideoCodec, first: EncoderPreset) throws {
    let ladder = EncoderPreset.allCases.filter { $0 >= first }
    let steps = Array(ladder.dropFirst()) + [first]
    var seen: Set<EncoderPreset> = []
    let movie = try EncodedMovie(
      settings(codec, first), count: 30 * (steps.count + 1),
      before: { index, encoder in
        if index % 30 == 10, index / 30 < steps.count { try encoder.changePreset(to: steps[index / 30]) }
        seen.insert(encoder.preset)
      })
    #expect(seen == Set(ladder))
    #expect(movie.packets.map(\.presentation) == movie.sources.indices.map { Int64($0) * 3000 })
    let scratch = try Scratch()
    let file = try WrittenMovie(scratch, tracks: [.video(movie.format)])
    try file.write(movie.packets)
    try file.writer.finish()
    // `decodeVideo` fails if ffmpeg complains.
    let decoded = try MediaProgram.decodeVideo(file.path, format: "yuv420p")
    let sent = movie.sources.flatMap(\.tight)
    try #require(decoded.count == sent.count)
    #expect(peakSignalToNoise(sent, decoded) > 32)
  }

  @Test("A change waits for the next key frame, and the last one that was asked for counts")
  func whenItChanges() throws {
    let encoder = try VideoEncoder(settings(.h264, .veryfast))
    let scene = MovieScene(size: encoder.settings.size)
    var presets: [EncoderPreset] = []
    for index in 0..<40 {
      if index == 3 { try encoder.changePreset(to: .superfast) }
      if index == 4 { try encoder.changePreset(to: .ultrafast) }
      _ = try encoder.encode(try scene.frame(index), at: Int64(index) * 3000)
      presets.append(encoder.preset)
    }
    #expect(presets == Array(repeating: .veryfast, count: 30) + Array(repeating: .ultrafast, count: 10))
    // Back before it took place: nothing changes.
    try encoder.changePreset(to: .superfast)
    try encoder.changePreset(to: .ultrafast)
    _ = try encoder.encode(try scene.frame(40), at: 40 * 3000, isKey: true)
    #expect(encoder.preset == .ultrafast)
  }

  @Test("An encoder without presets says so", arguments: [VideoCodec.prores, .ffv1])
  func noPresets(codec: VideoCodec) throws {
    let encoder = try VideoEncoder(settings(codec, .veryfast))
    #expect(!encoder.hasPresets)
    let text = message { try encoder.changePreset(to: .ultrafast) } ?? ""
    #expect(text.contains("cannot change to the preset ultrafast within a movie; lower"))
  }
}
