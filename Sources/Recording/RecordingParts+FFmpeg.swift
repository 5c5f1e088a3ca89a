import AudioProcessing
import Files
import FrameCore
import Libc
import MovieIO

extension RecordingParts {
  /// The parts of real recordings.
  ///
  /// - Parameter soundFile: a media file whose sound is kept; nil for none.
  /// - Throws: `SafelightError` if the container cannot hold the codecs.
  init(_ settings: MovieSettings, _ names: MovieNames, soundOf soundFile: String? = nil) throws {
    let container = names.container
    let codec = try settings.checkedAudioCodec(in: container)
    warmUp = { EncoderLibraries.load() }
    makePictureEncoder = { try PictureEncoding(settings, $0) }
    recordedFormat = { format in
      guard let rates = codec.sampleRates, !rates.contains(format.sampleRate) else { return format }
      return AudioFormat(sampleRate: 48_000, layout: format.layout)
    }
    soundBytesPerSample = {
      codec.bytesPerSecond(of: $0, bitRate: settings.audioBitRate) / Double($0.sampleRate)
    }
    makeSoundEncoder = { try SoundEncoding(codec, $0, bitRate: settings.audioBitRate) }
    makeAligner = { try SynchronizedSound($0, from: $1, rate: $2) }
    isIntact = { FileContents.size(of: $0).map(Int64.init) == $1 }
    makeFile = { tracks, _ in
      let (path, writer): (String, any MovieWriter) = try names.place(size: tracks.shownSize) { path in
        switch container {
        case .mp4, .mov: try MP4Writer(path: path, container: container, tracks: tracks)
        case .mkv: try MatroskaWriter(creating: path, tracks: tracks)
        }
      }
      return (path, writer)
    }
    guard let soundFile else { return }
    // Packets cannot be cut between segments; samples can.
    let copies = settings.segment == nil && settings.audioBitRate == nil
    openSoundFile = {
      try SoundFile.open(soundFile) { stored in
        // Few programs read floats in an MP4 file.
        let isFloat = stored.codec == .pcm && stored.bitsPerSample == 32
        return copies && (settings.audioCodec ?? stored.codec) == stored.codec
          && container.holds(stored.codec)
          && !(isFloat && container == .mp4)
      }
    }
  }
}

extension [MovieTrack] {
  /// The size of the pictures as players show them; nil without pictures.
  fileprivate var shownSize: PixelSize? {
    lazy.compactMap { track in
      switch track {
      case .video(let format): format.orientation.applied(to: format.size)
      case .audio: nil
      }
    }.first
  }
}

extension MovieContainer {
  /// Whether players expect sound of a codec in it.
  func holds(_ codec: AudioCodec) -> Bool {
    switch (self, codec) {
    case (.mkv, _), (_, .aac), (.mov, .pcm), (.mp4, .opus), (.mp4, .flac), (.mp4, .pcm): true
    case (.mov, .opus), (.mov, .flac): false
    }
  }

  /// Whether players expect pictures of a codec in it.
  func holds(_ codec: VideoCodec) -> Bool {
    switch (self, codec) {
    case (.mkv, _), (_, .h264), (_, .hevc), (_, .av1), (.mov, .prores): true
    case (.mp4, .prores), (.mp4, .ffv1), (.mov, .ffv1): false
    }
  }
}

extension MovieSettings {
  /// - Throws: `SafelightError(.unsupported)` if the container cannot hold the codecs, with the one that can.
  public func check(in container: MovieContainer) throws { _ = try checkedAudioCodec(in: container) }

  /// - Throws: `SafelightError(.unsupported)` if the container cannot hold the codecs, with the one that can.
  func checkedAudioCodec(in container: MovieContainer) throws -> AudioCodec {
    guard container.holds(videoCodec) else {
      throw SafelightError(
        .unsupported, "\(videoCodec.title) does not go into .\(container.rawValue) files",
        remedy: videoCodec == .prores ? "name the movie .mov or .mkv" : "name the movie .mkv")
    }
    let codec = audioCodec ?? (videoCodec == .ffv1 ? .flac : videoCodec == .prores ? .pcm : .aac)
    guard container.holds(codec) else {
      throw SafelightError(
        .unsupported, "\(codec.title) does not go into .\(container.rawValue) files",
        remedy: "use aac or pcm, or name the movie .mkv")
    }
    return codec
  }
}

/// FFmpeg's encoder for pictures.
private final class PictureEncoding: PictureEncoder {
  private let encoder: VideoEncoder
  private let preset: EncoderPreset

  init(_ settings: MovieSettings, _ pictures: MoviePictures) throws {
    var asked = VideoEncoderSettings(
      codec: settings.videoCodec, size: pictures.size, pixelFormat: pictures.format, tags: pictures.tags,
      framesPerSecond: pictures.framesPerSecond > 0 ? pictures.framesPerSecond : 30)
    asked.sampleAspect = pictures.sampleAspect
    asked.orientation = pictures.orientation
    asked.quality = settings.quality
    asked.preset = settings.preset
    asked.choice = settings.encoder
    asked.proResProfile = settings.proResProfile
    encoder = try VideoEncoder(asked)
    preset = settings.preset
  }

  var format: EncodedVideoFormat { encoder.format }

  func encode(_ picture: PixelBuffer, at ticks: Int64, isKey: Bool) throws -> [EncodedPacket] {
    try encoder.encode(picture, at: ticks, isKey: isKey)
  }

  func finish() throws -> [EncodedPacket] { try encoder.finish() }

  func setSpeedStep(_ step: Int) {
    var faster = preset
    for _ in 0..<max(0, step) { faster = faster.faster ?? faster }
    // An encoder that cannot change goes on as it is; fewer frames come next.
    try? encoder.changePreset(to: faster)
  }
}

/// FFmpeg's encoder for sound.
private final class SoundEncoding: SoundEncoder {
  private let encoder: AudioEncoder
  private let sound: AudioFormat
  /// 12 dB above full scale.
  private static let loudest: Float = 4

  init(_ codec: AudioCodec, _ format: AudioFormat, bitRate: Int?) throws {
    sound = format
    let usesRate = codec == .aac || codec == .opus
    // More than any microphone has, and read by everybody.
    let bits = codec == .pcm ? 24 : nil
    encoder = try AudioEncoder(
      AudioEncoderSettings(
        codec: codec, format: format, bitRate: usesRate ? bitRate : nil, bitsPerSample: bits))
  }

  var format: EncodedAudioFormat { encoder.format }

  func encode(_ samples: [Float]) throws -> [EncodedPacket] {
    // Damaged files have floats with which encoders give up.
    let sane = samples.allSatisfy { abs($0) <= Self.loudest }
    let heard = sane ? samples : samples.map { $0.isNaN ? 0 : min(max($0, -Self.loudest), Self.loudest) }
    return try encoder.encode(AudioBuffer(format: sound, samples: heard, time: Timestamp(nanoseconds: 0)))
  }

  func finish() throws -> [EncodedPacket] { try encoder.finish() }
}

/// Sound in step with the clock.
private final class SynchronizedSound: SoundAligner {
  let epoch: Timestamp
  private let synchronizer: AudioSynchronizer
  private var meter: LoudnessMeter
  private(set) var status = MovieStatus.SoundStatus()

  init(_ format: AudioFormat, from epoch: Timestamp, rate: Int) throws {
    self.epoch = epoch
    synchronizer = try AudioSynchronizer(AudioSynchronizer.Configuration(format: format, outputRate: rate))
    try synchronizer.start(at: epoch)
    meter = LoudnessMeter(format: format)
  }

  func align(_ sound: AudioBuffer) throws -> [AlignedSound] {
    var runs: [AlignedSound] = []
    var position = synchronizer.sampleCount
    try synchronizer.process(sound) { piece in
      runs.append(AlignedSound(samples: piece.samples, position: position))
      position += Int64(piece.frameCount)
    }
    meter.process(sound)
    status.driftPPM = synchronizer.statistics.driftPPM
    status.offsetMilliseconds = synchronizer.statistics.offset
    status.peak = meter.levels.map(\.peak).max() ?? -.infinity
    status.loudness = meter.momentary
    let lost = synchronizer.statistics.samples
    status.silentSamples = lost.silentOverrun + lost.silentDisconnected
    return runs
  }
}
