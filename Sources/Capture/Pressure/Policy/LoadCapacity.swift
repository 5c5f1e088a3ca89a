/// The mean share of the frame interval that the machine can do: 1 for one worker that tells its whole time.
///
/// An encoder with threads of its own returns early, and several workers tell more time than passes. What is
/// used while frames are dropped shows how much it really is.
struct LoadCapacity: Sendable {
  /// By which factor it is believed to come nearer to 1 in a window without drops: from a half in twelve
  /// minutes. Each time that this is too much costs some frames.
  private static let recovery = 1.0005
  private static let range = 0.05...64

  private(set) var share = 1.0
  /// The use of the latest window with drops, since the last one without.
  private var saturated: Double?

  /// Takes the latest window.
  mutating func learn(_ history: LoadHistory) {
    // A change has just been made.
    guard !history.windows.isEmpty else { return }
    guard let use = history.use else {
      // Nothing is finished: a disk that stands still, say, tells nothing of what the machine can do.
      saturated = nil
      return
    }
    guard history.isSaturated else {
      // What is done without drops can be done.
      let nearer = share < 1 ? min(1, share * Self.recovery) : max(1, share / Self.recovery)
      share = max(nearer, min(use, Self.range.upperBound))
      saturated = nil
      return
    }
    // The greater of two: a window in part of which nothing was done shows too little.
    if let saturated { share = min(max(use, saturated, Self.range.lowerBound), Self.range.upperBound) }
    saturated = use
  }
}
