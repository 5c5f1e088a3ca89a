import FilterGraph
import FrameCore

/// The times of steps, reported so that they add up to the total.
///
/// Steps run in parallel, and some of the time belongs to none: both are reported as one difference. All values
/// are in tenths of a millisecond, as printed, so that the printed numbers add up.
public struct StepTimes: Sendable, Hashable {
  /// A named step with its time in milliseconds.
  public struct Step: Codable, Sendable, Hashable {
    public var name: String
    public var milliseconds: Double

    package init(name: String, milliseconds: Double) { (self.name, self.milliseconds) = (name, milliseconds) }
  }

  package let steps: [Step]
  /// The time that belongs to no step.
  package let other: Double
  /// The time saved by steps that ran in parallel.
  package let saved: Double
  package let total: Double

  package init(_ steps: [Stopwatch.Step], total: Double) {
    func tenths(_ seconds: Double) -> Int { Int((seconds * 10_000).rounded()) }
    let parts = steps.map { (name: $0.name, tenths: tenths($0.seconds)) }
    let rest = tenths(total) - parts.reduce(0) { $0 + $1.tenths }
    self.steps = parts.map { Step(name: $0.name, milliseconds: Double($0.tenths) / 10) }
    other = Double(max(rest, 0)) / 10
    saved = Double(max(-rest, 0)) / 10
    self.total = Double(tenths(total)) / 10
  }

  package var text: String {
    let terms =
      (steps.filter { $0.milliseconds > 0 } + (other > 0 ? [Step(name: "other", milliseconds: other)] : []))
      .map {
        "\($0.name) \(PlainNumber.fixed($0.milliseconds, 1))"
      }
    let difference = saved > 0 ? " − side by side \(PlainNumber.fixed(saved, 1))" : ""
    return terms.joined(separator: " + ") + difference + " = \(PlainNumber.fixed(total, 1)) ms"
  }
}
