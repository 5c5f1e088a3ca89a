import Safelight

/// The times of steps, reported so that they add up to the total.
///
/// Steps run in parallel, and some of the time belongs to none: both are reported as one difference. All values
/// are in tenths of a millisecond, as printed, so that the printed numbers add up.
struct StepTimes {
  struct Step: Encodable, Equatable {
    let name: String
    let milliseconds: Double
  }

  let steps: [Step]
  /// The time that belongs to no step.
  let other: Double
  /// The time saved by steps that ran in parallel.
  let saved: Double
  let total: Double

  init(_ steps: [Stopwatch.Step], total: Double) {
    func tenths(_ seconds: Double) -> Int { Int((seconds * 10_000).rounded()) }
    let parts = steps.map { (name: $0.name, tenths: tenths($0.seconds)) }
    let rest = tenths(total) - parts.reduce(0) { $0 + $1.tenths }
    self.steps = parts.map { Step(name: $0.name, milliseconds: Double($0.tenths) / 10) }
    other = Double(max(rest, 0)) / 10
    saved = Double(max(-rest, 0)) / 10
    self.total = Double(tenths(total)) / 10
  }

  var text: String {
    let terms =
      (steps.filter { $0.milliseconds > 0 } + (other > 0 ? [Step(name: "other", milliseconds: other)] : []))
      .map {
        "\($0.name) \(PlainNumber.fixed($0.milliseconds, 1))"
      }
    let difference = saved > 0 ? " − side by side \(PlainNumber.fixed(saved, 1))" : ""
    return terms.joined(separator: " + ") + difference + " = \(PlainNumber.fixed(total, 1)) ms"
  }
}

/// Human-readable file sizes.
enum ByteText {
  /// `3.2 MB`, `812 kB`, `96 bytes`
  static func text(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<999_500: "\(PlainNumber.fixed(Double(bytes) / 1e3, bytes < 9950 ? 1 : 0)) kB"
    case ..<999_500_000: "\(PlainNumber.fixed(Double(bytes) / 1e6, bytes < 99_500_000 ? 1 : 0)) MB"
    default: "\(PlainNumber.fixed(Double(bytes) / 1e9, 1)) GB"
    }
  }
}
