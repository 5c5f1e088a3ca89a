import FrameAnalysis
import FrameCore
import Synchronization

/// One outline that is drawn over a picture, with its words.
public struct OverlayMark: Sendable, Hashable {
  /// The corners, as fractions of the frame as displayed; the outline is closed.
  public var outline: [NormalizedPoint]
  /// What stands at its upper left, at most about 30 letters; empty for nothing.
  public var label: String
  /// Whether it is drawn thin, as zones are.
  public var isThin: Bool

  public init(outline: [NormalizedPoint], label: String, isThin: Bool = false) {
    (self.outline, self.label, self.isThin) = (outline, label, isThin)
  }
}

/// What is drawn over the pictures of a live run: zones, and what is followed, each at its place at the time of the
/// picture.
public final class LiveOverlay: Sendable {
  private let zones: [OverlayMark]
  private let found = Mutex<(@Sendable (Timestamp) -> [OverlayMark])?>(nil)
  /// Longer texts are cut in labels.
  private static let longestText = 24

  public init(zones: [Zone] = []) {
    self.zones = zones.map { OverlayMark(outline: $0.corners, label: $0.name, isThin: true) }
  }

  /// Draws what an analyzer follows from now on.
  public func follow(_ analyzer: LiveAnalyzer) {
    follow { [weak analyzer] time in analyzer?.tracks(at: time) ?? [] }
  }

  /// Draws what `tracks` returns for the time of a frame, called on the render thread; it returns soon.
  public func follow(_ tracks: @escaping @Sendable (Timestamp) -> [DetectionTrack]) {
    show { time in
      tracks(time).map { OverlayMark(outline: $0.detection.outline, label: Self.label(of: $0)) }
    }
  }

  /// Draws what `marks` returns for the time of a frame, called on the render thread; it returns soon.
  public func show(_ marks: @escaping @Sendable (Timestamp) -> [OverlayMark]) {
    found.withLock { $0 = marks }
  }

  /// What to draw over the picture of a frame.
  func marks(at time: Timestamp) -> [OverlayMark] {
    let found = found.withLock { $0 }
    return zones + (found?(time) ?? [])
  }

  /// `motion 3`, `code https://example.org/…`: text of strangers without what could not be drawn.
  static func label(of track: DetectionTrack) -> String {
    let kind = track.detection.kind.rawValue
    guard let text = track.detection.text else { return "\(kind) \(track.id)" }
    var words = ""
    for scalar in text.unicodeScalars.prefix(longestText) {
      words.unicodeScalars.append(scalar.controlsTerminals ? " " : scalar)
    }
    return "\(kind) \(words)" + (text.unicodeScalars.count > longestText ? "…" : "")
  }
}
