import FilterGraph
import FrameAnalysis
import FrameCore

/// What was measured in a photo, or why it could not be measured.
public struct PhotoAnalysisReport: JSONReport {
  public var photo: String
  /// Why the photo could not be measured; nil if it was.
  public var error: String?
  /// Nil if the photo could not be measured.
  public var measurements: PhotoMeasurements?
  /// The file that the scopes were drawn to; nil if none were drawn.
  public var scopes: String?
  /// Why the scopes could not be drawn; nil if they were, or were not asked for.
  public var scopesError: String?

  private enum CodingKeys: CodingKey {
    case photo, error, scopes, scopesError
  }

  public init(_ photo: String, error: String) { (self.photo, self.error) = (photo, error) }

  /// - Parameters:
  ///   - namesakes: other photos of the same name; at most the first few of them.
  ///   - namesakeCount: the number of all of them.
  public init(_ photo: String, _ analysis: PhotoAnalysis, namesakes: [String] = [], namesakeCount: Int = 0) {
    self.photo = photo
    measurements = PhotoMeasurements(analysis, namesakes: namesakes, namesakeCount: namesakeCount)
  }

  // The measurements are keys of the report itself in JSON.

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    photo = try values.decode(String.self, forKey: .photo)
    error = try values.decodeIfPresent(String.self, forKey: .error)
    scopes = try values.decodeIfPresent(String.self, forKey: .scopes)
    scopesError = try values.decodeIfPresent(String.self, forKey: .scopesError)
    measurements = error == nil ? try PhotoMeasurements(from: decoder) : nil
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(photo, forKey: .photo)
    try values.encodeIfPresent(error, forKey: .error)
    try values.encodeIfPresent(scopes, forKey: .scopes)
    try values.encodeIfPresent(scopesError, forKey: .scopesError)
    try measurements?.encode(to: encoder)
  }
}

/// The measurements of a photo, rounded to the digits that mean something.
public struct PhotoMeasurements: Codable, Sendable {
  /// A size in pixels.
  public struct Size: Codable, Sendable {
    public var width: Int
    public var height: Int
  }

  /// Brightness and contrast, as in `ToneStatistics`; `stops` is its `exposure`.
  public struct Exposure: Codable, Sendable {
    public var stops: Double
    public var meanLightness: Double
    public var medianLightness: Double
    public var contrast: Double
    public var range: Double
  }

  /// A value for each channel.
  public struct Channels: Codable, Sendable {
    public var red: Double
    public var green: Double
    public var blue: Double
  }

  /// The part of the picture that is clipped at one end, in percent.
  public struct Clipped: Codable, Sendable {
    /// Pixels of which any channel is clipped.
    public var all: Double
    public var channels: Channels
  }

  /// The parts that are clipped at either end, in percent.
  public struct Clipping: Codable, Sendable {
    public var highlights: Clipped
    public var shadows: Clipped
  }

  /// The colour of the light.
  public struct Cast: Codable, Sendable {
    /// Correlated colour temperature.
    public var kelvin: Double
    /// The distance from the Planckian locus in CIE 1960 UCS; greenish if positive.
    public var duv: Double
  }

  /// Counts of pixels in 256 bins.
  public struct Histograms: Codable, Sendable {
    /// The number of pixels counted.
    public var count: Int
    /// On OKLab lightness.
    public var lightness: [UInt32]
    public var red: [UInt32]
    public var green: [UInt32]
    public var blue: [UInt32]
  }

  /// The size of the photo as displayed, in pixels.
  public var width: Int
  public var height: Int
  /// The size of the picture that was measured, as displayed: smaller than the photo if it was decoded at a smaller
  /// size.
  public var measuredAt: Size
  public var format: String
  public var exposure: Exposure
  /// Percent of the pixels.
  public var clippingPercent: Clipping
  /// Nil if too little of the photo shows the colour of the light.
  @OrNull public var cast: Cast?
  /// What is wrong with the photo; empty if nothing is.
  public var verdicts: [String]
  /// Other photos of the same name in other folders; the first few of them.
  public var namesakes: [String]
  /// The number of photos of the same name in other folders.
  public var namesakeCount: Int
  /// 1 divided by the width of the sharpest edges at full size, at most 1; nil if there are no edges.
  @OrNull public var sharpness: Double?
  /// The width of the sharpest edges at full size, in pixels; nil if there are no edges.
  @OrNull public var edgeWidth: Double?
  /// What automatic exposure would add, in EV.
  public var missingExposure: Double
  /// The standard deviation of the noise, in percent of full scale.
  public var noisePercent: Double
  public var horizon: HorizonReport.Answer
  public var histogram: Histograms
  public var warnings: [String]

  package init(_ analysis: PhotoAnalysis, namesakes: [String] = [], namesakeCount: Int = 0) {
    (self.namesakes, self.namesakeCount) = (namesakes, namesakeCount)
    verdicts = analysis.verdicts.map(\.rawValue) + (namesakes.isEmpty ? [] : ["duplicate name"])
    (width, height) = (analysis.size.width, analysis.size.height)
    measuredAt = Size(width: analysis.measuredSize.width, height: analysis.measuredSize.height)
    format = analysis.formatName
    let tone = analysis.tone
    exposure = Exposure(
      stops: PlainNumber.rounded(tone.exposure), meanLightness: PlainNumber.rounded(tone.mean, 4),
      medianLightness: PlainNumber.rounded(tone.median, 4), contrast: PlainNumber.rounded(tone.contrast, 4),
      range: PlainNumber.rounded(tone.range, 4))
    clippingPercent = Clipping(
      highlights: Self.clipped(analysis.clipping.highlights, analysis.channelClipping.map(\.highlights)),
      shadows: Self.clipped(analysis.clipping.shadows, analysis.channelClipping.map(\.shadows)))
    _cast = OrNull(
      wrappedValue: analysis.cast.map {
        Cast(kelvin: PlainNumber.rounded($0.kelvin, 0), duv: PlainNumber.rounded($0.duv, 5))
      })
    _sharpness = OrNull(wrappedValue: analysis.edges.value.map { PlainNumber.rounded($0, 4) })
    _edgeWidth = OrNull(wrappedValue: analysis.edges.edgeWidth.map { PlainNumber.rounded($0, 2) })
    missingExposure = PlainNumber.rounded(analysis.missingExposure, 2)
    noisePercent = PlainNumber.rounded(100 * analysis.noise, 4)
    horizon = HorizonReport.Answer(analysis.horizon)
    let counts = analysis.histogram
    histogram = Histograms(
      count: counts.count, lightness: counts.lightness, red: counts.red, green: counts.green,
      blue: counts.blue)
    warnings = analysis.warnings
  }

  /// - Parameters:
  ///   - all: the share of all pixels, 0…1.
  ///   - channels: the shares by channel: red, green, blue.
  private static func clipped(_ all: Double, _ channels: [Double]) -> Clipped {
    let percent = channels.map { PlainNumber.rounded(100 * $0, 4) }
    return Clipped(
      all: PlainNumber.rounded(100 * all, 4),
      channels: Channels(red: percent[0], green: percent[1], blue: percent[2]))
  }
}
