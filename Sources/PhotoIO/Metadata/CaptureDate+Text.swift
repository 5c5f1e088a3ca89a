extension CaptureFacts.Date {
  /// `20261123-123456-789`: sorts by time, and is harmless in file names.
  package var fileName: String {
    digits(year, 4) + digits(month, 2) + digits(day, 2) + "-"
      + digits(hour, 2) + digits(minute, 2) + digits(second, 2) + "-" + milliseconds
  }

  /// `2026-11-23T12:34:56.789+01:00` (ISO 8601).
  package var iso8601: String {
    let date = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    let time = "\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2)).\(milliseconds)"
    return "\(date)T\(time)\(exifOffset ?? "")"
  }

  private var milliseconds: String { digits((nanosecond ?? 0) / 1_000_000, 3) }

  private func digits(_ value: Int, _ count: Int) -> String {
    let text = "\(value)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
