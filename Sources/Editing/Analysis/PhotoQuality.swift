import FrameAnalysis
import FrameCore

/// What measurements of a photo mean, in a word each, by the limits of `PhotoVerdict`.
public struct PhotoQuality: Sendable, Hashable, Codable {
  public struct Sharpness: Sendable, Hashable, Codable {
    public enum Word: String, Sendable, Hashable, Codable {
      case sharp, soft, blurred
      /// Nothing has edges.
      case unknown
    }
    public var word: Word
    /// Pixels at 100 % that the sharpest edges take to rise; nil if there are none.
    public var edgeWidth: Double?
    /// `Sharpness.value` of the middle, as `FocusMeter` measures it in live frames, 0…1; nil if it has no edges.
    public var middle: Double?
  }

  public struct Exposure: Sendable, Hashable, Codable {
    public enum Word: String, Sendable, Hashable, Codable { case dark, good, bright }
    public var word: Word
    /// The average light above middle grey, in EV.
    public var stops: Double
    /// OKLab L, 0…1.
    public var meanLightness: Double
    public var medianLightness: Double
  }

  public struct Clipping: Sendable, Hashable, Codable {
    public enum Word: String, Sendable, Hashable, Codable { case good, clipped }
    public var word: Word
    /// Of all pixels, 0…1.
    public var share: Double
  }

  public struct Noise: Sendable, Hashable, Codable {
    public enum Word: String, Sendable, Hashable, Codable { case clean, noisy }
    public var word: Word
    /// The standard deviation in luma at 640 pixels, 0…1 of full scale.
    public var deviation: Double
  }

  public var sharpness: Sharpness
  public var exposure: Exposure
  public var highlights: Clipping
  public var shadows: Clipping
  public var noise: Noise

  /// - Parameter middle: the sharpness of the photo's middle.
  public init(_ analysis: PhotoAnalysis, middle: FrameAnalysis.Sharpness) {
    let verdicts = Set(analysis.verdicts)
    func rounded(_ value: Double?, _ digits: Int = 3) -> Double? {
      value.map { PlainNumber.rounded($0, digits) }
    }
    sharpness = Sharpness(
      word: verdicts.contains(.blurred)
        ? .blurred
        : verdicts.contains(.soft) ? .soft : analysis.edges.edgeWidth == nil ? .unknown : .sharp,
      edgeWidth: rounded(analysis.edges.edgeWidth), middle: rounded(middle.value))
    exposure = Exposure(
      word: verdicts.contains(.underexposed) ? .dark : verdicts.contains(.overexposed) ? .bright : .good,
      stops: PlainNumber.rounded(analysis.tone.exposure, 2),
      meanLightness: PlainNumber.rounded(analysis.tone.mean, 3),
      medianLightness: PlainNumber.rounded(analysis.tone.median, 3))
    highlights = Clipping(
      word: verdicts.contains(.highlightsClipped) ? .clipped : .good,
      share: PlainNumber.rounded(analysis.clipping.highlights, 5))
    shadows = Clipping(
      word: verdicts.contains(.shadowsClipped) ? .clipped : .good,
      share: PlainNumber.rounded(analysis.clipping.shadows, 5))
    noise = Noise(
      word: verdicts.contains(.noisy) ? .noisy : .clean, deviation: PlainNumber.rounded(analysis.noise, 5))
  }
}
