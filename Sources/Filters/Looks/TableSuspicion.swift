import ColorScience
import FrameCore

/// A table that seems to be made for other samples than those it is given, told by what it does to greys.
///
/// Makers' tables for log footage turn the code of black, 7…13 % of the range in all their encodings, into black, and
/// give the codes between it and white, about 60 %, most of the output. Looks for pictures that are shown leave black and
/// white about where they are.
enum TableSuspicion {
  /// Log footage is expected, but the samples are those that are shown.
  case wantsLog(share: Double)
  /// Samples that are shown are expected, but they are log.
  case wantsDisplay(share: Double)
  /// What it gives can be shown, but is declared to be log.
  case givesDisplay(share: Double)

  /// The codes between black and white of log encodings.
  private static let middle = (0.10, 0.62)
  /// The share of the output on `middle` from which a table is taken for one of log footage, and below which for one of
  /// pictures that are shown; a table that changes nothing has 0.52.
  private static let logShare = 0.72
  private static let displayShare = 0.60
  /// The share of the output below which codes up to 8 % are all black.
  private static let flatToe = 0.03

  /// Nil if nothing is suspicious.
  init?(_ table: ColorLUT, input: SampleEncoding, output: SampleEncoding) {
    func grey(_ code: Double) -> Double {
      let color = table.evaluate(SIMD3(repeating: code))
      return (SIMD3(0.2126, 0.7152, 0.0722) * color).sum()
    }
    let range = grey(1) - grey(0)
    guard range > 0.25 else { return nil }
    let share = (grey(Self.middle.1) - grey(Self.middle.0)) / range
    let isFlat = (grey(0.08) - grey(0)) / range < Self.flatToe
    let isForLog = share >= Self.logShare && isFlat
    switch (input, output) {
    case (.space(let space), _):
      guard isForLog, space != .linearSRGB else { return nil }
      self = .wantsLog(share: share)
    case (.log, .space):
      guard share < Self.displayShare, !isFlat else { return nil }
      self = .wantsDisplay(share: share)
    case (.log, .log):
      guard isForLog else { return nil }
      self = .givesDisplay(share: share)
    }
  }

  /// A sentence without the name of the table and the full stop.
  var text: String {
    func percent(_ share: Double) -> String { "\(PlainNumber.fixed(share * 100, 0)) %" }
    switch self {
    case .wantsLog(let share):
      return
        "seems to be made for log footage: it gives codes of 10…62 % \(percent(share)) of its output and makes those up to 8 % black; declare its encoding, such as --lut-encoding s-log3"
    case .wantsDisplay(let share):
      return
        "seems to be made for pictures as they are shown: it gives the codes of log footage, 10…62 %, only \(percent(share)) of its output; leave out its log encoding, or choose another table"
    case .givesDisplay(let share):
      return
        "seems to give pictures that can be shown: it gives codes of 10…62 % \(percent(share)) of its output; declare --lut-output-encoding rec709"
    }
  }
}
