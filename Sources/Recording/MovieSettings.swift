import MovieIO

/// How a movie is recorded.
public struct MovieSettings: Sendable, Hashable {
  public var videoCodec = VideoCodec.h264
  /// Nil for the codec's default.
  public var quality: VideoQuality?
  /// The time that a software encoder may take.
  public var preset = EncoderPreset.veryfast
  public var encoder = EncoderChoice.software
  public var proResProfile = ProResProfile.standard
  /// How sound is compressed; nil for FLAC with FFV1, PCM with ProRes, and otherwise AAC. Nil also lets the sound of a
  /// file be copied. Without sound it has no effect.
  public var audioCodec: AudioCodec?
  /// Bits per second of compressed sound; nil for the codec's default.
  public var audioBitRate: Int?
  /// Seconds after which a new file begins, at the next key picture; nil for one file.
  public var segment: Double?
  /// Seconds before the start of the recording that are kept for it.
  public var preRoll = 0.0
  public var limits = MovieLimits()

  public init() {}
}

/// What ends a recording. To end there is success.
public struct MovieLimits: Sendable, Hashable {
  /// Seconds of recording, pauses not counted.
  public var duration: Double?
  /// Bytes of all files.
  public var bytes: Int64?
  /// Bytes that stay free on the disk.
  public var freeBytes: Int64 = 100_000_000

  public init() {}
}

/// Why a recording ended.
public enum MovieEnd: String, Sendable, Hashable, Codable {
  /// As it was asked to.
  case stopped
  case durationReached
  case bytesReached
  /// The disk is nearly full.
  case diskLow
  /// The source has no more pictures.
  case sourceFinished
  case failed
}

/// Why pictures are missing from a recording.
public enum MovieDrop: String, Sendable, Hashable, Codable, CaseIterable {
  /// The camera or the look had not finished it in time; it was lost before the recorder.
  case late
  /// The encoder had not finished earlier ones.
  case encoderBusy
  /// The disk had not taken earlier ones.
  case diskBusy
  /// The machine is under pressure, and the session records fewer of them.
  case pressure
  /// Its time was not after that of the picture before it.
  case outOfOrder
}

/// What happens to a recording.
public enum MovieEvent: Sendable {
  /// A file has its first picture.
  case started(path: String)
  case paused
  case resumed
  /// A moment was marked, in seconds from the start of the recording.
  case marked(seconds: Double)
  /// A file is complete.
  case finished(path: String, seconds: Double, bytes: Int64)
  /// A file was removed or changed, by somebody else, while it was written: what it held is lost.
  case lost(path: String)
  /// A recording is complete, with all its files.
  case ended(MovieEnd)
  /// The recording ended early. What was recorded before stays.
  case failed(any Error)
}

/// A recording at one moment.
public struct MovieStatus: Sendable {
  public enum Phase: String, Sendable, Hashable, Codable {
    /// Pictures are kept for the pre-roll, or not at all.
    case standby
    case recording
    case paused
    case ended
  }

  public var phase = Phase.standby
  /// The file that is written; nil in standby.
  public var path: String?
  /// Seconds recorded since the start, pauses not counted.
  public var seconds = 0.0
  /// Bytes of all files of this run.
  public var bytes: Int64 = 0
  /// Pictures written into files.
  public var written = 0
  /// Files that somebody else removed or changed while they were written.
  public var lost: [String] = []
  /// Pictures that wait for the encoder.
  public var waiting = 0
  public var drops: [MovieDrop: Int] = [:]
  /// How sound and clock relate; nil without sound.
  public var sound: SoundStatus?

  public struct SoundStatus: Sendable {
    /// How much faster than its nominal rate the microphone's clock runs, in parts per million.
    public var driftPPM = 0.0
    /// How far the sound is from its place, in milliseconds.
    public var offsetMilliseconds = 0.0
    /// The highest sample of the last 100 ms or more, in dB below full scale.
    public var peak = -Double.infinity
    /// The momentary loudness in LUFS.
    public var loudness = -Double.infinity
    /// Samples of silence in place of sound that was lost.
    public var silentSamples: Int64 = 0
  }

  public init() {}

  public var dropped: Int { drops.values.reduce(0, +) }
}
