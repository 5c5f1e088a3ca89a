import FrameAnalysis
import FrameCore

/// The tilt of a stored photo, with the evidence for it.
public struct PhotoHorizon: Sendable, Hashable, Codable {
  public let horizon: Horizon
  public let evidence: HorizonEvidence

  public init(horizon: Horizon, evidence: HorizonEvidence) {
    self.horizon = horizon
    self.evidence = evidence
  }

  /// Finds the horizon of a photo.
  public init(_ sample: PhotoSample) {
    let detector = HorizonDetector()
    horizon = detector.detect(in: sample.proxy, gravity: sample.metadata.gravityRoll)
    evidence = detector.evidence()
  }
}
