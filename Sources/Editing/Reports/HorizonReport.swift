import FilterGraph
import FrameAnalysis
import FrameCore

/// The horizon of a photo with its evidence, or why it could not be looked for.
public struct HorizonReport: JSONReport {
  /// The horizon.
  public struct Answer: Codable, Sendable {
    /// The clockwise turn that levels the photo; nil if no horizon was found.
    @OrNull public var degrees: Double?
    /// The standard deviation of `degrees`; nil if no horizon was found.
    @OrNull public var deviation: Double?
    /// The probability that the angle is right to a degree, 0…1.
    public var confidence: Double
    /// Whether automatic straightening acts on it.
    public var isConfident: Bool
    /// What the horizon was found by.
    public var kinds: [String]
    /// The number of line segments, and of those that agree with the angle.
    public var lines: Int
    public var agreeingLines: Int

    public init(_ horizon: Horizon) {
      _degrees = OrNull(wrappedValue: horizon.degrees.map { PlainNumber.rounded($0) })
      _deviation = OrNull(wrappedValue: horizon.deviation.map { PlainNumber.rounded($0) })
      confidence = PlainNumber.rounded(horizon.confidence, 4)
      isConfident = horizon.isConfident
      kinds = horizon.evidence.kindNames
      lines = horizon.evidence.segmentCount
      agreeingLines = horizon.evidence.agreeingCount
    }
  }

  public var photo: String
  /// Why the photo could not be read; nil if it was, and then the values below are there.
  public var error: String?
  /// The size of the photo as displayed, in pixels.
  public var width: Int?
  public var height: Int?
  public var horizon: Answer?
  public var evidence: HorizonEvidence?
  /// The file that the evidence was drawn to; nil if it was not drawn.
  public var drawing: String?
  public var warnings: [String]?

  public init(_ photo: String, error: String) { (self.photo, self.error) = (photo, error) }

  public init(_ photo: String, _ sample: PhotoSample, _ found: PhotoHorizon, drawing: String? = nil) {
    (self.photo, self.drawing) = (photo, drawing)
    (width, height) = (sample.size.width, sample.size.height)
    horizon = Answer(found.horizon)
    evidence = found.evidence
    warnings = sample.warnings
  }
}
