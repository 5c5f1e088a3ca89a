import FilterGraph

extension FilterCatalog {
  /// The filters that ship, for recipes.
  public static let standard = FilterCatalog(checked: all)

  /// Every filter of this build, in the canonical order of plans. A test fails if one is missing.
  public static let all: [any Filter.Type] = [
    NoiseReduction.self,
    Lens.self,
    Rotate.self,
    Flip.self,
    Perspective.self,
    Keystone.self,
    Straighten.self,
    Crop.self,
    Resize.self,
    InputEncoding.self,
    WhiteBalance.self,
    Exposure.self,
    Dehaze.self,
    Texture.self,
    Clarity.self,
    Halation.self,
    Vignette.self,
    Grain.self,
    Tone.self,
    ToneMap.self,
    Contrast.self,
    Levels.self,
    PointCurve.self,
    Fade.self,
    ChannelMixer.self,
    Saturation.self,
    Vibrance.self,
    Hue.self,
    HSL.self,
    BlackAndWhite.self,
    Grading.self,
    CDL.self,
    Group.self,
    Film.self,
    LUT.self,
    Gamut.self,
    RawDetail.self,
    Sharpen.self,
  ]
}
