import Safelight

/// Levels and loudness as short text.
enum LevelText {
  /// More channels get one mark each.
  private static let mostBars = 2
  private static let heights = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// `▮▮▮▮▮▯▯▯ ▮▮▮▮▯▯▯▯ −18 dB`: a bar for each channel, one mark for 8 dB, and the highest peak. Of many
  /// channels `▅▄▃▁ −18 dB`.
  static func bars(_ peaks: [Double]) -> String {
    let text =
      peaks.count > mostBars
      ? peaks.map { mark($0) }.joined()
      : peaks.map { bar($0) }.joined(separator: " ")
    let highest = peaks.max() ?? -.infinity
    return text + (highest.isFinite ? " \(signed(highest, 0)) dB" : " silent")
  }

  /// The number of marks for a peak, 0…8.
  private static func marks(_ peak: Double) -> Int {
    guard peak.isFinite else { return 0 }
    return max(0, min(8, Int(((peak + 64) / 8).rounded(.up))))
  }

  private static func bar(_ peak: Double) -> String {
    let marks = marks(peak)
    return String(repeating: "▮", count: marks) + String(repeating: "▯", count: 8 - marks)
  }

  private static func mark(_ peak: Double) -> String { heights[max(0, marks(peak) - 1)] }

  /// `M −23.1 S −22.8 LUFS`
  static func loudness(momentary: Double, shortTerm: Double) -> String {
    "M \(decibels(momentary)) S \(decibels(shortTerm)) LUFS"
  }

  /// `14.2 ms`
  static func milliseconds(_ seconds: Double) -> String { "\(PlainNumber.fixed(seconds * 1000, 1)) ms" }

  /// `−23.1`, and `–` for silence.
  static func decibels(_ value: Double) -> String { value.isFinite ? signed(value, 1) : "–" }

  /// With a real minus sign.
  static func signed(_ number: Double, _ digits: Int) -> String {
    let text = PlainNumber.fixed(abs(number), digits)
    return (number < 0 && Double(text) != 0 ? "−" : "") + text
  }

  /// `at most −18.2 LUFS`, or why there is none.
  private static func most(_ loudness: Double, needing seconds: Double, of meter: LoudnessMeter) -> String {
    guard !loudness.isFinite else { return "at most \(decibels(loudness)) LUFS" }
    return meter.duration < seconds ? "– (needs \(PlainNumber.text(seconds)) s)" : "– (silence)"
  }

  /// What a meter has measured, one line a value.
  static func summary(_ reading: LoudnessReading) -> String {
    let meter = reading.meter
    let peaks = meter.truePeak.map(decibels).joined(separator: "  ")
    return [
      ("integrated", "\(decibels(meter.integrated)) LUFS"),
      ("range", "\(signed(meter.range, 1)) LU"),
      ("momentary", most(reading.largestMomentary, needing: 0.4, of: meter)),
      ("short-term", most(reading.largestShortTerm, needing: 3, of: meter)),
      ("true peak", "\(peaks) dBTP"),
      ("duration", "\(PlainNumber.fixed(meter.duration, 1)) s"),
    ].map { "\($0.0.padded(to: 10, left: true))  \($0.1)" }.joined(separator: "\n")
  }
}
