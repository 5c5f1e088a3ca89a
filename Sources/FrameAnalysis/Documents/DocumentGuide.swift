import FrameCore

/// Guides someone who holds a page before a camera, or a camera over a page, and tells when to take the picture: once
/// the page is found, held still and sharp, and once only until it has moved away or changed.
///
/// A pure state machine: the same quads at the same times always give the same states. Distances are in fractions of
/// the picture's diagonal, so that they do not depend on its size.
public struct DocumentGuide: Sendable {
  /// What to show.
  public enum State: Sendable, Hashable {
    /// No page is seen.
    case searching
    /// A page is seen, and moves or is not sharp.
    case found
    /// The page lies still; it is taken if it goes on doing so.
    case holdStill
    /// The page was taken at that time; it lies there still.
    case steady(since: Timestamp)
  }

  /// When a page counts as still, and how long.
  public struct Settings: Sendable, Hashable {
    /// Corners of a page that lies still move less than this in `holdSeconds`, in diagonals.
    public var stillness = 0.008
    /// A page has moved away if a corner is farther than this from where it was taken, in diagonals.
    public var departure = 0.04
    /// A page must lie still for so long, in seconds.
    public var holdSeconds = 0.6
    /// Frames without a page for less than this are bridged, in seconds: detectors miss one now and then.
    public var gapSeconds = 0.25
    /// After a page was taken, no page for so long means that it was taken away, in seconds.
    public var absenceSeconds = 0.5
    /// Of the sharpest frame of the page so far: a frame must be at least so sharp.
    public var leastSharpness = 0.8
    /// Confidence below which a quad is not taken for a page.
    public var leastConfidence = DocumentDetector.leastConfidence

    public init() {}
  }

  public let settings: Settings
  public private(set) var state = State.searching
  /// The page's outline in the last frame that showed it, to draw; nil while searching.
  public private(set) var outline: [NormalizedPoint]?
  /// How much of the time for which the page must lie still has passed, 0…1, for a ring that fills.
  public private(set) var progress = 0.0

  private var lastTime: Timestamp?
  private var lastSeen: Timestamp?
  /// The outline and the time since which no corner has moved from it by `stillness`.
  private var anchor: (outline: [NormalizedPoint], time: Timestamp)?
  private var taken: [NormalizedPoint]?
  private var sharpest = 0.0
  /// The page's fingerprint when it was taken.
  private var takenContent: UInt64?

  public init(settings: Settings = Settings()) { self.settings = settings }

  /// Takes what was seen in the frame captured at `time`.
  ///
  /// A frame that is not newer than the previous one changes nothing.
  ///
  /// - Parameters:
  ///   - page: the likeliest document; nil if there is none.
  ///   - aspect: the picture's width to its height.
  ///   - sharpness: of the frame, as `Sharpness.value`; nil if it was not measured.
  ///   - content: anything that differs for another page in the same place, such as the number of a page; nil if that is
  ///     not known.
  /// - Returns: whether to take the picture of this frame.
  @discardableResult
  public mutating func update(
    _ page: Detection?, aspect: Double, sharpness: Double? = nil, content: UInt64? = nil, at time: Timestamp
  ) -> Bool {
    if let lastTime, time <= lastTime { return false }
    lastTime = time
    guard let page, page.confidence >= settings.leastConfidence, page.outline.count == 4 else {
      miss(at: time)
      return false
    }
    // A page that was gone for long is a new one.
    if let lastSeen, time.seconds(since: lastSeen) > settings.absenceSeconds { forget() }
    lastSeen = time
    outline = page.outline
    rearm(page.outline, aspect, content)
    if case .steady = state { return false }
    let isSharp = isSharp(sharpness)
    guard let anchor, Self.distance(anchor.outline, page.outline, aspect) < settings.stillness else {
      anchor = (page.outline, time)
      (state, progress) = (.found, 0)
      return false
    }
    let held = time.seconds(since: anchor.time)
    progress = min(held / settings.holdSeconds, 1)
    guard isSharp else {
      state = .found
      return false
    }
    guard held >= settings.holdSeconds else {
      state = .holdStill
      return false
    }
    (state, taken, takenContent) = (.steady(since: time), page.outline, content)
    return true
  }

  private mutating func miss(at time: Timestamp) {
    guard let lastSeen else { return }
    let gone = time.seconds(since: lastSeen)
    if case .steady = state {
      if gone > settings.absenceSeconds { forget() }
    } else if gone > settings.gapSeconds {
      forget()
    }
  }

  private mutating func forget() {
    (state, outline, progress, anchor, taken, takenContent, sharpest) = (.searching, nil, 0, nil, nil, nil, 0)
    lastSeen = nil
  }

  /// A page that has moved away or changed may be taken again.
  private mutating func rearm(_ outline: [NormalizedPoint], _ aspect: Double, _ content: UInt64?) {
    guard let taken else { return }
    let hasChanged = content != nil && takenContent != nil && content != takenContent
    guard hasChanged || Self.distance(taken, outline, aspect) > settings.departure else { return }
    (state, self.taken, takenContent, anchor, progress, sharpest) = (.found, nil, nil, nil, 0, 0)
  }

  private mutating func isSharp(_ sharpness: Double?) -> Bool {
    guard let sharpness else { return true }
    sharpest = max(sharpest, sharpness)
    return sharpness >= settings.leastSharpness * sharpest
  }

  /// The farthest that a corner is from the same one of the other outline, in diagonals. Outlines may begin at
  /// different corners.
  private static func distance(_ a: [NormalizedPoint], _ b: [NormalizedPoint], _ aspect: Double) -> Double {
    let diagonal = (aspect * aspect + 1).squareRoot()
    var least = Double.infinity
    for turn in 0..<4 {
      var farthest = 0.0
      for index in 0..<4 {
        let (p, q) = (a[index], b[(index + turn) & 3])
        let (x, y) = ((p.x - q.x) * aspect, p.y - q.y)
        farthest = max(farthest, (x * x + y * y).squareRoot() / diagonal)
      }
      least = min(least, farthest)
    }
    return least
  }
}
