import Safelight

/// How sound becomes a file.
struct TakeSettings: Sendable {
  var path: String
  var overwrite: Bool
  /// The sound as it comes from the session.
  var source: AudioFormat
  var sampleFormat: WaveSampleFormat
  /// What the four channels of the source are; nil writes channels as they are.
  var arrangement: SpatialArrangement?
  /// The ambisonics that become of them.
  var ambisonics = AmbisonicFormat.ambiX
  /// Seconds of recorded sound.
  var maximumDuration: Double?
  /// Bytes of the whole file.
  var maximumBytes: Int64?

  /// The sound as it is in the file.
  var format: AudioFormat {
    guard arrangement != nil else { return source }
    return AudioFormat(sampleRate: source.sampleRate, layout: ambisonics.layout)
  }
}

/// Why a take ended without a failure.
enum TakeEnd: String, Sendable, Codable {
  /// By a key or a signal.
  case stopped
  case durationReached
  case bytesReached
  case sourceFinished
}

/// Samples per channel of silence in place of sound, by reason.
struct TakeSilence: Sendable, Hashable, Codable {
  /// The device lost samples.
  var overrun: Int64 = 0
  /// The device was away.
  var disconnected: Int64 = 0
  /// The disk was too slow.
  var disk: Int64 = 0

  var total: Int64 { overrun + disconnected + disk }
}

/// How a take goes, for people who watch it.
struct TakeStatus: Sendable {
  var format: AudioFormat
  var isPaused = false
  /// Samples per channel in the file.
  var frames: Int64 = 0
  var bytes: Int64 = 0
  /// The highest sample of each channel in the last 100 ms, in dB of full scale; -∞ is silence.
  var peaks: [Double] = []
  /// In LUFS.
  var momentary = -Double.infinity
  var shortTerm = -Double.infinity
  /// Samples at full scale or beyond.
  var clipped: Int64 = 0
  var silence = TakeSilence()
  /// Whether nothing but zeros came from the device for seconds, as from a muted one.
  var isMute = false

  var seconds: Double { Double(frames) / Double(format.sampleRate) }
}
