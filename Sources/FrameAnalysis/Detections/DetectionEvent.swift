import FrameCore

/// Something that is followed from frame to frame.
public struct DetectionTrack: Sendable, Hashable {
  /// Unique within a tracker; it lasts as long as the thing is followed.
  public internal(set) var id: UInt64
  /// What was found last.
  public internal(set) var detection: Detection
  /// The times of the frames in which it was first and last found.
  public internal(set) var firstSeen, lastSeen: Timestamp
  /// The names of the zones that it is in, in the order in which they were given.
  public internal(set) var zones: [String]
  /// Whether it has stayed where it is for a while.
  public internal(set) var isStill = false
}

/// What has happened to something that is followed.
public struct DetectionEvent: Sendable, Hashable {
  public enum Phase: String, Sendable, Hashable, Codable {
    /// It is there, and was not before.
    case new
    /// It has changed: `changes` says what.
    case update
    /// It has stayed where it is for a while.
    case still
    /// It is gone.
    case end
  }

  /// What can differ from the event before.
  public enum Change: Sendable, Hashable, CaseIterable {
    case outline, confidence, text, zones
  }

  public var phase: Phase
  /// The thing as of this event; of an `end`, as it was last seen.
  public var track: DetectionTrack
  /// What differs from the last event of the track; everything if it is new.
  public var changes: Set<Change>
  /// The time and the sequence number of the frame in which this was noticed.
  public var time: Timestamp
  public var sequence: UInt64

  public init(
    _ phase: Phase, _ track: DetectionTrack, changes: Set<Change>, time: Timestamp, sequence: UInt64
  ) {
    (self.phase, self.track, self.changes) = (phase, track, changes)
    (self.time, self.sequence) = (time, sequence)
  }
}

/// Whether anything of a kind is there, anywhere or in a zone: one start and one end, however many things come and go
/// in between.
public struct DetectionPresence: Sendable {
  public enum Change: Sendable, Hashable {
    case start, end
  }

  public let kind: Detection.Kind
  /// The name of a zone; nil for the whole picture.
  public let zone: String?
  private var present: Set<UInt64> = []

  public init(of kind: Detection.Kind, in zone: String? = nil) {
    (self.kind, self.zone) = (kind, zone)
  }

  public var count: Int { present.count }
  public var isPresent: Bool { !present.isEmpty }

  /// Takes the next event, and returns what it changes.
  public mutating func take(_ event: DetectionEvent) -> Change? {
    guard event.track.detection.kind == kind else { return nil }
    let wasPresent = isPresent
    if event.phase != .end, zone.map(event.track.zones.contains) ?? true {
      present.insert(event.track.id)
    } else {
      present.remove(event.track.id)
    }
    return isPresent == wasPresent ? nil : isPresent ? .start : .end
  }
}
