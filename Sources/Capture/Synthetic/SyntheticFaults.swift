/// What goes wrong in a synthetic source, for tests. The same faults at the same frames in every run.
public struct SyntheticFaults: Sendable, Hashable {
  /// Up to how many seconds a frame is late, evenly spread by the scene's seed. Its time stamp is late with it.
  public var jitter: Double = 0
  /// Seconds for which the source is silent, by the frame before which that happens. The frames that it should have
  /// made meanwhile are a gap.
  public var stalls: [UInt64: Double] = [:]
  /// How many frames the source loses, by the first of them.
  public var gaps: [UInt64: Int] = [:]
  /// Frames that come damaged.
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
