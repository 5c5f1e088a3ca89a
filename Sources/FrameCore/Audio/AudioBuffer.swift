/// A run of sound with its time: what microphones deliver and movies take.
public struct AudioBuffer: Sendable {
  public let format: AudioFormat
  /// Interleaved samples; 1.0 is full scale. Their number is a multiple of the format's channels.
  public let samples: [Float]
  /// When the first sample was captured.
  public var time: Timestamp
  /// The number of samples per channel before the first one since the stream began, lost ones included.
  public var position: Int64
  /// Why this is silence instead of captured sound; nil if it was captured.
  public var silence: SilenceReason?

  /// - Precondition: whole samples for all channels.
  public init(
    format: AudioFormat, samples: [Float], time: Timestamp, position: Int64 = 0,
    silence: SilenceReason? = nil
  ) {
    precondition(samples.count.isMultiple(of: format.channelCount))
    self.format = format
    self.samples = samples
    self.time = time
    self.position = position
    self.silence = silence
  }

  /// The number of samples per channel.
  public var frameCount: Int { samples.count / format.channelCount }

  /// The duration in seconds, at the nominal rate.
  public var duration: Double { Double(frameCount) / Double(format.sampleRate) }
}

/// Why sound was replaced by silence of the same length.
public enum SilenceReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// The program did not read in time, and the device lost samples.
  case overrun
  /// The device was unplugged, busy or suspended.
  case disconnected
}

/// Counts of samples per channel at one place: `captured` were delivered as they came, the others as silence.
public struct AudioStatistics: Sendable, Hashable {
  public var captured: Int64 = 0
  public var silentOverrun: Int64 = 0
  public var silentDisconnected: Int64 = 0
  /// The number of separate overruns.
  public var overruns = 0
  /// The number of times that the device went away.
  public var disconnections = 0

  public init() {}

  /// The number of samples replaced by silence for one reason.
  public subscript(reason: SilenceReason) -> Int64 {
    get {
      switch reason {
      case .overrun: silentOverrun
      case .disconnected: silentDisconnected
      }
    }
    set {
      switch reason {
      case .overrun: silentOverrun = newValue
      case .disconnected: silentDisconnected = newValue
      }
    }
  }
}
