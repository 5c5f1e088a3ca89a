import FrameCore

/// Converts times of frames to ticks of a movie, which increase.
///
/// Cameras stamp frames irregularly, and two may fall on one tick; a container must tell them apart.
public struct TickClock: Sendable, Hashable {
  /// The moment of tick 0.
  public let origin: Timestamp
  public let timeScale: Int64
  private var last: Int64?

  /// - Parameter timeScale: ticks per second, above 0.
  public init(origin: Timestamp, timeScale: Int64 = EncodedVideoFormat.timeScale) {
    self.origin = origin
    self.timeScale = timeScale
  }

  /// Returns the nearest tick, or the one after the last that was returned if that is later.
  public mutating func tick(at time: Timestamp) -> Int64 {
    let tick = nearest(to: time)
    let next = last.map { max(tick, $0 + 1) } ?? tick
    last = next
    return next
  }

  /// Returns the nearest tick.
  public func nearest(to time: Timestamp) -> Int64 {
    let elapsed = time.nanoseconds - origin.nanoseconds
    // In parts, because nanoseconds times ticks overflow after 28 hours.
    let (seconds, rest) = elapsed.quotientAndRemainder(dividingBy: 1_000_000_000)
    let scaled = rest * timeScale
    let half: Int64 = scaled < 0 ? -500_000_000 : 500_000_000
    return seconds * timeScale + (scaled + half) / 1_000_000_000
  }
}
