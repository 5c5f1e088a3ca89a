/// Adds up the time of named steps, in the order of first use.
public struct Stopwatch: Sendable {
  /// A named step with its total time in seconds.
  public struct Step: Sendable, Hashable {
    public let name: String
    public var seconds: Double

    package init(name: String, seconds: Double) {
      self.name = name
      self.seconds = seconds
    }
  }

  package private(set) var steps: [Step] = []
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  package init() { start = clock.now }

  /// The seconds since this stopwatch was created.
  package var total: Double { Self.seconds(clock.now - start) }

  package mutating func measure<Value>(_ name: String, _ body: () throws -> Value) rethrows -> Value {
    let began = clock.now
    let value = try body()
    add(Self.seconds(clock.now - began), to: name)
    return value
  }

  package mutating func add(_ seconds: Double, to name: String) {
    if let index = steps.firstIndex(where: { $0.name == name }) {
      steps[index].seconds += seconds
    } else {
      steps.append(Step(name: name, seconds: seconds))
    }
  }

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
