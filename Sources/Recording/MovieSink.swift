import Capture
import FrameCore
import LiveVideo
import MovieIO
import Synchronization

/// Records the pictures of a pipeline, with their looks, into movies.
///
/// The pictures arrive as the encoder takes them: the look and the conversion to YCbCr are one pass.
public final class MovieSink: SparingSink, ShapedVideoSink {
  public let recorder: MovieRecorder
  /// To be added to the session, if the movie has its sound.
  public let sound: MovieSound
  /// What is laid over that sound; nil for nothing.
  public let voiceOver: VoiceOver?
  public let name: String
  private let hasSound: Bool
  private let losesNothing: Bool
  private let selection = Mutex(FrameSelection())
  private let end = Mutex<Timestamp??>(nil)
  private let notes = Mutex<[String]>([])

  /// How long the first picture waits for the microphone, in seconds.
  private static let soundPatience = 3.0

  /// - Parameters:
  ///   - losesNothing: whether pictures wait for the encoder rather than be dropped; for sources that are not live.
  ///   - source: the media file that the pictures come from, whose chapters are kept; nil if they come from none.
  ///   - keepsSound: whether the sound of `source` is kept.
  ///   - hasSound: whether `sound` is added to a session.
  ///   - hasVoiceOver: whether a second microphone is laid over the sound.
  ///   - soundDelay: how much later sound is than pictures in this setup, in seconds; it is taken back.
  public convenience init(
    _ settings: MovieSettings, to names: MovieNames, losesNothing: Bool = false,
    of source: String? = nil, keepsSound: Bool = true,
    hasSound: Bool = false, hasVoiceOver: Bool = false, soundDelay: Double = 0
  ) throws {
    let parts = try RecordingParts(settings, names, soundOf: keepsSound ? source : nil)
    try self.init(
      settings, parts: parts, name: "movie:\(names.text)", losesNothing: losesNothing, hasSound: hasSound,
      hasVoiceOver: hasVoiceOver, soundDelay: soundDelay)
    // What is wrong with the file is told by what reads its pictures.
    guard let source, let contents = try? MovieContents(path: source) else { return }
    recorder.setChapters(contents.chapters)
    if keepsSound, contents.soundTracks > 1 {
      notes.withLock { $0.append("\(source) has \(contents.soundTracks) sound tracks, of which one is kept") }
    }
  }

  init(
    _ settings: MovieSettings, parts: RecordingParts, name: String, losesNothing: Bool = false,
    hasSound: Bool, hasVoiceOver: Bool = false, soundDelay: Double
  ) throws {
    recorder = try MovieRecorder(settings, losesNothing: losesNothing, parts: parts)
    sound = MovieSound(recorder, delay: soundDelay)
    voiceOver = hasVoiceOver ? VoiceOver(recorder) : nil
    let voice = voiceOver
    recorder.voice.withLock { $0 = voice }
    self.hasSound = hasSound
    self.losesNothing = losesNothing
    self.name = name
  }

  public func pictures(of source: PixelFormat) -> SinkPictures {
    .planes(recorder.settings.layout(of: source))
  }

  /// Pictures that wait for the encoder, and those that it holds.
  public var heldPictures: Int { MovieRecorder.queueLength + 4 }

  public func open(_ format: SinkFormat) throws {
    let tags = try format.videoTags
    if let range = tags.highDynamicRange {
      throw SafelightError(
        .unsupported, "The video is HDR (\(range)), and movies are recorded in SDR",
        remedy: "convert it to SDR first, as FFmpeg's tonemap filter does")
    }
    let pictures = MoviePictures(
      size: format.size, format: recorder.settings.layout(of: format.source), tags: tags,
      sampleAspect: format.sampleAspect, framesPerSecond: format.framesPerSecond)
    if format.fieldOrder != .progressive {
      notes.withLock { $0.append("The movie does not say that its pictures are interlaced") }
    }
    try recorder.open(pictures) { [sound, hasSound] in
      guard hasSound else { return nil }
      if let format = sound.format(until: Timestamp.now.advanced(bySeconds: Self.soundPatience)) {
        return format
      }
      throw SafelightError(
        .device, "No sound came from the microphone",
        remedy: "see “safelight audio devices”, or give --microphone none")
    }
  }

  public func takes(_ frame: Frame) -> Bool {
    let isTaken = selection.withLock { $0.takes(frame.sequence, at: frame.time) }
    if !isTaken { recorder.countSpared(at: frame.time) }
    return isTaken
  }

  public func write(_ frame: RenderedFrame) throws {
    if let failure = recorder.failure { throw failure }
    let (isWanted, lost) = selection.withLock { $0.came(frame.sequence) }
    if lost > 0 { recorder.countLate(lost, before: frame.time) }
    if isWanted { recorder.offer(frame.picture, at: frame.time) }
  }

  /// Makes the recording end at a moment when the pipeline closes the sink; nil is after the last picture.
  public func end(at moment: Timestamp?) { end.withLock { $0 = .some(moment) } }

  /// Completes the last file.
  ///
  /// - Throws: the error that ended the recording early; what was recorded before stays.
  public func finish() throws {
    close()
    if let failure = recorder.failure { throw failure }
    let lost = recorder.status.lost
    guard let first = lost.first else { return }
    let (files, held) =
      lost.count == 1 ? ("\(first) was", "it") : ("\(first) and \(lost.count - 1) more files were", "they")
    throw SafelightError(
      .file, "\(files) removed or changed by somebody during the recording, so what \(held) held is lost")
  }

  public func close() {
    let moment = end.withLock { $0 } ?? (losesNothing ? nil : .now)
    recorder.close(losesNothing ? .sourceFinished : .stopped, at: moment)
  }

  /// Returns what is to be told once, one sentence each.
  public func takeNotes() -> [String] {
    notes.withLock { notes in
      defer { notes = [] }
      return notes
    }
  }

  /// Limits the pictures recorded to a rate; nil records all.
  func limitRate(to rate: Double?) {
    // A rate that the policy chose is valid.
    selection.withLock { try? $0.limiter.setRate(rate) }
    recorder.expectRate(rate)
  }
}

extension MovieSettings {
  /// The layout of pictures that the codec keeps best of a source in this one.
  func layout(of source: PixelFormat) -> PixelFormat {
    switch videoCodec {
    // What every player reads.
    case .h264, .hevc, .av1: .i420
    case .prores: .i422
    case .ffv1:
      switch source {
      case .i422, .nv16, .yuyv422, .uyvy422: .i422
      case .i444: .i444
      case .i420, .nv12, .nv21, .rgba8, .rgba16, .rgbaF32, .gray8: .i420
      }
    }
  }
}
