/// Follows a source's frame numbers: finds the gaps it did not report, and goes on counting where streams are
/// opened again and their numbers begin anew.
struct SequenceTracker {
  /// A jump beyond this is not a loss but a counter that was set anew (20 bits: nearly five hours at 60 a second).
  static let largestGap: UInt64 = 1 << 20

  /// The next number of the source; nil before the first of a stream.
  private var expected: UInt64?
  /// What is added to the source's numbers.
  private var offset: UInt64 = 0
  /// The next number given out; nil before the very first.
  private var next: UInt64?

  /// A stream was opened: its first number, whatever it is, follows the last one given out.
  mutating func begin() { expected = nil }

  /// The number to give to the frame that its source calls `number`, and how many numbers before it are missing.
  mutating func frame(_ number: UInt64) -> (number: UInt64, missing: Int) {
    let missing = synchronize(number)
    expected = number &+ 1
    let given = number &+ offset
    next = given &+ 1
    return (given, missing)
  }

  /// The same for the first of `count` frames that the source reports as lost.
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
