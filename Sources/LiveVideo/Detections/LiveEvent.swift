import FrameAnalysis
import FrameCore

/// What has happened in live frames.
public struct LiveEvent: Sendable, Hashable {
  public enum Subject: Sendable, Hashable {
    case detection(DetectionEvent)
    /// The sharpest moment of a lens that is turned.
    case focusPeak(FocusPeak)
  }

  public var subject: Subject
  /// The size of the frame as displayed.
  public var size: PixelSize

  public init(_ subject: Subject, size: PixelSize) { (self.subject, self.size) = (subject, size) }

  /// The time of the frame that this is about: for a peak, that of the sharpest one.
  public var time: Timestamp {
    switch subject {
    case .detection(let event): event.time
    case .focusPeak(let peak): peak.time
    }
  }
}

/// An event as JSON: what is new with everything, later events with what has changed.
public struct LiveEventReport: JSONReport, Hashable {
  /// `new`, `update`, `still` or `end` of a detection, `peak` of the focus.
  public var event: String
  /// A name of `Detection.Kind`, or `focus`.
  public var kind: String
  /// The identity of what is followed, the same in all of its events; nil for the focus.
  public var id: UInt64?
  /// The frame's time in seconds, on the monotonic clock that cameras stamp frames by, and its number in the source's
  /// sequence.
  public var time: Double
  public var sequence: UInt64
  /// The size of the frame as displayed.
  public var width: Int
  public var height: Int
  /// x and y of each corner, as fractions of the picture from its top left, clockwise from the thing's own top left.
  public var outline: [[Double]]?
  public var confidence: Double?
  /// What it says, exactly as read: from a stranger.
  public var text: String?
  public var details: [String: String]?
  /// The zones that it is in.
  public var zones: [String]?
  /// Of an `end`: seconds from its first to its last look.
  public var seconds: Double?
  /// The sharpness of a peak, 0…1.
  public var sharpness: Double?
  /// What it set off, such as `motion:start@door`; only in what a command gets.
  public var trigger: String?

  public init(_ event: LiveEvent) {
    (width, height) = (event.size.width, event.size.height)
    time = PlainNumber.rounded(Double(event.time.nanoseconds) / 1e9, 4)
    switch event.subject {
    case .focusPeak(let peak):
      (self.event, kind, sequence) = ("peak", "focus", peak.sequence)
      sharpness = PlainNumber.rounded(peak.value, 4)
    case .detection(let found):
      let track = found.track
      (self.event, kind, sequence) = (found.phase.rawValue, track.detection.kind.rawValue, found.sequence)
      id = track.id
      let isNew = found.phase == .new
      if isNew || found.changes.contains(.outline) {
        outline = track.detection.outline.map {
          [PlainNumber.rounded($0.x, 4), PlainNumber.rounded($0.y, 4)]
        }
      }
      if isNew || found.changes.contains(.confidence) {
        confidence = PlainNumber.rounded(track.detection.confidence, 3)
      }
      if isNew || found.changes.contains(.text) { text = track.detection.text }
      if isNew || found.changes.contains(.zones) { zones = track.zones }
      if isNew, !track.detection.details.isEmpty { details = track.detection.details }
      if found.phase == .end {
        seconds = PlainNumber.rounded(track.lastSeen.seconds(since: track.firstSeen), 3)
      }
    }
  }

  /// The same with everything that is known of what it is about, for a reader that saw nothing before.
  public static func complete(_ event: LiveEvent, trigger: String? = nil) -> LiveEventReport {
    var report = LiveEventReport(event)
    report.trigger = trigger
    guard case .detection(var found) = event.subject else { return report }
    let phase = found.phase
    found.phase = .new
    let all = LiveEventReport(LiveEvent(.detection(found), size: event.size))
    (report.outline, report.confidence, report.text) = (all.outline, all.confidence, all.text)
    (report.zones, report.details) = (all.zones, all.details)
    report.event = phase.rawValue
    return report
  }
}
