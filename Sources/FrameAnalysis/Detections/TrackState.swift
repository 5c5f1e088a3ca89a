import FrameCore
import Libc

/// What a tracker keeps of one thing.
struct TrackState: Sendable {
  var track: DetectionTrack
  var isConfirmed = false
  var hasToldStill = false
  /// The last looks, the newest in the lowest bit; 1 where it was found.
  private var looks: UInt32 = 1
  private var lookCount = 1
  /// The movement of the middle, in fractions of the picture per second.
  private(set) var velocity = NormalizedPoint(0, 0)
  /// The moves that the velocity was measured from.
  private var moves = 0
  /// The time of the frame that the outline is of.
  private var placed: Timestamp
  /// Where it has stayed since when.
  private var anchor: (bounds: OutlineBounds, time: Timestamp)
  /// What was told last.
  private var told:
    (bounds: OutlineBounds, confidence: Double, text: String?, zones: [String], time: Timestamp)

  /// The least share of a new measurement in the velocity.
  private static let velocityGain = 0.35

  init(_ track: DetectionTrack) {
    self.track = track
    placed = track.lastSeen
    let bounds = track.detection.bounds
    anchor = (bounds, track.lastSeen)
    told = (bounds, track.detection.confidence, track.detection.text, track.zones, track.lastSeen)
  }

  var kind: Detection.Kind { track.detection.kind }

  /// Takes the result of a look; nil if it was not found.
  mutating func look(_ detection: Detection?, at time: Timestamp) {
    looks = looks << 1 | (detection == nil ? 0 : 1)
    lookCount += 1
    guard let detection else { return }
    measureVelocity(to: detection.bounds.centre, at: time)
    track.detection = detection
    track.lastSeen = time
    placed = time
  }

  mutating func move(to outline: [NormalizedPoint], at time: Timestamp) {
    guard time > placed else { return }
    measureVelocity(to: OutlineBounds(outline).centre, at: time)
    track.detection.outline = outline
    placed = time
  }

  /// A filter of constant velocity: measured places are taken as they are, velocities are averaged, at first over all
  /// moves and then with a weight that falls off.
  private mutating func measureVelocity(to centre: NormalizedPoint, at time: Timestamp) {
    let seconds = time.seconds(since: placed)
    guard seconds > 0 else { return }
    let before = track.detection.bounds.centre
    moves += 1
    let gain = max(1 / Double(moves), Self.velocityGain)
    velocity.x += gain * ((centre.x - before.x) / seconds - velocity.x)
    velocity.y += gain * ((centre.y - before.y) / seconds - velocity.y)
  }

  /// The outline moved on at the velocity.
  func outline(at time: Timestamp, longest: Double) -> [NormalizedPoint] {
    let seconds = min(max(time.seconds(since: placed), -longest), longest)
    // One move may be a jump of the detector.
    guard moves > 1 else { return track.detection.outline }
    return track.detection.outline.map {
      NormalizedPoint($0.x + velocity.x * seconds, $0.y + velocity.y * seconds)
    }
  }

  /// Whether it was found in the look of this time.
  func isFresh(_ time: Timestamp) -> Bool { track.lastSeen == time }

  /// In how many of the last looks it was found.
  func hits(of count: Int) -> Int {
    (looks & (count >= 32 ? .max : (1 << UInt32(max(count, 1))) - 1)).nonzeroBitCount
  }

  /// Whether it had all looks that it needed and was not found in enough of them.
  func isUnlikely(_ settings: DetectionTracker.Settings) -> Bool {
    lookCount >= settings.looks && hits(of: settings.looks) < settings.seen && looks & 1 == 0
  }

  /// Returns whether it has become still with this look.
  mutating func settle(at time: Timestamp, after seconds: Double, within distance: Double) -> Bool {
    let bounds = track.detection.bounds
    guard bounds.distance(to: anchor.bounds) <= distance else {
      anchor = (bounds, time)
      track.isStill = false
      hasToldStill = false
      return false
    }
    guard !track.isStill, time.seconds(since: anchor.time) >= seconds else { return false }
    track.isStill = true
    return isConfirmed
  }

  mutating func tell(at time: Timestamp) {
    told = (track.detection.bounds, track.detection.confidence, track.detection.text, track.zones, time)
  }

  func secondsSinceTold(_ time: Timestamp) -> Double { time.seconds(since: told.time) }

  /// What differs from what was told last.
  func changes(move: Double, confidence: Double) -> Set<DetectionEvent.Change> {
    var changes: Set<DetectionEvent.Change> = []
    if track.detection.bounds.distance(to: told.bounds) > move { changes.insert(.outline) }
    if abs(track.detection.confidence - told.confidence) > confidence { changes.insert(.confidence) }
    if track.detection.text != told.text { changes.insert(.text) }
    if track.zones != told.zones { changes.insert(.zones) }
    return changes
  }
}
