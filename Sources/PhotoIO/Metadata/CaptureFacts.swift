/// The circumstances of a photo according to EXIF, as needed for names and reports.
public struct CaptureFacts: Sendable, Hashable, Codable {
  /// A date and time as cameras write it: local time where the photo was taken, without a time zone.
  public struct Date: Sendable, Hashable, Codable {
    public var year, month, day, hour, minute, second: Int

    /// Nil if a field is out of range.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
      guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
        (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
      else { return nil }
      (self.year, self.month, self.day) = (year, month, day)
      (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// Parses `YYYY:MM:DD HH:MM:SS` (EXIF 2.32, section 4.6.5, DateTimeOriginal); nil for anything else. Cameras
    /// without a clock write blanks or zeros.
    init?(exif text: some Collection<UInt8>) {
      let text = Array(text)
      guard text.count >= 19 else { return nil }
      func number(_ range: Range<Int>) -> Int? {
        text[range].reduce(Optional(0)) { sum, byte in
          guard let sum, (0x30...0x39).contains(byte) else { return nil }
          return sum * 10 + Int(byte - 0x30)
        }
      }
      // Some programs write hyphens in dates, and a T before the time.
      guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
        let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
      else { return nil }
      self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }
  }

  /// DateTimeOriginal, otherwise DateTimeDigitized.
  public var date: Date?
  /// Model, trimmed.
  public var camera: String?

  public init(date: Date? = nil, camera: String? = nil) {
    self.date = date
    self.camera = camera
  }
}

extension PhotoMetadata {
  /// The facts in the EXIF block; empty if it is missing or damaged.
  public var captureFacts: CaptureFacts {
    guard let exif, let block = try? EXIFBlock(exif) else { return CaptureFacts() }
    return block.captureFacts
  }
}
