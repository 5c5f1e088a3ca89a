import ColorScience
import Filters
import PixelKernels
import RendererTestSupport
import TestSupport
import Testing

@testable import FilterGraph
@testable import Rendering

extension KernelTests.ExactStages {
  static let curves3: [LightCurves.Mode] = {
    let s = LightCurve.encoded { $0 * $0 * (3 - 2 * $0) }
    let lifted = LightCurve.encoded(above: 0) { 0.1 + 0.8 * $0 }
    let root = LightCurve { $0.squareRoot() }
    return [
      .channels(s, lifted, root), .hueKeeping(s), .hueKeeping(lifted), .luminance(s), .luminance(lifted),
    ]
  }()

  /// Values in and around 0…1, and far from it.
  private static func values(_ random: inout SeededRandom) -> Float {
    switch random.next() % 8 {
    case 0: [0, -0.0, 1, 1e-6, 1e-13, 0.18, 64, 0.5][Int(random.next() % 8)]
    case 1: Float.random(in: -3...10, using: &random)
    case 2: Float.random(in: 0...0.01, using: &random)
    default: Float.random(in: -0.2...1.5, using: &random)
    }
  }

  @Test("Curves of light, in each of their modes", arguments: InstructionSet.available)
  func lightCurves(set: InstructionSet) {
    for mode in Self.curves3 {
      compare([.pointwise(.curves(LightCurves(mode, text: "")))], set, values: Self.values) {
        // A gain for negative luminance is the quotient of small differences.
        (mode.isLuminance ? 1e-3 : 5e-5) * Self.scale($0)
      }
    }
  }

  @Test("Changes by hue, faded and not", arguments: InstructionSet.available)
  func hues(set: InstructionSet) {
    let adjustments = [
      HueAdjustment(text: "") { hue in
        HueAdjustment.Change(
          turn: hue < 180 ? 0.1 * hue : 0.1 * (360 - hue), chroma: 1.5 - abs(hue - 180) / 180,
          lightness: abs(hue - 180) / 360 - 0.25)
      },
      HueAdjustment(fades: false, text: "") { _ in HueAdjustment.Change(vibrance: -1) },
      HueAdjustment(text: "") { _ in HueAdjustment.Change(vibrance: 1) },
    ]
    for adjustment in adjustments {
      compare([.pointwise(.hues(adjustment))], set, values: Self.values) {
        5e-5 * Self.scale($0)
      }
    }
  }

  @Test("A turn of all hues", arguments: InstructionSet.available)
  func turned(set: InstructionSet) {
    compare([.pointwise(.oklabTurn(degrees: 77, space: .linearRec2020))], set) {
      Float.random(in: -0.3...3, using: &$0)
    } tolerance: {
      2e-5 * Self.scale($0)
    }
  }

  @Test("Colours brought into a gamut", arguments: InstructionSet.available)
  func gamuts(set: InstructionSet) {
    for space in [ColorSpace.sRGB, .adobeRGB, .linearRec2020] {
      compare([.pointwise(.gamut(GamutMapping(into: space)))], set, values: Self.values) {
        // The boundary is found to 4e-6 of the way, and ways are as long as colours are far.
        5e-5 * Self.scale($0)
      }
    }
  }

  @Test(
    "What is no number stays none, and what is infinite reads nothing outside of tables",
    arguments: InstructionSet.available)
  func noNumbers(set: InstructionSet) {
    let hues = HueAdjustment(text: "") { _ in HueAdjustment.Change(turn: 20, vibrance: 1, lightness: -0.2) }
    let stages =
      Self.curves3.map { Stage.pointwise(.curves(LightCurves($0, text: ""))) } + [
        .pointwise(.hues(hues)), .pointwise(.gamut(GamutMapping(into: .sRGB))),
      ]
    set.limit {
      for stage in stages {
        let planes = (0..<3).map { _ in
          GuardedRow<Float>([.nan, .infinity, -.infinity, 1e38, -1e38, 0.25, 1e20])
        }
        KernelStages([stage]).run(planes[0].pointer, planes[1].pointer, planes[2].pointer, count: 7)
        let exact = stage.evaluate(SIMD3(repeating: 0.25))
        for channel in 0..<3 {
          #expect(planes[channel].pointer[0].isNaN && planes[channel].isIntact, "\(set), \(stage)")
          #expect(
            isClose(Double(planes[channel].pointer[5]), exact[channel], within: 1e-5), "\(set), \(stage)")
        }
      }
    }
  }
}

extension LightCurves.Mode {
  fileprivate var isLuminance: Bool { if case .luminance = self { true } else { false } }
}
