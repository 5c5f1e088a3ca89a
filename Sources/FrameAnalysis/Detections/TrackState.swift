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
  /// Names it among the states of a tracker, also before it is told of.
  let key: UInt64
  /// The movement of the middle, in fractions of the picture per second: on top of the flow's, if it is carried.
  private(set) var velocity = NormalizedPoint(0, 0)
  /// The moves that the velocity was measured from.
  private var moves = 0
  /// Where the flow of the picture has carried it; nil where that is not known.
  private var carried: Carried?
  /// Where it has stayed since when.
  private var anchor: (bounds: OutlineBounds, time: Timestamp)
  /// What was told last.
  private var told:
    (bounds: OutlineBounds, confidence: Double, text: String?, zones: [String], time: Timestamp)

  private struct Carried: Sendable {
    var outline: [NormalizedPoint]
    var time: Timestamp
    /// The time of the look that it was carried from.
    var seen: Timestamp
    /// The movement of the middle with the flow, in fractions of the picture per second.
    var velocity: NormalizedPoint
  }

  /// The least share of a new measurement in the velocity, and in that of the flow, which is measured in every frame.
  private static let (velocityGain, flowGain) = (0.35, 0.6)

  init(_ track: DetectionTrack, key: UInt64) {
    (self.track, self.key) = (track, key)
    let bounds = track.detection.bounds
    anchor = (bounds, track.lastSeen)
    told = (bounds, track.detection.confidence, track.detection.text, track.zones, track.lastSeen)
  }

  var kind: Detection.Kind { track.detection.kind }

  /// Takes the result of a look; nil if it was not found.
  ///
  /// - Parameter flowed: where the flow has carried it from the last look to this one; nil if that is not known.
  mutating func look(_ detection: Detection?, flowed: [NormalizedPoint]?, at time: Timestamp) {
    looks = looks << 1 | (detection == nil ? 0 : 1)
    lookCount += 1
    guard let detection else { return }
    measureVelocity(
      from: flowed.map { OutlineBounds($0).centre } ?? track.detection.bounds.centre,
      to: detection.bounds.centre, seconds: time.seconds(since: track.lastSeen))
    track.detection = detection
    track.lastSeen = time
  }

  /// Takes where the flow has carried it from the look at `seen`; nil if it has lost it.
  mutating func carry(to outline: [NormalizedPoint]?, from seen: Timestamp, at time: Timestamp) {
    // Another look came in between.
    guard seen == track.lastSeen else { return }
    guard let outline, outline.count == track.detection.outline.count else {
      guard let lost = carried else { return }
      // From here on it moves on as it last did with the flow.
      velocity = NormalizedPoint(velocity.x + lost.velocity.x, velocity.y + lost.velocity.y)
      moves = max(moves, 2)
      carried = nil
      return
    }
    let time = max(time, seen)
    var (before, since, speed) = (track.detection.bounds.centre, seen, NormalizedPoint(0, 0))
    var gain = 1.0
    if let last = carried {
      // From one look to the next, the difference of two detections would count as a movement.
      (speed, gain) = (last.velocity, 0)
      if last.seen == seen {
        guard time >= last.time else { return }
        (before, since, gain) = (OutlineBounds(last.outline).centre, last.time, Self.flowGain)
      }
    } else {
      // What it did before was with the flow, as far as is known.
      (velocity, moves) = (NormalizedPoint(0, 0), 0)
    }
    let seconds = time.seconds(since: since)
    if seconds > 0 {
      let centre = OutlineBounds(outline).centre
      speed.x += gain * ((centre.x - before.x) / seconds - speed.x)
      speed.y += gain * ((centre.y - before.y) / seconds - speed.y)
    }
    carried = Carried(outline: outline, time: time, seen: seen, velocity: speed)
  }

  /// Where it was found, and where the flow has carried that since.
  var followed: FollowedOutline {
    FollowedOutline(
      key: key, outline: track.detection.outline, seen: track.lastSeen,
      carried: carried.flatMap { $0.seen == track.lastSeen ? ($0.outline, $0.time) : nil })
  }

  /// A filter of constant velocity: measured places are taken as they are, velocities are averaged, at first over all
  /// moves and then with a weight that falls off.
  private mutating func measureVelocity(
    from before: NormalizedPoint, to centre: NormalizedPoint, seconds: Double
  ) {
    guard seconds > 0 else { return }
    moves += 1
    let gain = max(1 / Double(moves), Self.velocityGain)
    velocity.x += gain * ((centre.x - before.x) / seconds - velocity.x)
    velocity.y += gain * ((centre.y - before.y) / seconds - velocity.y)
  }

  /// Where it is expected at the time of a look.
  ///
  /// - Parameter flowed: as for `look`.
  func expected(at time: Timestamp, flowed: [NormalizedPoint]?, longest: Double) -> [NormalizedPoint] {
    guard let flowed else { return outline(at: time, longest: longest) }
    return Self.shifted(flowed, by: ownShift(at: time, longest: longest))
  }

  /// The outline at the time of a frame: carried by the flow, and moved on at the velocities.
  func outline(at time: Timestamp, longest: Double) -> [NormalizedPoint] {
    var shift = ownShift(at: time, longest: longest)
    guard let carried else { return Self.shifted(track.detection.outline, by: shift) }
    let seconds = Self.clamped(time.seconds(since: carried.time), longest)
    shift.x += carried.velocity.x * seconds
    shift.y += carried.velocity.y * seconds
    return Self.shifted(carried.outline, by: shift)
  }

  /// How far it has moved by itself since it was found.
  private func ownShift(at time: Timestamp, longest: Double) -> NormalizedPoint {
    // One move may be a jump of the detector.
    guard moves > 1 else { return NormalizedPoint(0, 0) }
    let seconds = Self.clamped(time.seconds(since: track.lastSeen), longest)
    return NormalizedPoint(velocity.x * seconds, velocity.y * seconds)
  }

  private static func clamped(_ seconds: Double, _ longest: Double) -> Double {
    min(max(seconds, -longest), longest)
  }

  private static func shifted(_ outline: [NormalizedPoint], by shift: NormalizedPoint) -> [NormalizedPoint] {
    outline.map { NormalizedPoint($0.x + shift.x, $0.y + shift.y) }
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

/// Something that is followed, for a measurement of how the picture moves.
package struct FollowedOutline: Sendable {
  package var key: UInt64
  /// Where it was found last, and the time of that frame.
  package var outline: [NormalizedPoint]
  package var seen: Timestamp
  /// Where the flow has carried it since, and the time of that frame; nil if that is not known.
  package var carried: (outline: [NormalizedPoint], time: Timestamp)?
}
