/// Turns times that a container rounds into positions of samples that follow each other.
struct SoundClock: Hashable {
  /// The largest difference, in samples, that is taken for rounding.
  let tolerance: Int64
  /// Where the next block begins if nothing is missing.
  private(set) var expected: Int64?

  init(tolerance: Int64) { self.tolerance = tolerance }

  /// Returns the position of a block of `count` samples that the container places at `stated`; nil if it does
  /// not say.
  mutating func advance(to stated: Int64?, count: Int64) -> Int64 {
    var position = expected ?? stated ?? 0
    if let stated, abs(stated - position) > tolerance { position = stated }
    expected = position + count
    return position
  }
}
