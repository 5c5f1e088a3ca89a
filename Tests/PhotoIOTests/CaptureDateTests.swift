import FrameCore
import Testing

@testable import PhotoIO

@Suite("Dates of photos")
struct CaptureDateTests {
  typealias Date = CaptureFacts.Date

  @Test(
    "Seconds since 1970 become local dates, as GNU date writes them",
    arguments: [
      // TZ=… date -d @… '+%Y:%m:%d %H:%M:%S %:z'
      (0, 0, "1970:01:01 00:00:00", "+00:00"), (1_000_000_000, 120, "2001:09:09 03:46:40", "+02:00"),
      (1_709_251_199, -570, "2024:02:29 14:29:59", "-09:30"),
      (1_709_251_199, 840, "2024:03:01 13:59:59", "+14:00"), (-1, 0, "1969:12:31 23:59:59", "+00:00"),
      (4_102_444_800, -1, "2099:12:31 23:59:00", "-00:01"),
    ])
  func unix(seconds: Int64, offset: Int, text: String, offsetText: String) throws {
    let date = try #require(
      Date(unixNanoseconds: seconds * 1_000_000_000 + 7_000_000, minutesFromUTC: offset))
    #expect(date.exifText == text)
    #expect(date.exifOffset == offsetText)
    #expect(date.exifSubSeconds == "007")
  }

  @Test("Times before 1970 have fractions after the second, too")
  func negative() throws {
    let date = try #require(Date(unixNanoseconds: -1, minutesFromUTC: 0))
    #expect(date.second == 59 && date.nanosecond == 999_999_999)
    // The ends of the range: about ±292 years.
    #expect(Date(unixNanoseconds: .min, minutesFromUTC: 0)?.exifText == "1677:09:21 00:12:43")
    #expect(Date(unixNanoseconds: .max, minutesFromUTC: 0)?.exifText == "2262:04:11 23:47:16")
  }

  @Test("Without a time zone it is this machine's, and the same moment")
  func local() throws {
    let moment: Int64 = 1_790_000_000_123_456_789
    let date = try #require(Date(unixNanoseconds: moment))
    let offset = try #require(date.minutesFromUTC)
    #expect(Date(unixNanoseconds: moment, minutesFromUTC: offset) == date)
  }

  @Test("A frame's time is as far in the past as its timestamp")
  func timestamp() throws {
    let now = Timestamp.now
    let date = try #require(Date(at: now))
    let earlier = try #require(Date(at: now.advanced(bySeconds: -86_400)))
    // A day before, but for the time between the two calls, and a change to or from summer time.
    #expect(earlier != date)
    #expect([1, 27, 28, 29, 30].contains(abs(date.day - earlier.day)))
    #expect(date.nanosecond != nil && date.minutesFromUTC != nil)
  }

  @Test(
    "EXIF's texts are read back",
    arguments: [0, 5_000_000, 123_000_000, 123_456_000, 999_999_999, 1], [-1439, -210, 0, 345, 840])
  func texts(nanosecond: Int, offset: Int) throws {
    let date = try #require(
      Date(
        year: 987, month: 6, day: 5, hour: 4, minute: 3, second: 2, nanosecond: nanosecond,
        minutesFromUTC: offset))
    #expect(date.exifText == "0987:06:05 04:03:02")
    var read = try #require(Date(exif: date.exifText.utf8))
    read.setSubSeconds(exif: try #require(date.exifSubSeconds).utf8)
    read.setOffset(exif: try #require(date.exifOffset).utf8)
    #expect(read == date)
  }

  @Test(
    "Texts without a meaning leave fractions and zone unknown",
    arguments: ["", "x", "1x3", "+1:30", "      "])
  func nonsense(text: String) throws {
    var date = try #require(Date(year: 2026, month: 1, day: 1))
    date.setSubSeconds(exif: text.utf8)
    date.setOffset(exif: text.utf8)
    date.setOffset(exif: "+24:00".utf8)
    date.setOffset(exif: "+01:60".utf8)
    #expect(date.nanosecond == nil && date.minutesFromUTC == nil)
    #expect(date.exifSubSeconds == nil && date.exifOffset == nil)
  }

  @Test("Fields out of range make no date")
  func ranges() {
    #expect(Date(year: 2026, month: 13, day: 1) == nil)
    #expect(Date(year: 2026, month: 1, day: 1, nanosecond: 1_000_000_000) == nil)
    #expect(Date(year: 2026, month: 1, day: 1, nanosecond: -1) == nil)
    #expect(Date(year: 2026, month: 1, day: 1, minutesFromUTC: 1440) == nil)
  }
}
