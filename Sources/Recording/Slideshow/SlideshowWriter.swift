import AudioProcessing
import Files
import FrameCore
import MovieIO

/// What a slideshow became.
public struct SlideshowResult: Sendable, Hashable {
  public var path: String
  /// In seconds.
  public var duration: Double
  public var bytes: Int64
  /// Pictures that were compressed: few, because a still needs one a second.
  public var frames: Int
}

/// Writes stills with a voice-over as a movie.
///
///     let voice = try SlideshowVoice("take.wav")
///     let timing = try SlideshowTiming(pictures: paths.count, voice: voice.facts)
///     let movie = try SlideshowWriter(settings, to: MovieNames("story.mp4"))
///     let form = SlideshowForm(size: PixelSize(width: 1920, height: 1080))
///     let pictures = try SlideshowPictures(paths, form: form, settings: settings) { _ in Recipe() }
///     try pictures.prepare()
///     try movie.write(pictures, timing, voice: voice)
///
/// Players list each picture as a chapter.
public struct SlideshowWriter {
  /// The nominal frames per second: those of fades.
  public var framesPerSecond = 30.0
  /// How long one picture fades into the next, in seconds; 0 cuts.
  public var fade = 0.0

  private let parts: RecordingParts
  private let hasBitRate: Bool

  /// - Throws: `SafelightError` if the container cannot hold the codecs.
  public init(_ settings: MovieSettings, to names: MovieNames) throws {
    try self.init(RecordingParts(settings, names), settings)
  }

  init(_ parts: RecordingParts, _ settings: MovieSettings = MovieSettings()) {
    self.parts = parts
    hasBitRate = if case .bitRate? = settings.quality { true } else { false }
  }

  /// Finds out whether pictures fit their times, before they are rendered.
  ///
  /// - Throws: `SafelightError(.invalidValue)` if fades or frames are longer than what a picture has.
  public func check(_ timing: SlideshowTiming) throws {
    _ = try SlideshowFrames(timing, framesPerSecond: framesPerSecond, fade: fade)
  }

  /// Writes the movie.
  ///
  /// - Parameters:
  ///   - voice: nil for a movie without sound.
  ///   - progress: called with the part that is written, 0…1.
  /// - Throws: `SafelightError`, such as `.noSpace`; nothing is left then, nor if a signal ends the program.
  @discardableResult
  public func write(
    _ pictures: SlideshowPictures, _ timing: SlideshowTiming, voice: SlideshowVoice? = nil,
    progress: (Double) -> Void = { _ in }
  ) throws -> SlideshowResult {
    let plan = try SlideshowFrames(timing, framesPerSecond: framesPerSecond, fade: fade)
    let frames = plan.frames
    guard pictures.paths.count == timing.cuts.count + 1 else {
      throw SafelightError(
        .invalidValue, "The times are for \(timing.cuts.count + 1) pictures, not for \(pictures.paths.count)",
        remedy: "make them for these pictures")
    }
    // A bit rate is shared out among the frames that there are.
    let rate = hasBitRate ? max(0.01, min(1000, Double(frames.count) / timing.duration)) : framesPerSecond
    let encoder = try parts.makePictureEncoder(
      MoviePictures(
        size: pictures.form.size, format: pictures.format, tags: pictures.tags, framesPerSecond: rate))
    let sound = try voice.map { try SlideshowSound($0, parts) }
    var movie = OpenMovie(
      file: try RecordingFile(parts, start: 0, video: encoder.format, sound: sound?.format), sound: sound,
      durations: Dictionary(frames.map { ($0.tick, $0.duration) }) { first, _ in first },
      lastTick: frames.last?.tick)
    let unfinished = UnfinishedFile(movie.file.path)
    do {
      for (index, frame) in frames.enumerated() {
        var picture = try pictures.picture(frame.picture)
        if frame.blend > 0 {
          picture = try PictureFade.mix(picture, pictures.picture(frame.picture + 1), share: frame.blend)
        }
        try movie.write(encoder.encode(picture, at: frame.tick, isKey: frame.isKey))
        progress(Double(index + 1) / Double(frames.count))
      }
      try movie.write(encoder.finish())
      try movie.writeRestOfSound()
    } catch {
      try? movie.file.close()
      unfinished.remove()
      throw error
    }
    let (file, writer) = (movie.file, movie.file.writer)
    for (number, path) in pictures.paths.enumerated() {
      writer.mark(seconds: plan.beginnings[number], title: Self.title(path))
    }
    try movie.file.close()
    unfinished.keep()
    return SlideshowResult(
      path: file.path, duration: timing.duration, bytes: writer.byteCount, frames: file.pictures)
  }

  /// The name of a chapter: that of the file without its extension.
  static func title(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }
}

/// A movie that is being written.
private struct OpenMovie {
  var file: RecordingFile
  let sound: SlideshowSound?
  /// How long the frame of a tick is shown, in ticks.
  let durations: [Int64: Int64]
  /// The tick of the last frame.
  let lastTick: Int64?

  /// Writes compressed pictures, and the sound up to their end: encoders hold pictures back for a while, and
  /// the tracks of a file should not be far apart. The last picture comes after its sound: a picture that
  /// sound overtakes is taken for one that lasts until then.
  mutating func write(_ packets: [EncodedPacket]) throws {
    let scale = Int(EncodedVideoFormat.timeScale)
    for packet in packets {
      let duration = durations[packet.presentation] ?? 1
      let time = SampleTime.nanoseconds(packet.presentation, rate: scale)
      let end = SampleTime.nanoseconds(packet.presentation + duration, rate: scale)
      if packet.presentation == lastTick { try writeRestOfSound() }
      try file.write(
        MovieAssembly.Picture(
          bytes: packet.bytes, time: time,
          decodeLead: SampleTime.nanoseconds(packet.presentation - packet.decode, rate: scale),
          isKey: packet.isKey), time: time, duration: end - time)
      try writeSound(until: end)
    }
  }

  private mutating func writeSound(until time: Int64) throws {
    guard let sound else { return }
    while sound.position < SampleTime.samples(time, rate: sound.format.sampleRate) {
      let position = sound.position
      guard let samples = try sound.next() else { return }
      try file.write(samples, at: position)
    }
  }

  mutating func writeRestOfSound() throws {
    guard let sound else { return }
    var position = sound.position
    while let samples = try sound.next() {
      try file.write(samples, at: position)
      position = sound.position
    }
  }
}

/// A voice at a rate that the movie's codec stores. One thread at a time.
private final class SlideshowSound {
  let format: AudioFormat
  /// Samples per channel that `next` returned.
  private(set) var position: Int64 = 0
  private let samples: VoiceSamples
  private let resampler: Resampler
  private var hasEnded = false

  init(_ voice: SlideshowVoice, _ parts: RecordingParts) throws {
    format = try parts.recordedFormat(voice.format)
    samples = try voice.open()
    resampler = try Resampler(format: voice.format, outputRate: format.sampleRate)
  }

  /// Returns the next interleaved samples; nil at the end.
  func next() throws -> [Float]? {
    while !hasEnded {
      var ready: [Float]
      if let read = try samples.next() {
        ready = try resampler.process(read)
      } else {
        hasEnded = true
        ready = try resampler.finish()
      }
      guard !ready.isEmpty else { continue }
      position += Int64(ready.count / format.channelCount)
      return ready
    }
    return nil
  }
}
