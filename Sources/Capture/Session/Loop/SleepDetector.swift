import FrameCore
import Libc

/// Detects that the system slept: CLOCK_BOOTTIME keeps counting meanwhile, CLOCK_MONOTONIC does not.
struct SleepDetector {
  /// The shortest detectable sleep in nanoseconds; less may be the time between reading the two clocks.
  static let threshold: Int64 = 500_000_000

  private var lead: Int64

  init(bootTime: Timestamp, monotonic: Timestamp) { lead = bootTime.nanoseconds - monotonic.nanoseconds }

  /// Returns the seconds slept since the last call or `init`, or nil.
  mutating func sleep(bootTime: Timestamp, monotonic: Timestamp) -> Double? {
    let present = bootTime.nanoseconds - monotonic.nanoseconds
    let slept = present - lead
    guard slept >= Self.threshold else { return nil }
    lead = present
    return Double(slept) / 1e9
  }
}

extension Timestamp {
  /// The time on a clock that counts while the system sleeps.
  static var bootTime: Timestamp {
    #if canImport(Darwin)
      return .now
    #else
      var time = timespec()
      clock_gettime(CLOCK_BOOTTIME, &time)
      return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    #endif
  }
}
