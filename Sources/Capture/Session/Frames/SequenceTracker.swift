/// Tracks a source's frame numbers: finds unreported gaps, and keeps counting when a stream is reopened and its
/// numbers restart.
struct SequenceTracker {
  /// A larger jump is not a loss but a reset of the counter (20 bits: nearly five hours at 60 frames per second).
  static let largestGap: UInt64 = 1 << 20

  /// The source's next expected number; nil before the first of a stream.
  private var expected: UInt64?
  /// The amount added to the source's numbers.
  private var offset: UInt64 = 0
  /// The next number to assign; nil before the very first.
  private var next: UInt64?

  /// Begins a stream: its first number, whatever it is, continues the numbers assigned so far.
  mutating func begin() { expected = nil }

  /// Returns the number of the frame that its source calls `number`, and how many numbers before it are missing.
  mutating func frame(_ number: UInt64) -> (number: UInt64, missing: Int) {
    let missing = synchronize(number)
    expected = number &+ 1
    let given = number &+ offset
    next = given &+ 1
    return (given, missing)
  }

  /// Does the same for the first of `count` frames that the source reports as lost.
  mutating func lost(_ number: UInt64, count: Int) -> (number: UInt64, missing: Int) {
    let missing = synchronize(number)
    expected = number &+ UInt64(max(count, 0))
    let given = number &+ offset
    next = given &+ UInt64(max(count, 0))
    return (given, missing)
  }

  private mutating func synchronize(_ number: UInt64) -> Int {
    if let expected {
      let jump = number &- expected
      if jump <= Self.largestGap { return Int(jump) }
    }
    if let next { offset = next &- number }
    return 0
  }
}
