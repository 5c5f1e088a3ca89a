import FilterGraph

/// Removes noise: grain in brightness and specks of colour, each by its own strength.
///
///     out = in + strength · (smooth - in)        stored samples, luma and colour apart
///
/// `Denoising` has the formula of what is smooth: sliding DCTs of 8 × 8 samples with a hard threshold, then a Wiener
/// filter. It works on the samples as stored, ahead of every other filter, wherever it stands in the recipe: resamples
/// and curves would change the noise, and with it what can be told from detail.
public struct NoiseReduction: Filter {
  public static let id: FilterID = "noise-reduction"
  public static let phase = FilterPhase.noise
  public static let summary = "Removes noise, ahead of every other filter"
  public static let parameters = [
    Parameter(
      \NoiseReduction.luminance, "luminance", in: 0...100, step: 1, neutral: 0, flag: "noise-reduction",
      "The part of the grain that is removed"),
    Parameter(
      \NoiseReduction.luminanceDetail, "luminance-detail", title: "Luminance detail", in: 0...100, step: 1,
      neutral: 50, flag: "noise-reduction-detail", "Higher keeps weaker texture, and more grain"),
    Parameter(
      \NoiseReduction.color, "color", title: "Colour", in: 0...100, step: 1, neutral: 0,
      flag: "color-noise-reduction", "The part of the colour specks that is removed"),
    Parameter(
      \NoiseReduction.colorDetail, "color-detail", title: "Colour detail", in: 0...100, step: 1, neutral: 50,
      flag: "color-noise-reduction-detail", "Higher keeps weaker colours, and more specks"),
  ]

  /// 0…100: the part of the noise in brightness that is removed.
  public var luminance: Float
  /// 0…100.
  public var luminanceDetail: Float
  /// 0…100: the part of the noise in colour that is removed.
  public var color: Float
  /// 0…100.
  public var colorDetail: Float

  public init() { self.init(luminance: 0) }
  public init(luminance: Float, luminanceDetail: Float = 50, color: Float = 0, colorDetail: Float = 50) {
    self.luminance = luminance
    self.luminanceDetail = luminanceDetail
    self.color = color
    self.colorDetail = colorDetail
  }

  public func lower(into plan: inout PlanBuilder) {
    plan.denoise(
      luminance: Double(luminance) / 100, luminanceDetail: Double(luminanceDetail) / 100,
      color: Double(color) / 100, colorDetail: Double(colorDetail) / 100)
  }

  /// Only the strengths scale: what counts as detail is the same.
  public func scaled(by strength: Double) -> NoiseReduction {
    var scaled = self
    scaled.luminance = Float(Double(luminance) * strength)
    scaled.color = Float(Double(color) * strength)
    return scaled
  }
}
