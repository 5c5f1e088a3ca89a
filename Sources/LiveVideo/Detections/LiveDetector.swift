import FrameAnalysis
import FrameCore

/// A detector for live frames, and how often it looks.
///
///     let motion = try LiveDetector(.motion, framesPerSecond: 10) { MotionDetector() }
///     let analyzer = try LiveAnalyzer([], detectors: [motion]) { event in … }
public struct LiveDetector: Sendable {
  /// The detector's own name: `motion`.
  public let name: String
  /// What it finds.
  public let kind: Detection.Kind
  /// How often it looks, at most; nil at every frame.
  public let framesPerSecond: Double?
  /// Whether it has a thread, and a small picture of each frame, of its own: for one that takes longer than the others
  /// should wait, or that asks another process. Such a detector holds up to two frames of the source.
  public let hasOwnThread: Bool
  /// How its detections are followed.
  public let tracking: DetectionTracker.Settings
  let detector: DetectorBox

  /// - Parameters:
  ///   - make: makes the detector; called at once, so that what is missing for it is told now.
  /// - Throws: what `make` throws; `SafelightError(.invalidValue)` if the rate is not above 0.
  public init<Detector: FrameDetector>(
    _ kind: Detection.Kind, framesPerSecond: Double? = nil, hasOwnThread: Bool = false,
    tracking: DetectionTracker.Settings = DetectionTracker.Settings(), make: () throws -> Detector
  ) throws {
    if let rate = framesPerSecond, !(rate > 0 && rate.isFinite) {
      throw SafelightError(
        .invalidValue, "The detector \(Detector.name) is to look \(rate) times a second",
        remedy: "give a rate above 0")
    }
    name = Detector.name
    (self.kind, self.framesPerSecond, self.hasOwnThread) = (kind, framesPerSecond, hasOwnThread)
    self.tracking = tracking
    detector = DetectorBox(try make())
  }

  /// Motion, ten times a second.
  public static func motion() throws -> LiveDetector {
    var tracking = DetectionTracker.Settings()
    // What moves may pause for a step, and pieces of it may come apart.
    tracking.goneAfter = 1.5
    return try LiveDetector(.motion, framesPerSecond: 10, tracking: tracking) { MotionDetector() }
  }
}

/// Carries a detector to the one thread that uses it.
final class DetectorBox: @unchecked Sendable {
  private var detector: any FrameDetector

  init(_ detector: any FrameDetector) { self.detector = detector }

  func detections(in proxy: AnalysisProxy, of frame: Frame) throws -> [Detection] {
    try detector.detections(in: proxy, of: frame)
  }
}
