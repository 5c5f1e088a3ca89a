/// Faults of a synthetic sound, for tests. Spans are in seconds since the source was first opened.
public struct SyntheticAudioFaults: Sendable, Hashable {
  /// How much faster than nominal the device's clock runs, in parts per million.
  public var drift: Double = 0
  /// The standard deviation of time stamps in seconds.
  public var jitter: Double = 0
  /// The fraction of time stamps that are late by `spike`.
  public var spikeRate: Double = 0
  /// In seconds.
  public var spike: Double = 0.008
  /// Spans whose samples the device loses, as when the program does not read in time.
  public var overruns: [Range<Double>] = []
  /// Spans in which the device is unplugged.
  public var unplugged: [Range<Double>] = []

  public init(
    drift: Double = 0, jitter: Double = 0, spikeRate: Double = 0, spike: Double = 0.008,
    overruns: [Range<Double>] = [], unplugged: [Range<Double>] = []
  ) {
    self.drift = drift
    self.jitter = jitter
    self.spikeRate = spikeRate
    self.spike = spike
    self.overruns = overruns
    self.unplugged = unplugged
  }
}
