import CFFmpeg
import FrameCore

/// Tracks and chapters as the shim takes them.
enum MatroskaTracks {
  /// Calls `body` with the tracks; their memory is valid within.
  static func withShim<Result>(
    _ tracks: [MovieTrack], _ body: (UnsafeBufferPointer<cffmpeg_track>) throws -> Result
  ) rethrows -> Result {
    try build(tracks[...], []) { shim in try shim.withUnsafeBufferPointer(body) }
  }

  private static func build<Result>(
    _ tracks: ArraySlice<MovieTrack>, _ done: [cffmpeg_track],
    _ body: ([cffmpeg_track]) throws -> Result
  ) rethrows -> Result {
    guard let track = tracks.first else { return try body(done) }
    var shim = cffmpeg_track()
    shim.time_scale = Int32(track.timeScale)
    let configuration: [UInt8]
    switch track {
    case .video(let video):
      fill(&shim, video)
      configuration = video.configuration
    case .audio(let audio):
      fill(&shim, audio)
      configuration = audio.configuration
    }
    return try name(track).withCString { codec in
      try configuration.withUnsafeBufferPointer { header in
        shim.codec = codec
        (shim.header, shim.header_bytes) = (header.baseAddress, header.count)
        return try build(tracks.dropFirst(), done + [shim], body)
      }
    }
  }

  /// FFmpeg's name of a track's codec.
  private static func name(_ track: MovieTrack) -> String {
    switch track {
    case .video(let video): video.codec.rawValue
    case .audio(let audio):
      switch audio.codec {
      case .aac: "aac"
      case .opus: "opus"
      case .flac: "flac"
      case .pcm: audio.bitsPerSample == 32 ? "pcm_f32le" : "pcm_s\(audio.bitsPerSample)le"
      }
    }
  }

  private static func fill(_ shim: inout cffmpeg_track, _ video: EncodedVideoFormat) {
    let tags = video.tags
    shim.is_video = true
    (shim.width, shim.height) = (Int32(video.size.width), Int32(video.size.height))
    if video.codec == .prores || video.codec == .ffv1 {
      shim.tag = video.fourCC.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    (shim.primaries, shim.transfer) = (Int32(tags.primaries.rawValue), Int32(tags.transfer.rawValue))
    (shim.matrix, shim.is_full_range) = (Int32(tags.matrix.rawValue), tags.range == .full)
    shim.chroma_location = tags.chromaSiting.shimLocation
    shim.sample_width = Int32(video.sampleAspect.width)
    shim.sample_height = Int32(video.sampleAspect.height)
  }

  private static func fill(_ shim: inout cffmpeg_track, _ audio: EncodedAudioFormat) {
    (shim.sample_rate, shim.channels) = (Int32(audio.format.sampleRate), Int32(audio.format.channelCount))
    (shim.priming, shim.block) = (Int32(audio.priming), Int32(audio.samplesPerPacket))
    shim.bits = Int32(audio.bitsPerSample)
  }

  /// Calls `body` with the chapters, each of which lasts until the next one or the movie's end.
  static func withShim<Result>(
    _ chapters: [MovieChapter], end: Double,
    _ body: (UnsafeBufferPointer<cffmpeg_chapter>) throws -> Result
  ) rethrows -> Result {
    let sorted = chapters.sorted { $0.start < $1.start }
    func milliseconds(_ seconds: Double) -> Int64 { Int64((max(0, min(seconds, 1e9)) * 1000).rounded()) }
    func build(_ index: Int, _ done: [cffmpeg_chapter]) throws -> Result {
      guard index < sorted.count else { return try done.withUnsafeBufferPointer(body) }
      let start = milliseconds(sorted[index].start)
      let stop = milliseconds(index + 1 < sorted.count ? sorted[index + 1].start : end)
      return try sorted[index].title.withCString { title in
        let chapter = cffmpeg_chapter(start: start, end: max(start, stop), title: title)
        return try build(index + 1, done + [chapter])
      }
    }
    return try build(0, [])
  }
}
