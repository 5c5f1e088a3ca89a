import FrameCore

/// The presses of a page's shutter button and what became of them: a state machine without clock, lock or thread.
///
/// Presses are numbered from 1. Each becomes photos or a failure; the newest of them can be asked for.
struct ShutterDesk {
  /// What is known of a press.
  enum Outcome {
    case underWay
    /// At least one photo.
    case taken([RemoteShutter.Photo])
    /// A sentence that says why there is none.
    case failed(String)
  }

  enum Refusal: Equatable {
    /// Too many presses wait for their photos, or come too fast.
    case tooMany
    case ended
  }

  /// The most presses whose photos are not written yet.
  static let mostUnderWay = 8
  /// The presses that may come at once, and how many a second in the long run: what strangers can write to the disk.
  static let (mostAtOnce, rate) = (30.0, 5.0)
  /// The number of presses whose outcome is kept.
  static let mostKept = 64

  private var outcomes: [Int: Outcome] = [:]
  private var count = 0
  private var underWay = 0
  private var isEnded = false
  private var tokens = mostAtOnce
  private var lastTime: Timestamp?
  /// The newest press that became a photo.
  private(set) var newest: Int?

  /// Whether another press would be accepted, were it not too fast.
  var isFree: Bool { !isEnded && underWay < Self.mostUnderWay }

  func outcome(of number: Int) -> Outcome? { outcomes[number] }

  /// Accepts a press.
  ///
  /// - Returns: its number, or why it is refused.
  mutating func press(now: Timestamp) -> Result<Int, RefusedPress> {
    guard !isEnded else { return .failure(RefusedPress(reason: .ended)) }
    let last = lastTime ?? now
    tokens = min(Self.mostAtOnce, tokens + Self.rate * max(0, now.seconds(since: last)))
    lastTime = max(last, now)
    guard underWay < Self.mostUnderWay, tokens >= 1 else { return .failure(RefusedPress(reason: .tooMany)) }
    tokens -= 1
    count += 1
    underWay += 1
    outcomes[count] = .underWay
    forgetOldest()
    return .success(count)
  }

  /// A press ended. What is said of presses that have ended changes nothing.
  mutating func end(_ number: Int, _ outcome: Outcome) {
    guard case .underWay? = outcomes[number] else { return }
    underWay -= 1
    outcomes[number] = outcome
    if case .taken = outcome { newest = max(newest ?? 0, number) }
  }

  /// The photos of a press were replaced; nothing changes if it has none, or is forgotten.
  mutating func replace(_ number: Int, _ photos: [RemoteShutter.Photo]) {
    guard case .taken? = outcomes[number] else { return }
    outcomes[number] = .taken(photos)
  }

  /// No more photos will be taken: those under way fail.
  ///
  /// - Returns: the numbers of their presses.
  @discardableResult
  mutating func end() -> [Int] {
    isEnded = true
    let numbers = outcomes.filter(\.value.isUnderWay).keys.sorted()
    for number in numbers { end(number, .failed("The run ended before the photo was taken.")) }
    return numbers
  }

  private mutating func forgetOldest() {
    guard outcomes.count > Self.mostKept, let oldest = outcomes.filter({ !$0.value.isUnderWay }).keys.min()
    else {
      return
    }
    outcomes[oldest] = nil
  }
}

struct RefusedPress: Error, Equatable {
  let reason: ShutterDesk.Refusal
}

extension ShutterDesk.Outcome {
  var isUnderWay: Bool { if case .underWay = self { true } else { false } }
}
