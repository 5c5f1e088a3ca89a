import Libc

/// A moment in local time, as photos state it.
package struct LocalTime: Sendable, Hashable {
  package var year, month, day, hour, minute, second: Int
  /// 0…999.
  package var millisecond: Int
  /// The seconds that local time is ahead of UTC.
  package var secondsFromUTC: Int

  /// The moment `timestamp` of CLOCK_MONOTONIC in the machine's time zone.
  package init(_ timestamp: Timestamp) {
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    let ago = Timestamp.now.nanoseconds - timestamp.nanoseconds
    let nanoseconds = Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec) - ago
    self.init(millisecondsSince1970: nanoseconds / 1_000_000)
  }

  /// - Parameter milliseconds: since 1970-01-01 00:00 UTC.
  package init(millisecondsSince1970 milliseconds: Int64) {
    var seconds = time_t(milliseconds / 1000)
    var fields = tm()
    localtime_r(&seconds, &fields)
    (year, month, day) = (Int(fields.tm_year) + 1900, Int(fields.tm_mon) + 1, Int(fields.tm_mday))
    (hour, minute, second) = (Int(fields.tm_hour), Int(fields.tm_min), Int(fields.tm_sec))
    (millisecond, secondsFromUTC) = (Int(milliseconds % 1000), fields.tm_gmtoff)
  }

  /// `20261123-123456-789`: sorts by time, and is harmless in file names.
  package var stem: String {
    digits(year, 4) + digits(month, 2) + digits(day, 2) + "-"
      + digits(hour, 2) + digits(minute, 2) + digits(second, 2) + "-" + digits(millisecond, 3)
  }

  /// `2026-11-23T12:34:56.789+01:00` (ISO 8601).
  package var iso8601: String {
    let date = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    let time = "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2)).\(digits(millisecond, 3))"
    return "\(date)T\(time)\(offsetText)"
  }

  /// `+01:00`, as EXIF's OffsetTime has it too.
  package var offsetText: String {
    let minutes = abs(secondsFromUTC) / 60
    return (secondsFromUTC < 0 ? "-" : "+") + digits(minutes / 60, 2) + ":" + digits(minutes % 60, 2)
  }

  private func digits(_ value: Int, _ count: Int) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
