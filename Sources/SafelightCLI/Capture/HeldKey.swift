import Safelight

/// Tells how long a key is held from what a terminal or a device says of it: a state machine without clock.
///
/// Terminals that do not tell releases repeat a key as long as it is held, first after the repeat delay of the
/// keyboard, then quickly: there a key counts as released when no repetition has come for longer than that.
struct HeldKey {
  enum Change: Equatable {
    case began(Timestamp)
    case ended(Timestamp)
  }

  /// How long to wait, in seconds, for the first repetition and for further ones. The usual delays are 0.25 to
  /// 0.66 s, the usual distances 0.02 to 0.1 s.
  static let (firstWait, nextWait) = (0.8, 0.25)

  private struct Hold {
    var key: UInt32
    /// When the key counts as released; nil if its release is told.
    var deadline: Timestamp?
  }
  private var hold: Hold?

  /// When `timePassed` has something to tell.
  var deadline: Timestamp? { hold?.deadline }

  /// A key went down or repeats; keys besides the one that is held change nothing.
  ///
  /// - Parameter tellsRelease: whether this key's release will be told.
  mutating func pressed(_ key: UInt32, tellsRelease: Bool, at time: Timestamp) -> Change? {
    guard let hold else {
      self.hold = Hold(key: key, deadline: tellsRelease ? nil : time.advanced(bySeconds: Self.firstWait))
      return .began(time)
    }
    if hold.key == key, hold.deadline != nil { self.hold?.deadline = time.advanced(bySeconds: Self.nextWait) }
    return nil
  }

  mutating func released(_ key: UInt32, at time: Timestamp) -> Change? {
    guard hold?.key == key else { return nil }
    hold = nil
    return .ended(time)
  }

  mutating func timePassed(now: Timestamp) -> Change? {
    guard let deadline, now >= deadline else { return nil }
    hold = nil
    return .ended(deadline)
  }
}
