import FrameAnalysis
import FrameCore

/// How a stored photo is tilted, and what tells it.
public struct PhotoHorizon: Sendable, Hashable, Codable {
  public let horizon: Horizon
  public let evidence: HorizonEvidence

  public init(horizon: Horizon, evidence: HorizonEvidence) {
    self.horizon = horizon
    self.evidence = evidence
  }

  /// Looks for the horizon of a photo.
  public init(_ sample: PhotoSample) {
    let detector = HorizonDetector()
    horizon = detector.detect(in: sample.proxy, gravity: sample.metadata.gravityRoll)
    evidence = detector.evidence()
  }
}
