import ColorScience
import FilterGraph
import Filters
import Libc

// Color balance rgb: four wheels, and sliders of saturation, contrast and hue.
extension DarktableImport {
  /// The wheels by their first field: luminance, chroma, hue.
  private static let wheels: [(name: String, field: Int, region: Grading.Region)] = [
    ("shadows", 0, .shadows), ("midtones", 3, .mids), ("highlights", 6, .highlights), ("global", 9, .global),
  ]

  /// What has no equivalent, by field, with its neutral value.
  private static let unknown: [(name: String, field: Int, neutral: Double)] = [
    ("chroma_shadows", 15, 0), ("chroma_highlights", 16, 0), ("chroma_midtones", 18, 0),
    ("saturation_highlights", 20, 0), ("saturation_midtones", 21, 0), ("saturation_shadows", 22, 0),
    ("brilliance_global", 24, 0), ("brilliance_highlights", 25, 0), ("brilliance_midtones", 26, 0),
    ("brilliance_shadows", 27, 0),
  ]

  mutating func colorBalance(
    _ module: DarktableStyle.Module, _ parameters: DarktableParameters
  ) -> [any Filter] {
    var grading = Grading()
    for (name, field, region) in Self.wheels {
      let (light, chroma, hue) = (
        parameters.number(field), parameters.number(field + 1), parameters.number(field + 2)
      )
      guard light != 0 || chroma != 0 else { continue }
      grading[region] = Grading.Wheel(
        turningGreyInto: Self.grey(light: light, chroma: chroma, hue: hue))
      let value = [light, chroma, hue].map(Self.text).joined(separator: ", ")
      approximate(module, name, value, "as a wheel of grading")
    }
    var filters: [any Filter] = grading == Grading() ? [] : [grading]
    // Chroma and saturation of all tones are one slider here.
    let saturation = parameters.number(19) * (module.version == 1 ? .pi / 180 : 1)
    let chroma = parameters.number(17)
    if saturation != 0 { approximate(module, "saturation_global", Self.text(saturation)) }
    if chroma != 0 { approximate(module, "chroma_global", Self.text(chroma)) }
    if let amount = Self.percent(saturation + chroma) { filters.append(Saturation(amount)) }
    let angle = parameters.number(23).rounded()
    if angle != 0, abs(angle) <= 180 {
      approximate(module, "hue_angle", Self.text(angle))
      filters.append(Hue(Float(angle)))
    }
    if module.version >= 4 {
      if let amount = Self.percent(parameters.number(29)) {
        approximate(module, "vibrance", Self.text(parameters.number(29)))
        filters.append(Vibrance(amount))
      }
      if let amount = Self.percent(parameters.number(31)) {
        approximate(module, "contrast", Self.text(parameters.number(31)))
        filters.append(Contrast(amount))
      }
    }
    for (name, field, neutral) in Self.unknown where field < parameters.count {
      let value = parameters.number(field)
      if value != neutral { ignore(module, name, Self.text(value), "no such slider here") }
    }
    return filters
  }

  /// -1…1 as -100…100; nil for 0.
  private static func percent(_ number: Double) -> Float? {
    let amount = (min(max(number, -1), 1) * 100).rounded()
    return amount == 0 ? nil : Float(amount)
  }

  /// Returns what becomes of grey under a wheel whose colour is added to 1 as a factor, in XYZ.
  ///
  /// Hues are those of Filmlight's Yrg, 30° further. Source of the space: Kirk, "Chromaticity coordinates for graphic
  /// arts based on CIE 2006 LMS with even spacing of Munsell colours", Color and Imaging Conference 27, 2019.
  static func grey(light: Double, chroma: Double, hue: Double) -> SIMD3<Double> {
    let angle = (hue - 30) * .pi / 180
    func rgb(_ chroma: Double) -> SIMD3<Double> {
      let r = 0.219_021_43 + chroma * cos(angle)
      let g = 0.543_713_98 + chroma * sin(angle)
      let rgb = SIMD3(r, g, 1 - r - g)
      let lms = toLMS * rgb
      return rgb / (0.689_902_72 * lms.x + 0.348_321_89 * lms.y)
    }
    let white = rgb(0)
    let factors = (rgb(chroma) - white) + SIMD3(repeating: 1 + light)
    let clipped = factors.clamped(lowerBound: SIMD3(repeating: 0.01), upperBound: SIMD3(repeating: 100))
    // As a part of what white becomes of factors of 1, so that the matrices' own white does not matter.
    let xyz = fromXYZ.inverse * (toLMS * (white * clipped))
    let whiteXYZ = fromXYZ.inverse * (toLMS * white)
    return xyz / whiteXYZ * Chromaticity.d65.XYZ
  }

  private static let toLMS = Matrix3x3(
    rows: SIMD3(0.95, 0.38, 0), SIMD3(0.05, 0.62, 0.03), SIMD3(0, 0, 0.97))
  private static let fromXYZ = Matrix3x3(
    rows: SIMD3(0.257085, 0.859943, -0.031061), SIMD3(-0.394427, 1.175800, 0.106423),
    SIMD3(0.064856, -0.076250, 0.559067))
}
