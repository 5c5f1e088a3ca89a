import ColorScience
import FilterGraph
import FrameCore
import Testing

@testable import Filters

@Suite("Gamut")
struct GamutTests {
  private func plan(
    _ filters: [any Filter], from input: ColorSpace, to output: ColorSpace, format: PixelFormat = .rgba16,
    scene: SceneLight? = nil
  ) throws -> Plan {
    var source = PlanInput(size: PixelSize(width: 8, height: 8), format: .rgba16, space: input)
    source.scene = scene
    return try Plan(
      Recipe(filters: filters), input: source, output: PlanOutput(format: format, space: output))
  }

  private func keepsHue(_ plan: Plan) -> Bool {
    plan.exactStages.contains { if case .pointwise(.gamut) = $0 { true } else { false } }
  }

  @Test("Hue is kept by itself for the light of a scene, and what was made for a display is clipped")
  func automatic() throws {
    #expect(!keepsHue(try plan([], from: .displayP3, to: .sRGB)))
    #expect(!keepsHue(try plan([Saturation(60)], from: .sRGB, to: .sRGB)))
    let scene = SceneLight(exposure: 1, asked: 0.25, white: 0.25)
    #expect(keepsHue(try plan([], from: .linearRec2020, to: .sRGB, scene: scene)))
    // Samples that hold any colour are left alone.
    #expect(!keepsHue(try plan([], from: .linearRec2020, to: .linearSRGB, format: .rgbaF32, scene: scene)))
  }

  @Test("A filter decides otherwise, wherever it stands")
  func chosen() throws {
    let scene = SceneLight(exposure: 1, asked: 0.25, white: 0.25)
    #expect(!keepsHue(try plan([Gamut(.clip)], from: .linearRec2020, to: .sRGB, scene: scene)))
    #expect(keepsHue(try plan([Gamut(.keepHue), Saturation(60)], from: .sRGB, to: .sRGB)))
    // Nothing can have left the space.
    #expect(try plan([Gamut(.keepHue)], from: .sRGB, to: .sRGB).exactStages.isEmpty)
  }

  @Test("More light turns an orange yellow where it clips, and does not where its hue is kept")
  func hue() throws {
    let orange = SIMD3(0.95, 0.55, 0.1)
    func hue(_ method: Gamut.Method) throws -> Double {
      let plan = try plan([Exposure(stops: 1.5), Gamut(method)], from: .sRGB, to: .sRGB)
      let out = plan.exactStages.reduce(orange) { $1.evaluate($0) }
        .clamped(lowerBound: .zero, upperBound: .one)
      return OKLab.lch(fromLab: OKLab.fromXYZ(ColorSpace.sRGB.toXYZ * ColorSpace.sRGB.decode(out))).z
    }
    let before = OKLab.lch(
      fromLab: OKLab.fromXYZ(ColorSpace.sRGB.toXYZ * ColorSpace.sRGB.decode(orange))
    ).z
    #expect(abs(try hue(.keepHue) - before) < 0.5)
    #expect(abs(try hue(.clip) - before) > 3)
  }

  @Test("In a group it has no meaning")
  func group() {
    let group = Group(nil, filters: [Gamut(.clip)])
    #expect(throws: SafelightError.self) { try plan([group], from: .sRGB, to: .sRGB) }
  }
}
