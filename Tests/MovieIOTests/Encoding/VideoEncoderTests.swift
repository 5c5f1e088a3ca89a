import FrameCore
import Libc
import MovieIO
import TestSupport
import Testing

/// Encoded pictures, as ffmpeg and ffprobe see them in a file.
@Suite("Encoded video", .installed(.ffmpeg, .ffprobe))
struct VideoEncoderTests {
  private static let size = PixelSize(width: 320, height: 180)

  private func settings(
    _ codec: VideoCodec, size: PixelSize = size, format: PixelFormat = .i420
  ) -> VideoEncoderSettings {
    var settings = VideoEncoderSettings(codec: codec, size: size, pixelFormat: format, tags: MovieScene.tags)
    settings.preset = codec == .av1 ? .superfast : .veryfast
    return settings
  }

  private func write(_ movie: EncodedMovie, _ scratch: Scratch) throws -> String {
    let file = try WrittenMovie(scratch, tracks: [.video(movie.format)])
    try file.write(movie.packets)
    try file.writer.finish()
    return file.path
  }

  @Test(
    "Every codec gives back every picture, at its time, and close to what was sent",
    arguments: [
      (VideoCodec.h264, PixelFormat.i420, "yuv420p", 34.0), (.h264, .nv12, "nv12", 34),
      (.h264, .i422, "yuv422p", 34), (.h264, .i444, "yuv444p", 34), (.h264, .gray8, "gray", 34),
      (.h264, .nv16, "yuv422p", 34), (.h264, .yuyv422, "yuyv422", 34),
      (.hevc, .i420, "yuv420p", 34), (.hevc, .nv12, "nv12", 34), (.hevc, .i444, "yuv444p", 34),
      (.av1, .i420, "yuv420p", 32), (.av1, .nv21, "nv21", 32),
      (.prores, .i422, "yuv422p", 38), (.prores, .i420, "yuv420p", 36),
      (.ffv1, .i420, "yuv420p", .infinity), (.ffv1, .i422, "yuv422p", .infinity),
      (.ffv1, .i444, "yuv444p", .infinity), (.ffv1, .gray8, "gray", .infinity),
      (.ffv1, .nv12, "nv12", .infinity), (.ffv1, .uyvy422, "uyvy422", .infinity),
    ])
  func roundTrip(codec: VideoCodec, format: PixelFormat, name: String, quality: Double) throws {
    let scratch = try Scratch()
    var settings = settings(codec, format: format)
    // ffmpeg would stretch limited grey.
    if format == .gray8 { settings.tags.range = .full }
    let movie = try EncodedMovie(settings, count: 20)
    #expect(movie.packets.count == 20)
    #expect(movie.packets.map(\.presentation) == (0..<20).map { $0 * 3000 })
    let decoded = try MediaProgram.decodeVideo(try write(movie, scratch), format: name)
    let sent = movie.sources.flatMap { format == .nv16 ? $0.planar : $0.tight }
    try #require(decoded.count == sent.count)
    #expect(peakSignalToNoise(sent, decoded) >= quality)
  }

  @Test(
    "Pictures of every size keep it, and odd ones lose a column or a row that the notes name",
    arguments: [(2, 2), (16, 16), (33, 47), (64, 48), (127, 90), (640, 358), (1279, 719)])
  func sizes(width: Int, height: Int) throws {
    for codec in VideoCodec.allCases where codec != .av1 || min(width, height) >= 64 {
      let scratch = try Scratch()
      var settings = settings(codec, size: PixelSize(width: width, height: height))
      settings.pixelFormat = codec == .prores ? .i422 : .i420
      guard codec != .hevc || min(width, height) >= 32 else { continue }
      let movie = try EncodedMovie(settings, count: 3, keepsSources: false)
      let stream = try MediaProgram.stream(try write(movie, scratch))
      let isCut = codec != .ffv1
      #expect(stream["width"] == "\(isCut ? width & ~1 : width)", "\(codec)")
      #expect(stream["height"] == "\(isCut ? height & ~1 : height)", "\(codec)")
      let notes = try VideoEncoder(settings).notes
      #expect(notes.isEmpty == (!isCut || width % 2 == 0 && height % 2 == 0), "\(codec) \(notes)")
    }
  }

  @Test("An odd picture is cut at its right and at its bottom, and keeps the rest in place")
  func oddCut() throws {
    let scratch = try Scratch()
    var settings = settings(.h264, size: PixelSize(width: 65, height: 47))
    settings.quality = .constant(1)
    let movie = try EncodedMovie(settings, count: 2)
    let decoded = try MediaProgram.decodeVideo(try write(movie, scratch), format: "gray")
    let expected = movie.sources.flatMap { buffer in
      (0..<46).flatMap { y in Array(UnsafeRawBufferPointer(start: buffer.planes[0].row(y), count: 64)) }
    }
    // ffmpeg stretches the limited range for grey.
    let stretched = decoded.map { UInt8((Double($0) * 219 / 255 + 16).rounded()) }
    #expect(peakSignalToNoise(expected, stretched) > 40)
  }

  @Test(
    "A key frame comes each second of time, at steady and at drawn rates",
    arguments: [VideoCodec.h264, .hevc, .av1]
  )
  func keyFrames(codec: VideoCodec) throws {
    var random = SeededRandom(seed: 3)
    for isSteady in [true, false] {
      var ticks: [Int64] = [0]
      while let last = ticks.last, last < 4 * 90_000 {
        ticks.append(last + (isSteady ? 3000 : Int64.random(in: 1500...9000, using: &random)))
      }
      let movie = try EncodedMovie(
        settings(codec, size: PixelSize(width: 128, height: 96)), count: ticks.count, keepsSources: false,
        tick: { ticks[$0] })
      #expect(movie.packets.map(\.presentation) == ticks)
      // From the packets themselves, by an independent reader.
      let scratch = try Scratch()
      let read = try MediaProgram.packets(try write(movie, scratch))
      let keys = read.filter(\.isKey).map(\.time)
      #expect(read.first?.isKey == true && keys.count >= 4)
      #expect(movie.packets.filter(\.isKey).count == keys.count)
      for (a, b) in zip(keys, keys.dropFirst()) {
        #expect(abs(b - a - 1) <= (isSteady ? 0.0015 : 0.105), "\(codec) \(a) \(b)")
      }
      // Matroska rounds to milliseconds.
      for (packet, tick) in zip(read, ticks) { #expect(abs(packet.time - Double(tick) / 90_000) <= 0.00051) }
    }
  }

  @Test("A key frame that is asked for comes at once, and the next one a second later")
  func forcedKey() throws {
    let encoder = try VideoEncoder(settings(.h264))
    let scene = MovieScene(size: Self.size)
    var packets: [EncodedPacket] = []
    for index in 0..<50 {
      packets += try encoder.encode(try scene.frame(index), at: Int64(index) * 3000, isKey: index == 7)
    }
    packets += try encoder.finish()
    #expect(packets.indices.filter { packets[$0].isKey } == [0, 7, 37])
    #expect(try encoder.finish().isEmpty)
  }

  @Test("ffprobe shows the colours, the range, the siting and the shape of samples that were asked for")
  func tags() throws {
    let all: [(ColorTags, [String])] = [
      (MovieScene.tags, ["bt709", "bt709", "bt709", "tv", "left"]),
      (
        ColorTags(
          primaries: .bt601PAL, transfer: .bt601, matrix: .bt601, range: .full, chromaSiting: .center),
        ["bt470bg", "smpte170m", "smpte170m", "pc", "center"]
      ),
      (
        ColorTags(
          primaries: .displayP3, transfer: .sRGB, matrix: .bt709, range: .limited, chromaSiting: .topLeft),
        ["smpte432", "iec61966-2-1", "bt709", "tv", "topleft"]
      ),
    ]
    for (tags, names) in all {
      for codec in [VideoCodec.h264, .hevc, .av1, .prores, .ffv1] {
        let scratch = try Scratch()
        var settings = settings(codec)
        settings.tags = tags
        settings.sampleAspect = SampleAspect(width: 16, height: 15)
        if codec == .prores {
          settings.pixelFormat = .i422
          guard tags.range == .limited else {
            #expect(throws: SafelightError.self) { try VideoEncoder(settings) }
            continue
          }
        }
        let movie = try EncodedMovie(settings, count: 2, keepsSources: false)
        let stream = try MediaProgram.stream(try write(movie, scratch))
        let shown = ["color_primaries", "color_transfer", "color_space", "color_range"].map {
          stream[$0] ?? ""
        }
        #expect(shown == Array(names.prefix(4)), "\(codec)")
        #expect(stream["sample_aspect_ratio"] == "16:15", "\(codec)")
        // 4:2:2 has no vertical position.
        if codec == .h264 || codec == .hevc { #expect(stream["chroma_location"] == names[4], "\(codec)") }
      }
    }
  }

  @Test("The stream itself states the colours, without a container", arguments: [VideoCodec.h264, .hevc])
  func tagsInStream(codec: VideoCodec) throws {
    let scratch = try Scratch()
    var settings = settings(codec)
    settings.tags = ColorTags(primaries: .bt601PAL, transfer: .bt601, matrix: .bt601, range: .full)
    let path = try write(try EncodedMovie(settings, count: 2, keepsSources: false), scratch)
    let raw = scratch("raw." + codec.rawValue)
    try ExternalProgram.ffmpeg.run(["-v", "error", "-i", path, "-c", "copy", "-f", codec.rawValue, raw])
    let stream = try MediaProgram.stream(raw)
    #expect(stream["color_primaries"] == "bt470bg" && stream["color_transfer"] == "smpte170m")
    #expect(stream["color_space"] == "smpte170m" && stream["color_range"] == "pc")
  }

  @Test("libaom encodes AV1 where SVT-AV1 is not there, with key frames by time")
  func libaom() throws {
    var settings = settings(.av1)
    settings.choice = .named("libaom-av1")
    settings.preset = .ultrafast
    let movie = try EncodedMovie(settings, count: 65)
    #expect(movie.packets.indices.filter { movie.packets[$0].isKey } == [0, 30, 60])
    let scratch = try Scratch()
    let decoded = try MediaProgram.decodeVideo(try write(movie, scratch), format: "yuv420p")
    let sent = movie.sources.flatMap { $0.tight }
    try #require(decoded.count == sent.count)
    #expect(peakSignalToNoise(sent, decoded) > 30)
  }

  @Test("A bit rate is kept to within a quarter over ten seconds", arguments: [VideoCodec.h264, .hevc])
  func bitRate(codec: VideoCodec) throws {
    var settings = settings(codec)
    settings.quality = .bitRate(400_000)
    let movie = try EncodedMovie(settings, count: 300, keepsSources: false)
    let bits = movie.packets.reduce(0) { $0 + $1.bytes.count } * 8
    #expect(abs(Double(bits) / 10 - 400_000) < 100_000)
  }

  @Test("A worse quality makes a smaller file", arguments: [VideoCodec.h264, .hevc, .av1])
  func quality(codec: VideoCodec) throws {
    let bytes = try [15.0, 25, 40].map { value in
      var settings = settings(codec)
      settings.quality = .constant(value)
      let movie = try EncodedMovie(settings, count: 8, keepsSources: false)
      return movie.packets.reduce(0) { $0 + $1.bytes.count }
    }
    #expect(bytes[0] > bytes[1] && bytes[1] > bytes[2], "\(bytes)")
  }
}
