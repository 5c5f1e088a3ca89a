import ColorScience
import FilterGraph
import Filters

// Camera calibration: hues and saturations of the primaries, and a tint of the shadows.
extension AdobeImport.Draft {
  /// How far a hue at 100 moves a primary towards the next one, and how far a saturation at 100 moves it from white.
  private static let (turn, stretch) = (0.2, 0.3)

  /// Returns the mix of channels whose primaries are moved as the sliders say; white stays.
  ///
  /// Adobe publishes no scale. Here a hue of 100 moves a primary of Rec. 2020, as a chromaticity, by a fifth of the way
  /// to the next one (red to green to blue to red, and back below 0), and a saturation of 100 by 30 % away from white.
  mutating func calibration() throws -> [any Filter] {
    let sliders = try ["Red", "Green", "Blue"].map { name in
      SIMD2(Double(try amount(name + "Hue")), Double(try amount(name + "Saturation"))) / 100
    }
    guard sliders.contains(where: { $0 != .zero }) else { return [] }
    let space = PlanBuilder.workingSpace
    let (own, white) = (space.primaries, space.primaries.white)
    let places = [own.red, own.green, own.blue].map { SIMD2($0.x, $0.y) }
    let center = SIMD2(white.x, white.y)
    let moved = places.indices.map { index -> SIMD3<Double> in
      let (hue, saturation) = (sliders[index].x, sliders[index].y)
      let next = places[(index + (hue < 0 ? 2 : 1)) % 3]
      let turned = places[index] + (next - places[index]) * abs(hue) * Self.turn
      let place = center + (turned - center) * (1 + saturation * Self.stretch)
      return SIMD3(place.x, place.y, 1 - place.x - place.y)
    }
    // As a matrix of primaries is made, though these may lie outside of all colours.
    let unscaled = Matrix3x3(columns: moved[0], moved[1], moved[2])
    let mix = space.toXYZ.inverse * unscaled * .diagonal(unscaled.inverse * white.XYZ)
    func row(_ x: SIMD3<Double>) -> SIMD3<Float> {
      // Rounded to tenths of a percent, a grey stays one: the last share is what is missing.
      let shares = (x * 1000).rounded(.toNearestOrEven) / 10
      return SIMD3<Float>(SIMD3(shares.x, shares.y, 100 - shares.x - shares.y))
    }
    return [ChannelMixer(red: row(mix.rows[0]), green: row(mix.rows[1]), blue: row(mix.rows[2]))]
  }

  /// Adds the tint of the shadows, green to magenta, to grading that has none for them.
  mutating func addShadowTint(to grading: inout Grading) throws {
    let tint = try settings.number("ShadowTint", in: -100...100) ?? 0
    guard tint != 0 else { return }
    guard grading.shadows.saturation == 0 else {
      return leave("ShadowTint", "the shadows have a tint of their own")
    }
    note("ShadowTint")
    // The hues of OKLCH of sRGB's green and magenta.
    grading.shadows.hue = tint < 0 ? 142 : 328
    grading.shadows.saturation = Float((abs(tint) * 0.3).rounded())
  }
}
