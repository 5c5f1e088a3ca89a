import ColorScience
import FilterGraph
import Filters
import FrameCore

// The tools for colours by hue and tone.
extension AdobeImport.Draft {
  /// What acts on colours by their saturation, hue and tone.
  mutating func colors() throws -> [any Filter] {
    if let mix = try blackAndWhite() { return try mix + grading() }
    var filters: [any Filter] = []
    // Without colour, scales do not matter.
    let isGrey = try settings.number("Saturation", in: -100...100) == -100
    if let amount = try isGrey
      ? exactly("Saturation", in: -100...100) : approximately("Saturation", in: -100...100)
    {
      filters.append(Saturation(Float(amount)))
    }
    let vibrance = try amount("Vibrance")
    if vibrance != 0 { filters.append(Vibrance(vibrance)) }
    return try filters + hueBands() + grading()
  }

  /// Each band's own sliders, by their names; bands' middles and borders are other ones.
  private mutating func hueBands() throws -> [any Filter] {
    var filter = HSL()
    for band in HueBand.allCases {
      filter.bands[band] = HSL.Band(
        hue: try amount("HueAdjustment" + band.adobeName),
        saturation: try amount("SaturationAdjustment" + band.adobeName),
        lightness: try amount("LuminanceAdjustment" + band.adobeName))
    }
    return filter == HSL() ? [] : [filter]
  }

  /// The mix of greys; nil for a picture in colour. What acts on colours has no effect there.
  private mutating func blackAndWhite() throws -> [any Filter]? {
    use("ConvertToGrayscale")
    guard settings.flag("ConvertToGrayscale") else { return nil }
    note("ConvertToGrayscale")
    for name in ["Saturation", "Vibrance"] { use(name) }
    var mix = BlackAndWhite(100)
    for band in HueBand.allCases {
      mix.bands[band] = try amount("GrayMixer" + band.adobeName)
      for kind in ["Hue", "Saturation", "Luminance"] { use("\(kind)Adjustment\(band.adobeName)") }
    }
    return [mix]
  }

  /// Split toning and its successor, colour grading, which goes on using its names.
  private mutating func grading() throws -> [any Filter] {
    var grading = Grading()
    grading.shadows = try wheel("SplitToningShadow", saturation: "Saturation", light: "ColorGradeShadowLum")
    grading.mids = try wheel("ColorGradeMidtone", saturation: "Sat", light: "ColorGradeMidtoneLum")
    grading.highlights = try wheel(
      "SplitToningHighlight", saturation: "Saturation", light: "ColorGradeHighlightLum")
    grading.global = try wheel("ColorGradeGlobal", saturation: "Sat", light: "ColorGradeGlobalLum")
    try addShadowTint(to: &grading)
    guard grading != Grading() else { return [] }
    grading.blending = try detail("ColorGradeBlending", in: 0...100, usual: 50)
    grading.balance = try detail("SplitToningBalance", in: -100...100, usual: 0)
    return [grading]
  }

  /// Hues are those of HSV there.
  private mutating func wheel(_ name: String, saturation: String, light: String) throws -> Grading.Wheel {
    var wheel = Grading.Wheel(luminance: try amount(light))
    guard let amount = try approximately(name + saturation, in: 0...100) else { return wheel }
    wheel.saturation = Float(amount)
    wheel.hue = Self.hue(fromHSV: try settings.number(name + "Hue", in: 0...360) ?? 0)
    if settings.values[name + "Hue"] != nil { note(name + "Hue") }
    return wheel
  }

  /// Returns the hue in OKLCH, to a degree, of sRGB's purest colour with a hue of HSV.
  static func hue(fromHSV hue: Double) -> Float {
    func channel(_ offset: Double) -> Double {
      let place = (offset + hue / 60).truncatingRemainder(dividingBy: 6)
      return 1 - max(0, min(place, 4 - place, 1))
    }
    let rgb = SIMD3(channel(5), channel(3), channel(1))
    let light = SIMD3(rgb.x, rgb.y, rgb.z).map(TransferFunction.sRGB.decode)
    let lch = OKLab.lch(fromLab: OKLab.fromXYZ(ColorSpace.sRGB.toXYZ * light))
    return Float(lch.z.rounded())
  }
}

extension HueBand {
  /// `Red`, as at the end of the names of settings.
  fileprivate var adobeName: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension SIMD3<Double> {
  fileprivate func map(_ function: (Double) -> Double) -> SIMD3 {
    SIMD3(function(x), function(y), function(z))
  }
}
