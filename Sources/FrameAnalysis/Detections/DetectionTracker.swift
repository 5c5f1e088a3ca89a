import FrameCore
import Libc

/// Follows what detectors find from frame to frame: gives each thing an identity that lasts through frames in which it
/// is missed, and turns detections into few events.
///
/// A pure state machine: it has no clock, only the times of frames. Each kind comes at its own rate, and its looks in the
/// order of their frames. A detection continues the track that it overlaps most, by the Jaccard index of the upright
/// rectangles around both, after the track was moved on at its velocity; a code continues only a track of the same text.
///
///     looks     x.xx......    (seen 2 of 3, gone after 4 looks)
///     events    ..N...E...
public struct DetectionTracker: Sendable {
  /// How one kind is followed.
  public struct Settings: Sendable, Hashable {
    /// Detections of less confidence, 0…1, are ignored.
    public var leastConfidence = 0.3
    /// A thing is new once it was found in `seen` of the last `looks` looks; 1…32.
    public var seen = 2
    public var looks = 3
    /// It is gone when it was not found for so many seconds.
    public var goneAfter = 1.0
    /// The least overlap with a track that continues it, 0…1. What is nearer than half its own size continues it too.
    public var leastOverlap = 0.2
    /// The least seconds between two updates of a track, unless its zones change.
    public var updateInterval = 0.2
    /// It is still once its edges stayed within a hundredth of the picture for so many seconds.
    public var stillAfter = 0.7

    public init() {}
  }

  private let zones: [Zone]
  private let settings: [Detection.Kind: Settings]
  var states: [TrackState] = []
  private var nextID: UInt64 = 1
  private var nextKey: UInt64 = 1
  /// The time of the last look of each kind.
  private var lastLook: [Detection.Kind: Timestamp] = [:]

  /// The most seconds that a track moves on at its velocity.
  private static let longestPrediction = 0.3
  /// Changes that are told: of a place, in fractions of the picture, and of a confidence.
  private static let (leastMove, leastConfidenceChange) = (0.005, 0.2)
  /// How far edges move while a thing is still.
  private static let stillness = 0.01

  /// - Parameters:
  ///   - zones: the zones to sort by.
  ///   - settings: of kinds that are followed otherwise than by default.
  public init(zones: [Zone] = [], settings: [Detection.Kind: Settings] = [:]) {
    (self.zones, self.settings) = (zones, settings)
  }

  /// The things that are there, in the order in which they came, each as it was last found.
  public var tracks: [DetectionTrack] { states.filter(\.isConfirmed).map(\.track) }

  /// The things that are there, moved on to the time of a frame: with the flow of the picture, if it is measured, and by
  /// their velocities.
  public func tracks(at time: Timestamp) -> [DetectionTrack] {
    states.filter(\.isConfirmed).map { state in
      var track = state.track
      track.detection.outline = state.outline(at: time, longest: Self.longestPrediction)
      return track
    }
  }

  /// Takes what a detector found in a frame.
  ///
  /// - Parameters:
  ///   - kind: the kind that was looked for; detections of other kinds are ignored.
  ///   - time: of the frame. Where it goes back, as in a file that begins again, all of the kind end.
  public mutating func update(
    _ kind: Detection.Kind, with detections: [Detection], at time: Timestamp, sequence: UInt64
  ) -> [DetectionEvent] {
    update(kind, with: detections, at: time, sequence: sequence, flowed: [:])
  }

  /// The same where the flow of the picture is measured.
  ///
  /// - Parameter flowed: where it has carried what is followed from the last look to this one, by `FollowedOutline.key`.
  package mutating func update(
    _ kind: Detection.Kind, with detections: [Detection], at time: Timestamp, sequence: UInt64,
    flowed: [UInt64: [NormalizedPoint]]
  ) -> [DetectionEvent] {
    var events: [DetectionEvent] = []
    if let last = lastLook[kind], time < last {
      events = end(at: time, sequence: sequence) { $0.kind == kind }
    }
    lastLook[kind] = time
    let settings = settings[kind] ?? Settings()
    let found = detections.filter { $0.kind == kind && $0.confidence >= settings.leastConfidence }
    var matches = matches(of: found, kind, at: time, flowed, settings)
    for index in states.indices where states[index].kind == kind {
      let detection = matches.removeValue(forKey: index).map { found[$0.detection] }
      states[index].look(detection, flowed: flowed[states[index].key], at: time)
      if detection != nil { states[index].track.zones = names(of: states[index].track.detection) }
    }
    let continued = matched
    for (index, detection) in found.enumerated() where !continued.contains(index) {
      // It gets its identity once it is told of.
      let track = DetectionTrack(
        id: 0, detection: detection, firstSeen: time, lastSeen: time, zones: names(of: detection))
      states.append(TrackState(track, key: nextKey))
      nextKey += 1
    }
    events += tell(kind, settings, at: time, sequence: sequence)
    return events
  }

  /// Tells that a detector could not look at a frame: what was not found for long enough ends all the same.
  public mutating func missed(_ kind: Detection.Kind, at time: Timestamp, sequence: UInt64)
    -> [DetectionEvent]
  {
    let limit = (settings[kind] ?? Settings()).goneAfter
    return end(at: time, sequence: sequence) {
      $0.kind == kind && time.seconds(since: $0.track.lastSeen) >= limit
    }
  }

  /// Whether anything is followed that moves with the picture.
  package var followsFlow: Bool { states.contains { Self.followsFlow($0.kind) } }

  /// Whether things of a kind move with the picture around them. What is found because it moves does not: most of what is
  /// seen near it stays.
  package static func followsFlow(_ kind: Detection.Kind) -> Bool { kind != .motion }

  /// What is followed that moves with the picture; also what is not told of yet.
  ///
  /// - Parameter kind: nil for all.
  package func followed(_ kind: Detection.Kind? = nil) -> [FollowedOutline] {
    states.filter { Self.followsFlow($0.kind) && (kind ?? $0.kind) == $0.kind }.map(\.followed)
  }

  /// Carries what is followed to where the flow of the picture has moved it; where it is found next counts again.
  ///
  /// - Parameters:
  ///   - followed: what was asked for, as `followed(_:)` returned it.
  ///   - outlines: where that is now, by key; what is not there was lost.
  ///   - time: of the frame up to which the flow was measured.
  package mutating func carry(
    _ followed: [FollowedOutline], to outlines: [UInt64: [NormalizedPoint]], at time: Timestamp
  ) {
    for thing in followed {
      guard let index = states.firstIndex(where: { $0.key == thing.key }) else { continue }
      states[index].carry(to: outlines[thing.key], from: thing.seen, at: time)
    }
  }

  /// Ends everything, at the end of a run.
  public mutating func finish(at time: Timestamp, sequence: UInt64) -> [DetectionEvent] {
    end(at: time, sequence: sequence) { _ in true }
  }

  // MARK: Matching

  /// The detections that continued tracks at the last look.
  private var matched: Set<Int> = []

  private mutating func matches(
    of found: [Detection], _ kind: Detection.Kind, at time: Timestamp, _ flowed: [UInt64: [NormalizedPoint]],
    _ settings: Settings
  ) -> [Int: (detection: Int, score: Double)] {
    var pairs: [(track: Int, detection: Int, score: Double)] = []
    let bounds = found.map(\.bounds)
    for (index, state) in states.enumerated() where state.kind == kind {
      let expected = OutlineBounds(
        state.expected(at: time, flowed: flowed[state.key], longest: Self.longestPrediction))
      for (number, detection) in found.enumerated() {
        let isSameCode = kind == .code && detection.text == state.track.detection.text
        guard kind != .code || isSameCode else { continue }
        let overlap = expected.overlap(bounds[number])
        let distance = hypot(
          expected.centre.x - bounds[number].centre.x, expected.centre.y - bounds[number].centre.y)
        let reach = max(expected.diagonal, bounds[number].diagonal) / 2
        // The same text is the same code wherever it went; of several, the nearest.
        if overlap >= settings.leastOverlap || distance < reach || isSameCode {
          pairs.append((index, number, overlap - distance))
        }
      }
    }
    pairs.sort { ($0.score, $1.track, $1.detection) > ($1.score, $0.track, $0.detection) }
    var result: [Int: (detection: Int, score: Double)] = [:]
    matched = []
    for pair in pairs where result[pair.track] == nil && matched.insert(pair.detection).inserted {
      result[pair.track] = (pair.detection, pair.score)
    }
    return result
  }

  private func names(of detection: Detection) -> [String] {
    zones.isEmpty ? [] : zones.filter { $0.contains(detection.place) }.map(\.name)
  }

  // MARK: Events

  private mutating func tell(
    _ kind: Detection.Kind, _ settings: Settings, at time: Timestamp, sequence: UInt64
  ) -> [DetectionEvent] {
    var events: [DetectionEvent] = []
    states.removeAll { state in
      guard state.kind == kind else { return false }
      let isGone = time.seconds(since: state.track.lastSeen) >= settings.goneAfter
      if isGone, state.isConfirmed {
        events.append(DetectionEvent(.end, state.track, changes: [], time: time, sequence: sequence))
      }
      return isGone || !state.isConfirmed && state.isUnlikely(settings)
    }
    for index in states.indices where states[index].kind == kind && states[index].isFresh(time) {
      func event(_ phase: DetectionEvent.Phase, _ changes: Set<DetectionEvent.Change>) {
        events.append(
          DetectionEvent(phase, states[index].track, changes: changes, time: time, sequence: sequence))
      }
      let becomesStill = states[index].settle(
        at: time, after: settings.stillAfter, within: Self.stillness)
      if !states[index].isConfirmed {
        guard states[index].hits(of: settings.looks) >= settings.seen else { continue }
        states[index].isConfirmed = true
        states[index].track.id = nextID
        nextID += 1
        states[index].tell(at: time)
        event(.new, Set(DetectionEvent.Change.allCases))
      } else {
        let changes = states[index].changes(
          move: Self.leastMove, confidence: Self.leastConfidenceChange)
        if !changes.isEmpty,
          changes.contains(.zones) || states[index].secondsSinceTold(time) >= settings.updateInterval
        {
          states[index].tell(at: time)
          event(.update, changes)
        }
      }
      if becomesStill || states[index].track.isStill && !states[index].hasToldStill {
        states[index].hasToldStill = true
        event(.still, [])
      }
    }
    return events
  }

  private mutating func end(
    at time: Timestamp, sequence: UInt64, where ends: (TrackState) -> Bool
  ) -> [DetectionEvent] {
    let ended = states.filter(ends)
    states.removeAll(where: ends)
    return ended.filter(\.isConfirmed).map {
      DetectionEvent(.end, $0.track, changes: [], time: time, sequence: sequence)
    }
  }
}
