import FrameCore
import Libc

extension CaptureFacts {
  /// A date and time as cameras write it: local time where the photo was taken, and since EXIF 2.31 its
  /// distance from UTC.
  public struct Date: Sendable, Hashable, Codable {
    public var year, month, day, hour, minute, second: Int
    /// Within the second, 0…999,999,999 [SubSecTimeOriginal]; nil if the camera did not say.
    public var nanosecond: Int?
    /// How far local time is ahead of UTC, in minutes [OffsetTimeOriginal]; nil if the camera did not say.
    public var minutesFromUTC: Int?

    /// Nil if a field is out of range.
    public init?(
      year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
      nanosecond: Int? = nil, minutesFromUTC: Int? = nil
    ) {
      guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
        (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
        (0...999_999_999).contains(nanosecond ?? 0), (-1439...1439).contains(minutesFromUTC ?? 0)
      else { return nil }
      (self.year, self.month, self.day) = (year, month, day)
      (self.hour, self.minute, self.second) = (hour, minute, second)
      (self.nanosecond, self.minutesFromUTC) = (nanosecond, minutesFromUTC)
    }

    /// Converts nanoseconds since 1970 in UTC (CLOCK_REALTIME); nil outside of the years 1…9999.
    ///
    /// - Parameter minutesFromUTC: the local time wanted; nil means this machine's at that moment.
    public init?(unixNanoseconds: Int64, minutesFromUTC: Int? = nil) {
      let (whole, rest) = unixNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      let fraction = rest < 0 ? rest + 1_000_000_000 : rest
      var seconds = time_t(rest < 0 ? whole - 1 : whole)
      var parts = tm()
      if let minutesFromUTC {
        seconds += 60 * minutesFromUTC
        guard gmtime_r(&seconds, &parts) != nil else { return nil }
      } else {
        guard localtime_r(&seconds, &parts) != nil else { return nil }
      }
      self.init(
        year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
        hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec),
        nanosecond: Int(fraction), minutesFromUTC: minutesFromUTC ?? Int(parts.tm_gmtoff) / 60)
    }

    /// The local time at a moment on the monotonic clock, such as a frame's, by what both clocks show now;
    /// nil if the system's clock is not set to a year 1…9999.
    public init?(at moment: Timestamp) {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      let age = Timestamp.now.nanoseconds &- moment.nanoseconds
      self.init(unixNanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec) &- age)
    }

    // MARK: EXIF

    /// Parses `YYYY:MM:DD HH:MM:SS` (EXIF 2.32, section 4.6.5, DateTimeOriginal); nil for anything else.
    /// Cameras without a clock write blanks or zeros.
    init?(exif text: some Collection<UInt8>) {
      let text = Array(text)
      guard text.count >= 19 else { return nil }
      // Some programs write hyphens in dates, and a T before the time.
      guard let year = Self.number(text[0..<4]), let month = Self.number(text[5..<7]),
        let day = Self.number(text[8..<10]), let hour = Self.number(text[11..<13]),
        let minute = Self.number(text[14..<16]), let second = Self.number(text[17..<19])
      else { return nil }
      self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Parses the decimal places of SubSecTimeOriginal; leaves the date as it is for anything else.
    mutating func setSubSeconds(exif text: some Collection<UInt8>) {
      let digits = Array(text.prefix(9))
      guard !digits.isEmpty, let number = Self.number(digits[...]) else { return }
      nanosecond = (digits.count..<9).reduce(number) { number, _ in number * 10 }
    }

    /// Parses OffsetTimeOriginal's `+HH:MM`; leaves the date as it is for anything else, such as blanks.
    mutating func setOffset(exif text: some Collection<UInt8>) {
      let text = Array(text)
      guard text.count >= 6, text[0] == 0x2B || text[0] == 0x2D, text[3] == 0x3A,
        let hours = Self.number(text[1..<3]), let minutes = Self.number(text[4..<6]), hours < 24, minutes < 60
      else { return }
      minutesFromUTC = (text[0] == 0x2D ? -1 : 1) * (60 * hours + minutes)
    }

    /// `YYYY:MM:DD HH:MM:SS`.
    var exifText: String {
      let date = Self.digits(year, 4) + ":" + Self.digits(month, 2) + ":" + Self.digits(day, 2)
      return date + " " + Self.digits(hour, 2) + ":" + Self.digits(minute, 2) + ":" + Self.digits(second, 2)
    }

    /// Decimal places of the second: three, or as many more by threes as it takes.
    var exifSubSeconds: String? {
      nanosecond.map { value in
        if value % 1_000_000 == 0 { return Self.digits(value / 1_000_000, 3) }
        return value % 1000 == 0 ? Self.digits(value / 1000, 6) : Self.digits(value, 9)
      }
    }

    /// `+HH:MM`.
    package var exifOffset: String? {
      minutesFromUTC.map { value in
        (value < 0 ? "-" : "+") + Self.digits(abs(value) / 60, 2) + ":" + Self.digits(abs(value) % 60, 2)
      }
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
      digits.reduce(Optional(0)) { (sum: Int?, byte: UInt8) -> Int? in
        guard let sum, (0x30...0x39).contains(byte) else { return nil }
        return sum * 10 + Int(byte - 0x30)
      }
    }
  }
}
