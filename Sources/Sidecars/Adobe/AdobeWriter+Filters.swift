import ColorScience
import FilterGraph
import Filters
import FrameCore

extension AdobeWriter {
  /// Writes what Lightroom has of a filter, and says what became of the rest.
  mutating func write(_ filter: any Filter) {
    switch filter {
    case let filter as Exposure: write(filter)
    case let filter as WhiteBalance: write(filter)
    case let filter as Contrast: set("Contrast2012", filter.amount, of: filter, "amount")
    case let filter as Dehaze: set("Dehaze", filter.amount, of: filter, "amount")
    case let filter as Texture: set("Texture", filter.amount, of: filter, "amount")
    case let filter as Clarity: set("Clarity2012", filter.amount, of: filter, "amount")
    case let filter as Vibrance: set("Vibrance", filter.amount, of: filter, "amount")
    case let filter as Tone:
      set("Highlights2012", filter.highlights, of: filter, "highlights")
      set("Shadows2012", filter.shadows, of: filter, "shadows")
      set("Whites2012", filter.whites, of: filter, "whites")
      set("Blacks2012", filter.blacks, of: filter, "blacks")
    case let filter as Saturation:
      if filter.amount == -100 {
        set("Saturation", "-100")
        noteExact(filter, "amount")
      } else {
        set("Saturation", filter.amount, of: filter, "amount")
      }
    case let filter as PointCurve: write(filter)
    case let filter as HSL: write(filter)
    case let filter as BlackAndWhite: write(filter)
    case let filter as Grading: write(filter)
    case let filter as Vignette: write(filter)
    case let filter as Grain: write(filter)
    case let filter as Sharpen: write(filter)
    case let filter as NoiseReduction: write(filter)
    case is LUT, is Film: ignore(filter, "a table; export the look as .cube")
    case is Group: ignore(filter, "masks are not written")
    default: ignore(filter, "Lightroom has no such setting")
    }
  }

  private mutating func write(_ filter: Exposure) {
    guard filter.stops != 0 else { return }
    let stops = (Double(filter.stops) * 100).rounded() / 100
    set("Exposure2012", Self.signed(stops, decimals: 2))
    if Float(stops) == filter.stops { noteExact(filter, "stops") } else { note(filter, "stops") }
  }

  private mutating func write(_ filter: WhiteBalance) {
    if filter.temperature != 6500 {
      // The inverse of `AdobeImport.relativeTemperature`.
      let neutral = 1e6 / 6500
      let position = ((neutral - 1e6 / Double(filter.temperature)) / (neutral - 100) * 100).rounded()
      if (-100...100).contains(position) {
        set("IncrementalTemperature", Self.signed(position))
        note(filter, "temperature")
      } else {
        ignore(filter, "temperature", "further than Lightroom's slider for rendered photos goes")
      }
    }
    set("IncrementalTint", filter.tint, of: filter, "tint")
  }

  private mutating func write(_ filter: PointCurve) {
    func isStraight(_ points: [SIMD2<Double>]) -> Bool { points == PointCurve.straight }
    if !isStraight(filter.rgb) {
      setCurve("ToneCurvePV2012", filter.rgb)
      note(filter, "points")
      if !isStraight(filter.luminance) {
        ignore(filter, "luminance", "there is one curve of all colours there")
      }
    } else if !isStraight(filter.luminance) {
      // Refined to 0, Lightroom's curve keeps the saturation.
      set("CurveRefineSaturation", "0")
      setCurve("ToneCurvePV2012", filter.luminance)
      note(filter, "luminance")
    }
    for (name, points) in [("Red", filter.red), ("Green", filter.green), ("Blue", filter.blue)]
    where !isStraight(points) {
      setCurve("ToneCurvePV2012" + name, points)
      note(filter, name.lowercased())
    }
    if !curvesAreEmpty { set("ToneCurveName2012", "Custom") }
  }

  private mutating func write(_ filter: HSL) {
    for band in HueBand.allCases {
      let (value, name) = (filter.bands[band], band.rawValue)
      let own = name.prefix(1).uppercased() + name.dropFirst()
      set("HueAdjustment" + own, value.hue, of: filter, name + "-hue")
      set("SaturationAdjustment" + own, value.saturation, of: filter, name + "-saturation")
      set("LuminanceAdjustment" + own, value.lightness, of: filter, name + "-lightness")
    }
  }

  private mutating func write(_ filter: BlackAndWhite) {
    guard filter.strength != 0 else { return }
    guard filter.strength == 100 else {
      return ignore(filter, "black and white is whole there, or not at all")
    }
    set("ConvertToGrayscale", "True")
    note(filter, "strength")
    for band in HueBand.allCases {
      let name = band.rawValue
      set(
        "GrayMixer" + name.prefix(1).uppercased() + name.dropFirst(), filter.bands[band], of: filter, name)
    }
  }

  private mutating func write(_ filter: Grading) {
    guard filter != Grading() else { return }
    for (region, hue, saturation, light) in [
      (Grading.Region.shadows, "SplitToningShadowHue", "SplitToningShadowSaturation", "ColorGradeShadowLum"),
      (.mids, "ColorGradeMidtoneHue", "ColorGradeMidtoneSat", "ColorGradeMidtoneLum"),
      (
        .highlights, "SplitToningHighlightHue", "SplitToningHighlightSaturation", "ColorGradeHighlightLum"
      ),
      (.global, "ColorGradeGlobalHue", "ColorGradeGlobalSat", "ColorGradeGlobalLum"),
    ] {
      let wheel = filter[region]
      if wheel.saturation.rounded() != 0 {
        set(hue, Self.signed(Self.hsvHue(nearest: wheel.hue)).replacing("+", with: ""))
        note(filter, region.rawValue + "-hue")
        set(saturation, wheel.saturation, of: filter, region.rawValue + "-saturation")
      }
      set(light, wheel.luminance, of: filter, region.rawValue + "-luminance")
    }
    set("ColorGradeBlending", filter.blending, of: filter, "blending", neutral: 50)
    set("SplitToningBalance", filter.balance, of: filter, "balance")
  }

  /// Returns the hue of HSV, in whole degrees, whose purest colour has a hue of OKLCH.
  static func hsvHue(nearest hue: Float) -> Double {
    func distance(_ degrees: Int) -> Float {
      let turn = abs(AdobeImport.Draft.hue(fromHSV: Double(degrees)) - hue)
        .truncatingRemainder(dividingBy: 360)
      return min(turn, 360 - turn)
    }
    return Double((0..<360).min { distance($0) < distance($1) } ?? 0)
  }

  private mutating func write(_ filter: Vignette) {
    guard filter.amount != 0 else { return }
    set("PostCropVignetteAmount", filter.amount, of: filter, "amount")
    set("PostCropVignetteMidpoint", filter.midpoint, of: filter, "midpoint", neutral: 50)
    set("PostCropVignetteFeather", filter.feather, of: filter, "feather", neutral: 50)
    set("PostCropVignetteRoundness", filter.roundness, of: filter, "roundness")
    set("PostCropVignetteStyle", "1")
  }

  private mutating func write(_ filter: Grain) {
    guard filter.amount != 0 else { return }
    set("GrainAmount", filter.amount, of: filter, "amount")
    set("GrainSize", filter.size, of: filter, "size", neutral: 25)
    set("GrainFrequency", filter.roughness, of: filter, "roughness", neutral: 50)
    if filter.seed != 0 { ignore(filter, "seed", "Lightroom chooses its own") }
  }

  private mutating func write(_ filter: Sharpen) {
    if filter.amount != 0 {
      set("Sharpness", filter.amount, of: filter, "amount")
      if filter.radius != 1 {
        set("SharpenRadius", Self.signed(Double(filter.radius), decimals: 1))
        note(filter, "radius")
      }
      set("SharpenDetail", filter.detail, of: filter, "detail", neutral: 25)
      set("SharpenEdgeMasking", filter.masking, of: filter, "masking")
    }
    if filter.output != Sharpen().output {
      ignore(filter, "output", "Lightroom sharpens for the output when it exports")
    }
  }

  private mutating func write(_ filter: NoiseReduction) {
    set("LuminanceSmoothing", filter.luminance, of: filter, "luminance")
    if filter.luminance != 0 {
      set(
        "LuminanceNoiseReductionDetail", filter.luminanceDetail, of: filter, "luminance-detail", neutral: 50)
    }
    set("ColorNoiseReduction", filter.color, of: filter, "color")
    if filter.color != 0 {
      set("ColorNoiseReductionDetail", filter.colorDetail, of: filter, "color-detail", neutral: 50)
    }
  }
}
