/// Faults of a synthetic source, for tests. The same faults occur at the same frames in every run.
public struct SyntheticFaults: Sendable, Hashable {
  /// The maximum delay of a frame in seconds, evenly distributed by the scene's seed. Time stamps include it.
  public var jitter: Double = 0
  /// Seconds of silence before a frame. The frames due meanwhile are reported as a gap.
  public var stalls: [UInt64: Double] = [:]
  /// The number of frames that the source loses, by the first of them.
  public var gaps: [UInt64: Int] = [:]
  /// Frames that arrive damaged.
  public var corrupt: Set<UInt64> = []

  public init(
    jitter: Double = 0, stalls: [UInt64: Double] = [:], gaps: [UInt64: Int] = [:], corrupt: Set<UInt64> = []
  ) {
    self.jitter = jitter
    self.stalls = stalls
    self.gaps = gaps
    self.corrupt = corrupt
  }
}
