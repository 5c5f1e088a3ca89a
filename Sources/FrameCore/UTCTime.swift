import Libc

/// Times as written in files: `2026-11-21T12:20:19Z` (ISO 8601, UTC, whole seconds).
package enum UTCTime {
  package static var now: String {
    var seconds = time(nil)
    var fields = tm()
    gmtime_r(&seconds, &fields)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(fields.tm_year + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))"
      + "T\(two(fields.tm_hour)):\(two(fields.tm_min)):\(two(fields.tm_sec))Z"
  }

  /// Whether a text is such a time; every month may have up to 31 days.
  package static func isValid(_ text: String) -> Bool {
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count == pattern.count else { return false }
    for (byte, wanted) in zip(bytes, pattern) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard wanted == UInt8(ascii: "0") ? isDigit : byte == wanted else { return false }
    }
    func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 48) } }
    return (1...12).contains(number(5..<7)) && (1...31).contains(number(8..<10)) && number(11..<13) < 24
      && number(14..<16) < 60 && number(17..<19) <= 60
  }
}
