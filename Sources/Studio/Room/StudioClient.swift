import Safelight

/// A page that is connected: what it looks at, and what it has been sent.
final class StudioClient {
  let peer: any StudioPeer
  /// The photo that it shows.
  var photo: String?
  var view: StudioView?
  /// The photos that are next to it on the page; empty for those next to it in the list.
  var near: [String] = []
  /// A view of a photo that the page is about to open.
  var early: (photo: String, view: StudioView)?
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
  /// What people should know of the newest sharp picture.
  var notes: [String] = []
  /// When the newest input arrived.
  var lastInput = Timestamp.now
  /// What waits to be rendered small.
  var looks: [LookRequest] = []
  /// Small pictures of photos that it waits for.
  var wishes = ThumbnailWishes()
  /// The pictures of photos beside the one shown that the page has, by photo: what they were rendered of.
  var ahead: [String: String] = [:]
  private(set) var pace = StudioPace()

  struct LookRequest {
    let photo: String
    let preset: String?
    let edit: StudioEdit
    let size: Int
  }

  /// The mean time between inputs of a drag, in seconds.
  private var rhythm = 0.0
  /// How long after the last input a picture is rendered sharp, in seconds: two and a half times the distance of those
  /// before, so that a drag that only stutters is not held up by a sharp picture.
  private var calm: Double { min(max(2.5 * rhythm, Self.calm.lowerBound), Self.calm.upperBound) }
  private static let calm = 0.035...0.06

  init(_ peer: any StudioPeer) { self.peer = peer }

  /// The page has changed what is to be seen.
  func changed(input: Int? = nil, isDragging: Bool) {
    if let input { self.input = max(self.input, input) }
    let now = Timestamp.now
    // Pauses are no part of a drag's rhythm.
    let distance = now.seconds(since: lastInput)
    if isDragging, self.isDragging, distance < 0.1 { rhythm += 0.2 * (distance - rhythm) }
    self.isDragging = isDragging
    isStale = true
    lastInput = now
  }

  /// When the picture is to be rendered sharp; nil if it is.
  var sharpensAt: Timestamp? { isUnsharp ? lastInput.advanced(bySeconds: calm) : nil }

  /// What a picture sent ahead depends on.
  func aheadKey(of session: PhotoSession) -> String {
    "\(view.map { "\($0.viewport) \($0.isProof) \($0.marksGamut)" } ?? "") \(session.edits)"
  }

  func sent(frame: Int, isMoving: Bool, begun: Timestamp) {
    pace.sent(frame, isMoving: isMoving, begun: begun)
  }

  func drawn(frame: Int, at time: Timestamp) { pace.drawn(frame, at: time) }
}
