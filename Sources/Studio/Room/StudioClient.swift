import Safelight

/// A page that is connected: what it looks at, and what it has been sent.
final class StudioClient {
  let peer: any StudioPeer
  /// The photo that it shows.
  var photo: String?
  var view: StudioView?
  /// The number of the newest input.
  var input = 0
  /// Whether there is something to render that the page has not been sent.
  var isStale = false
  /// Whether the newest picture is not as sharp as it can be.
  var isUnsharp = false
  /// The window and the geometry of the original that the page wants and of the one that it has: it changes with these
  /// alone.
  var original: (wanted: String?, shown: String?)
  /// Whether the original is still to be sent.
  var lacksOriginal: Bool { original.wanted != nil && original.wanted != original.shown }
  /// Whether the plan of the newest picture is still to be described.
  var lacksPlan = false
  var isDragging = false
  /// When the newest input arrived.
  var lastInput = Timestamp.now
  /// What waits to be rendered small.
  var looks: [LookRequest] = []
  private(set) var pace = StudioPace()

  struct LookRequest {
    let photo: String
    let preset: String?
    let edit: StudioEdit
    let size: Int
  }

  /// How long after the last input a picture is rendered sharp.
  static let calm = 0.06

  init(_ peer: any StudioPeer) { self.peer = peer }

  /// The page has changed what is to be seen.
  func changed(input: Int? = nil, isDragging: Bool) {
    if let input { self.input = max(self.input, input) }
    self.isDragging = isDragging
    isStale = true
    lastInput = .now
  }

  /// When the picture is to be rendered sharp; nil if it is.
  var sharpensAt: Timestamp? { isUnsharp ? lastInput.advanced(bySeconds: Self.calm) : nil }

  func sent(frame: Int, isMoving: Bool) { pace.sent(frame, isMoving: isMoving) }

  func drawn(frame: Int) { pace.drawn(frame) }
}

/// How many frames are on their way to a page, and how much detail moving ones have.
///
/// A page that draws slowly gets fewer frames, never older ones: the next is rendered when one of the last two is on the
/// screen. What takes too long has less detail the next time.
struct StudioPace {
  /// The detail of moving frames, from the most to the least.
  static let ladder = [1, 0.75, 0.5]
  /// Seconds from the start of a frame to its place on the screen between which detail stays.
  private static let comfort = 0.018...0.034
  private static let mostInFlight = 2

  private var inFlight: [(frame: Int, time: Timestamp, isMoving: Bool)] = []
  private var step = 1
  /// Frames that were comfortably fast one after another.
  private var fast = 0

  var detail: Double { Self.ladder[step] }
  var hasCredit: Bool { inFlight.count < Self.mostInFlight }

  mutating func sent(_ frame: Int, isMoving: Bool, at time: Timestamp = .now) {
    inFlight.append((frame, time, isMoving))
  }

  mutating func drawn(_ frame: Int, at time: Timestamp = .now) {
    guard let index = inFlight.firstIndex(where: { $0.frame == frame }) else { return }
    let sent = inFlight[index]
    // Frames before it were passed over.
    inFlight.removeSubrange(...index)
    guard sent.isMoving else { return }
    let seconds = time.seconds(since: sent.time)
    if seconds > Self.comfort.upperBound {
      step = min(step + 1, Self.ladder.count - 1)
      fast = 0
    } else if seconds < Self.comfort.lowerBound {
      fast += 1
      // Detail returns slowly, so that it does not flicker.
      if fast >= 12, step > 0 { (step, fast) = (step - 1, 0) }
    } else {
      fast = 0
    }
  }
}
