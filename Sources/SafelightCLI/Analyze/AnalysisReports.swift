import Safelight

/// What `analyze --json` prints for one photo.
struct AnalysisReport: Encodable {
  struct Channels<Value: Encodable>: Encodable {
    let red: Value
    let green: Value
    let blue: Value
  }
  struct Exposure: Encodable {
    let stops: Double
    let meanLightness: Double
    let medianLightness: Double
    let contrast: Double
    let range: Double
  }
  struct Clipped: Encodable {
    let all: Double
    let channels: Channels<Double>
  }
  struct Clippings: Encodable {
    let highlights: Clipped
    let shadows: Clipped
  }
  struct Size: Encodable {
    let width: Int
    let height: Int
  }
  struct Cast: Encodable {
    let kelvin: Double
    let duv: Double
  }
  struct Histograms: Encodable {
    let count: Int
    let lightness: [UInt32]
    let red: [UInt32]
    let green: [UInt32]
    let blue: [UInt32]
  }

  let photo: String
  /// Alone with `photo` where the photo could not be measured.
  var error: String?
  var width: Int?
  var height: Int?
  /// The size of the picture that was measured, as displayed: less than the photo's where it was decoded smaller.
  var measuredAt: Size?
  var format: String?
  var exposure: Exposure?
  /// Percent of the pixels.
  var clippingPercent: Clippings?
  /// Null where too little tells the light.
  var cast: OrNull<Cast>?
  /// What is wrong, in words; empty where nothing is.
  var verdicts: [String]?
  /// Other photos of the same name in other folders, at most `Namesakes.mostListed`.
  var namesakes: [String]?
  /// How many of them there are.
  var namesakeCount: Int?
  /// 1 divided by the width of the sharpest edges at 100 %, at most 1; null where there are no edges.
  var sharpness: OrNull<Double>?
  /// Of the sharpest edges at 100 %, in pixels; null where there are no edges.
  var edgeWidth: OrNull<Double>?
  /// What automatic exposure would add, EV.
  var missingExposure: Double?
  /// Percent of full scale.
  var noisePercent: Double?
  var horizon: HorizonReport.Answer?
  var histogram: Histograms?
  var scopes: String?
  /// Why the scopes could not be drawn.
  var scopesError: String?
  var warnings: [String]?

  init(_ photo: String, error: String) {
    self.photo = photo
    self.error = error
  }

  init(_ photo: String, _ analysis: PhotoAnalysis, _ namesakes: Namesakes) {
    self.photo = photo
    self.namesakes = namesakes.listed
    namesakeCount = namesakes.count
    verdicts = analysis.verdicts.map(\.rawValue) + (namesakes.isEmpty ? [] : ["duplicate name"])
    width = analysis.size.width
    height = analysis.size.height
    measuredAt = Size(width: analysis.measuredSize.width, height: analysis.measuredSize.height)
    format = analysis.formatName
    let tone = analysis.tone
    exposure = Exposure(
      stops: Output.rounded(tone.exposure), meanLightness: Output.rounded(tone.mean, 4),
      medianLightness: Output.rounded(tone.median, 4), contrast: Output.rounded(tone.contrast, 4),
      range: Output.rounded(tone.range, 4))
    clippingPercent = Clippings(
      highlights: Self.clipped(analysis.clipping.highlights, analysis.channelClipping) { $0.highlights },
      shadows: Self.clipped(analysis.clipping.shadows, analysis.channelClipping) { $0.shadows })
    cast = OrNull(
      analysis.cast.map {
        Cast(kelvin: Output.rounded($0.kelvin, 0), duv: Output.rounded($0.duv, 5))
      })
    sharpness = OrNull(analysis.edges.value.map { Output.rounded($0, 4) })
    edgeWidth = OrNull(analysis.edges.edgeWidth.map { Output.rounded($0, 2) })
    missingExposure = Output.rounded(analysis.missingExposure, 2)
    noisePercent = Output.rounded(100 * analysis.noise, 4)
    horizon = HorizonReport.Answer(analysis.horizon)
    let counts = analysis.histogram
    histogram = Histograms(
      count: counts.count, lightness: counts.lightness, red: counts.red, green: counts.green,
      blue: counts.blue)
    warnings = analysis.warnings
  }

  private static func clipped(
    _ all: Double, _ channels: [PhotoAnalysis.ChannelClipping],
    _ part: (PhotoAnalysis.ChannelClipping) -> Double
  ) -> Clipped {
    let parts = channels.map { Output.rounded(100 * part($0), 4) }
    return Clipped(
      all: Output.rounded(100 * all, 4),
      channels: Channels(red: parts[0], green: parts[1], blue: parts[2]))
  }
}

/// What `horizon --json` prints for one photo.
struct HorizonReport: Encodable {
  struct Answer: Encodable {
    /// Null where no horizon was found.
    let degrees: OrNull<Double>
    let deviation: OrNull<Double>
    let confidence: Double
    let isConfident: Bool
    let kinds: [String]
    let lines: Int
    let agreeingLines: Int

    init(_ horizon: Horizon) {
      degrees = OrNull(horizon.degrees.map { Output.rounded($0) })
      deviation = OrNull(horizon.deviation.map { Output.rounded($0) })
      confidence = Output.rounded(horizon.confidence, 4)
      isConfident = horizon.isConfident
      kinds = HorizonText.kinds(horizon)
      lines = horizon.evidence.segmentCount
      agreeingLines = horizon.evidence.agreeingCount
    }
  }

  let photo: String
  /// Alone with `photo` where the photo could not be read.
  var error: String?
  var width: Int?
  var height: Int?
  var horizon: Answer?
  var evidence: HorizonEvidence?
  var drawing: String?
  var warnings: [String]?

  init(_ photo: String, error: String) {
    self.photo = photo
    self.error = error
  }

  init(_ photo: String, _ sample: PhotoSample, _ found: PhotoHorizon, drawing: String?) {
    self.photo = photo
    self.drawing = drawing
    width = sample.size.width
    height = sample.size.height
    horizon = Answer(found.horizon)
    evidence = found.evidence
    warnings = sample.warnings
  }
}
