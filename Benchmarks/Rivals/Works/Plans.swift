import BenchmarkSupport
import Safelight

/// The benefit of fusing, and the cost of making a plan.
extension Work {
  static func plans() -> [Work] { [fusing(), baking()] }

  /// Twelve filters that a photographer might stack; none of them is neutral.
  static let twelve: [any Filter] = [
    WhiteBalance(temperature: 6900, tint: 4), WhiteBalance(temperature: 6300, tint: -2), Exposure(stops: 0.3),
    Exposure(stops: -0.1), Contrast(8), Contrast(-3), Contrast(4), Saturation(15), Saturation(-5),
    Saturation(3),
    Exposure(stops: 0.05), WhiteBalance(temperature: 6600),
  ]

  /// Every kind of colour filter, some of them many times: more than anybody stacks.
  static let forty: [any Filter] = {
    var hsl = HSL()
    hsl.bands.orange = HSL.Band(hue: -4, saturation: 6, lightness: 3)
    hsl.bands.blue = HSL.Band(hue: 6, saturation: -12, lightness: -8)
    let s = [SIMD2(0.0, 0.01), SIMD2(0.25, 0.22), SIMD2(0.75, 0.79), SIMD2(1.0, 1.0)]
    let kinds: [any Filter] = [
      PointCurve(s), PointCurve(luminance: s), PointCurve(red: s), Levels(black: 1, white: 98, gamma: 1.05),
      Fade(4), Tone(whites: 6, blacks: -5), hsl, Vibrance(12), Hue(3),
      Grading(
        shadows: Grading.Wheel(hue: 220, saturation: 8), highlights: Grading.Wheel(hue: 45, saturation: 6)),
      ChannelMixer(red: SIMD3(96, 3, 1), green: SIMD3(2, 96, 2), blue: SIMD3(1, 3, 96)),
      CDL(slope: CDL.Slope(1.02, 1, 0.98), power: CDL.Power(0.97), saturation: 1.04),
    ]
    let gentle: [any Filter] = [
      PointCurve(s), Vibrance(-6), Hue(-2), Levels(gamma: 0.97), Fade(2), CDL(saturation: 0.98),
    ]
    return twelve + kinds + gentle + twelve.prefix(10)
  }()

  private static func fusing() -> Work {
    let size = Workshop.ultraHD
    return Work(
      id: "twelve", title: "Twelve and forty colour filters against one, 8-bit RGBX, 3840×2160, one thread",
      pixels: size.pixelCount,
      contenders: [
        .ours("ours", "twelve filters") { try Rendering(twelve, on: $0.picture(size)).runner() },
        .ours("forty", "forty filters") { try Rendering(forty, on: $0.picture(size)).runner() },
        Contender(id: "one", title: "one filter (saturation)", role: .yardstick) {
          try Rendering([Saturation(15)], on: $0.picture(size)).runner()
        },
      ])
  }

  /// Recipes of each kind that bakes.
  private static let recipes:
    [(id: String, title: String, filters: @Sendable (Workshop) throws -> [any Filter])] = [
      ("ours", "twelve colour filters", { _ in twelve }),
      ("balance", "white balance", { _ in [WhiteBalance(temperature: 6900)] }),
      ("contrast", "contrast", { _ in [Contrast(25)] }),
      ("saturation", "saturation", { _ in [Saturation(15)] }),
      ("tone", "tone", { _ in [Tone(highlights: -40, shadows: 30, blacks: -10)] }),
      ("table", "a 33³ table", { [try $0.lut()] }),
      (
        "preset", "a preset, exposure and white balance",
        { try [Exposure(stops: 0.3), WhiteBalance(temperature: 6900), $0.lut(), Saturation(15)] }
      ),
      ("noir", "black and white", { _ in try PresetLibrary.preset("noir").recipe.filters }),
      (
        "heaviest", "the heaviest look, plain-stone",
        { _ in try PresetLibrary.preset("plain-stone").recipe.filters }
      ),
    ]

  private static func baking() -> Work {
    Work(
      id: "bake", title: "A plan from scratch: lower, bake, prove",
      note: "Without a cache, so the table and the proof of its error are computed every time.",
      contenders: recipes.map { id, title, filters in
        .ours(id, title) { workshop in
          let recipe = Recipe(filters: try filters(workshop))
          let renderer = CPURenderer()
          return FunctionRunner {
            _ = try renderer.plan(recipe, input: PlanInput(size: Workshop.ultraHD), output: PlanOutput())
          }
        }
      })
  }
}
