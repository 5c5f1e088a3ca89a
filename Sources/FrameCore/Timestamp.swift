import Libc

/// A moment on a monotonic clock, in nanoseconds.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
  public var nanoseconds: Int64
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }
}

extension Timestamp {
  /// The current time on CLOCK_MONOTONIC, the clock that V4L2 drivers use to stamp frames.
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Returns the seconds from `earlier` to this moment.
  public func seconds(since earlier: Timestamp) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }

  /// Returns this moment shifted by `seconds`.
  public func advanced(bySeconds seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }
}
