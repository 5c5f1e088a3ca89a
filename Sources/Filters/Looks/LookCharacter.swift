import ColorScience
import FilterGraph
import FrameCore

/// What a look does to colours, measured on greys and on the patches of a ColorChecker.
///
/// Measured with the recipe's exact stages. What depends on the place of a pixel or on those around it, such as grain,
/// glow and vignettes, is left out.
public struct LookCharacter: JSONReport, Hashable {
  /// The slope of CIE lightness at middle grey: its change over one stop about 18 %, divided by that of the original.
  public let contrast: Double
  /// The lightness L* that middle grey, 49.5, comes to.
  public let middleGrey: Double
  /// The mean change of hue of skin in OKLCH, in degrees, positive towards yellow; nil if skin is left without colour.
  public let skinHueShift: Double?
  /// The hues in OKLCH of the chart's dark and light skin, in degrees; empty if they are left without colour.
  public let skinHues: [Double]
  /// The largest chroma in OKLCH that a grey comes to.
  public let greyTint: Double
  /// The hue of that grey in OKLCH, in degrees; nil if its chroma is below 0.002.
  public let greyTintHue: Double?
  /// The mean chroma in OKLCH of the chart's colours, divided by that of the original.
  public let saturation: Double

  /// - Throws: `SafelightError` if the recipe cannot be planned.
  public init(of recipe: Recipe) throws {
    // A pixel by itself has no neighbours and no corner.
    let input = PlanInput(size: PixelSize(width: 1, height: 1), format: .rgbaF32)
    let plan = try Plan(recipe.colorOnly, input: input, output: PlanOutput(format: .rgbaF32))
    let stages = plan.exactStages.filter { stage in
      if case .field = stage { false } else { true }
    }
    func seen(_ encoded: SIMD3<Double>) -> SIMD3<Double> {
      let out = stages.reduce(encoded) { $1.evaluate($0) }.clamped(lowerBound: .zero, upperBound: .one)
      return ColorSpace.sRGB.toXYZ * ColorSpace.sRGB.decode(out)
    }
    func original(_ encoded: SIMD3<Double>) -> SIMD3<Double> {
      ColorSpace.sRGB.toXYZ * ColorSpace.sRGB.decode(encoded)
    }
    func lch(_ xyz: SIMD3<Double>) -> SIMD3<Double> { OKLab.lch(fromLab: OKLab.fromXYZ(xyz)) }
    func lightness(_ xyz: SIMD3<Double>) -> Double { CIELab.fromXYZ(xyz, white: .d65).x }
    func grey(_ light: Double) -> SIMD3<Double> { SIMD3(repeating: TransferFunction.sRGB.encode(light)) }

    let (dark, bright) = (grey(0.18 * 0.5.squareRoot()), grey(0.18 * 2.0.squareRoot()))
    contrast = PlainNumber.rounded(
      (lightness(seen(bright)) - lightness(seen(dark)))
        / (lightness(original(bright)) - lightness(original(dark))))
    middleGrey = PlainNumber.rounded(lightness(seen(grey(0.18))))

    let tints = (0...32).map { lch(seen(SIMD3(repeating: Double($0) / 32))) }
    let tint = tints.max { $0.y < $1.y } ?? .zero
    greyTint = PlainNumber.rounded(tint.y)
    greyTintHue = tint.y < 0.002 ? nil : PlainNumber.rounded(tint.z)

    let skin = ColorChecker.skin.map { (before: lch(original($0)), after: lch(seen($0))) }
    let hasColor = skin.allSatisfy { $0.after.y > 0.015 }
    skinHues = hasColor ? skin.map { PlainNumber.rounded($0.after.z) } : []
    let turns = skin.map { ($0.after.z - $0.before.z + 540).truncatingRemainder(dividingBy: 360) - 180 }
    skinHueShift = hasColor ? PlainNumber.rounded(turns.reduce(0, +) / Double(turns.count)) : nil

    let chroma = ColorChecker.colors.map { lch(seen($0)).y / lch(original($0)).y }
    saturation = PlainNumber.rounded(chroma.reduce(0, +) / Double(chroma.count))
  }

  /// `contrast 1.21, middle grey L* 46.1, saturation 0.85, skin hue +4°, greys tinted by up to C 0.014 at 75°`
  public var text: String {
    func number(_ value: Double, _ digits: Int) -> String {
      let scale = [1.0, 10, 100, 1000][digits]
      return PlainNumber.text((value * scale).rounded() / scale)
    }
    let skin =
      skinHueShift.map { "skin hue \($0 <= -0.5 ? "−" : "+")\(number(abs($0), 0))°" } ?? "skin without colour"
    let tint =
      greyTintHue.map { "greys tinted by up to C \(number(greyTint, 3)) at \(number($0, 0))°" }
      ?? "neutral greys"
    return "contrast \(number(contrast, 2)), middle grey L* \(number(middleGrey, 1)), "
      + "saturation \(number(saturation, 2)), \(skin), \(tint)"
  }
}

/// Colours of the ColorChecker Classic in sRGB: the 8-bit values that X-Rite published for charts made before November
/// 2014, as 0…1.
package enum ColorChecker {
  /// The eighteen patches with colour, row by row.
  package static let colors = sRGB(
    0x735244, 0xC29682, 0x627A9D, 0x576C43, 0x8580B1, 0x67BDAA, 0xD67E2C, 0x505BA6, 0xC15A63, 0x5E3C6C,
    0x9DBC40,
    0xE0A32E, 0x383D96, 0x46944A, 0xAF363C, 0xE7C71F, 0xBB5695, 0x0885A1)
  /// Its greys, from white to black.
  package static let greys = sRGB(0xF3F3F2, 0xC8C8C8, 0xA0A0A0, 0x7A7A79, 0x555555, 0x343434)
  /// Dark and light skin.
  package static let skin = Array(colors.prefix(2))

  private static func sRGB(_ codes: Int...) -> [SIMD3<Double>] {
    codes.map { SIMD3(Double($0 >> 16), Double($0 >> 8 & 0xFF), Double($0 & 0xFF)) / 255 }
  }
}
