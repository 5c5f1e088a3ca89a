import ColorScience
@testable import FilterGraph
import FrameCore
import TestSupport
import Testing

import Libc
@testable import Filters

/// Grading by regions, ASC CDL and the channel mixer.
@Suite("Grading")
struct GradingTests {
  private func grey(_ encoded: Double) -> SIMD3<Double> {
    SIMD3(repeating: TransferFunction.sRGB.decode(encoded))
  }

  static func random(seed: Int) -> Grading {
    var random = SeededRandom(seed: UInt64(seed))
    func wheel() -> Grading.Wheel {
      Grading.Wheel(
        hue: Float.random(in: 0...360, using: &random), saturation: Float.random(in: 0...100, using: &random),
        luminance: Float.random(in: -100...100, using: &random))
    }
    return Grading(
      shadows: wheel(), mids: wheel(), highlights: wheel(), global: wheel(),
      blending: Float.random(in: 0...100, using: &random),
      balance: Float.random(in: -100...100, using: &random))
  }

  @Test("A tint has its hue and no light of its own, where its region is")
  func tint() throws {
    for hue in stride(from: Float(0), to: 360, by: 45) {
      let shadows = Grading(shadows: Grading.Wheel(hue: hue, saturation: 40))
      let dark = oklch(try shadows.evaluate(grey(0.1)))
      #expect(turn(dark.hue, Double(hue)) < 6 && dark.chroma > 0.008, "\(hue)°: \(dark)")
      // White, and greys above the middle, have none of it.
      #expect(difference(try shadows.evaluate(grey(0.95)), grey(0.95)) < 1e-6)
      let luminance = (PlanBuilder.workingSpace.toXYZ * (try shadows.evaluate(grey(0.1)))).y
      #expect(abs(luminance / grey(0.1).x - 1) < 0.02, "\(hue)°: \(luminance)")
      let highlights = Grading(highlights: Grading.Wheel(hue: hue, saturation: 40))
      #expect(difference(try highlights.evaluate(grey(0.05)), grey(0.05)) < 1e-6)
      #expect(turn(oklch(try highlights.evaluate(grey(0.95))).hue, Double(hue)) < 6)
    }
  }

  @Test("Luminance of all tones is a stop at 100, and of mids leaves black and white")
  func luminance() throws {
    let global = Grading(global: Grading.Wheel(luminance: 100))
    for tone in [0.1, 0.5, 0.9] {
      #expect(abs(try global.evaluate(grey(tone)).x / grey(tone).x - 2) < 1e-3)
    }
    let mids = Grading(mids: Grading.Wheel(luminance: 50), blending: 0)
    #expect(abs(try mids.evaluate(grey(0.5)).x / grey(0.5).x - exp2(0.5)) < 1e-3)
    for tone in [0.0, 0.1, 0.2] { #expect(difference(try mids.evaluate(grey(tone)), grey(tone)) < 1e-4) }
  }

  @Test("Split toning: cool shadows, warm highlights; balance moves the border")
  func splitToning() throws {
    func tone(_ balance: Float) throws -> Double {
      let grading = Grading(
        shadows: Grading.Wheel(hue: 195, saturation: 50), highlights: Grading.Wheel(hue: 55, saturation: 50),
        blending: 100, balance: balance)
      // Warm greys have more red than blue.
      let out = try grading.evaluate(grey(0.5))
      return out.x / out.z
    }
    #expect(try tone(-100) < tone(0) && tone(0) < tone(100))
    #expect(try tone(-100) < 1 && tone(100) > 1)
  }

  @Test("Channels never fall, however different the regions are, and black stays black", arguments: 0..<40)
  func monotone(seed: Int) throws {
    let grading = Self.random(seed: seed)
    let ramp = try grading.ramp()
    #expect(ramp[0] == .zero)
    for (a, b) in zip(ramp, ramp.dropFirst()) {
      #expect((b - a).min() >= 0, "\(grading): \(a), then \(b)")
    }
    for color in [SIMD3(-0.3, 0.2, 4), SIMD3(60, 0.1, -60), SIMD3(1e-9, 0, 0)] {
      let out = try grading.evaluate(color)
      #expect((out.min() + out.max()).isFinite)
    }
  }

  @Test("A hue without saturation does nothing; at no strength nothing is left")
  func neutral() throws {
    #expect(try Grading(shadows: Grading.Wheel(hue: 200), blending: 10, balance: 30).lowered().stages.isEmpty)
    for filter in [Self.random(seed: 1), CDL(slope: CDL.Slope(2, 1, 1), saturation: 0.5)] as [any Filter] {
      #expect(try Recipe(filters: [filter]).scaled(by: 0).filters[0].lowered().stages.isEmpty)
    }
  }

  // PyOpenColorIO 2.6.0: CDLTransform with slope 1.2 0.9 1.1, offset -0.02 0.03 0.05, power 1.1 0.9 1.25, saturation
  // 0.8 and style CDL_ASC, on the default processor, whose powers are accurate to 1e-4.
  static let decided: [(SIMD3<Double>, SIMD3<Double>)] = [
    (SIMD3(0.2, 0.5, 0.7), SIMD3(0.244467, 0.506436, 0.717445)),
    (SIMD3(0.01, 0.02, 0.9), SIMD3(0.023742, 0.075766, 0.823753)),
    (SIMD3(0.6, 0.4, 0.3), SIMD3(0.634698, 0.437127, 0.333003)),
    (SIMD3(0.9, 0.9, 0.9), SIMD3(0.979238, 0.863052, 0.979239)),
  ]

  @Test("ASC CDL is that of OpenColorIO, on samples of its encoding", arguments: decided.indices)
  func openColorIO(index: Int) throws {
    let (samples, expected) = Self.decided[index]
    let cdl = CDL(
      slope: CDL.Slope(1.2, 0.9, 1.1), offset: CDL.Offset(-0.02, 0.03, 0.05),
      power: CDL.Power(1.1, 0.9, 1.25),
      saturation: 0.8)
    var builder = PlanBuilder(size: PixelSize(width: 1, height: 1), space: .sRGB)
    try cdl.lower(into: &builder)
    let out = builder.stages.reduce(samples) { $1.evaluate($0) }
    #expect(difference(out, expected) < 3e-4, "\(out)")
  }

  @Test(
    "Numbers that a CDL may not have are refused by name",
    arguments: [
      (0, "-0.1,1,1", "cdl-slope has -0.1, outside its range"),
      (2, "1,0,1", "cdl-power has 0, outside its range"),
      (1, "0,0", "cdl-offset is “0,0”, which is not three numbers"),
      (0, "1,nan,1", "cdl-slope has nan, outside its range"),
    ])
  func refused(parameter: Int, text: String, problem: String) {
    var cdl = CDL()
    let error = #expect(throws: SafelightError.self) {
      try CDL.parameters[parameter].set(.text(text), in: &cdl)
    }
    #expect(error?.problem == problem, "\(error?.description ?? "")")
    #expect(cdl == CDL())
  }

  @Test("The channel mixer is a matrix of percents, which keeps greys where its rows add up to 100")
  func mixer() throws {
    let swapped = ChannelMixer(red: SIMD3(0, 0, 100), blue: SIMD3(100, 0, 0))
    #expect(difference(try swapped.evaluate(SIMD3(0.1, 0.2, 0.7)), SIMD3(0.7, 0.2, 0.1)) < 1e-12)
    let mixed = ChannelMixer(red: SIMD3(160, -40, -20), green: SIMD3(10, 80, 10))
    #expect(difference(try mixed.evaluate(SIMD3(repeating: 0.3)), SIMD3(repeating: 0.3)) < 1e-12)
    #expect(difference(try mixed.evaluate(SIMD3(1, 0, 0)), SIMD3(1.6, 0.1, 0)) < 1e-6)
  }
}
