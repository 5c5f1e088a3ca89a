import ColorScience
import FilterGraph

extension NumericStage {
  /// Curves of light: `LightCurves`.
  package struct CurveNumbers: Sendable {
    /// As numbered in `ColorStages.h` and `shaders/curves.glsl`.
    package enum Mode: UInt32, Sendable { case channels, hueKeeping, luminance }

    package let mode: Mode
    /// The samples of red, green and blue, or those of the one curve.
    package let samples: [Float]
    /// The number of samples per curve.
    package let count: Int
    /// The slopes beyond black and white: of three curves, or three times those of one.
    package let below, above: [Float]
    /// What luminance is of linear RGB.
    package let luminance: [Float]

    init(_ curves: LightCurves) {
      mode =
        switch curves.mode {
        case .channels: .channels
        case .hueKeeping: .hueKeeping
        case .luminance: .luminance
        }
      let list = curves.curves
      samples = list.flatMap(\.samples)
      count = LightCurve.count
      let three = list.count == 3 ? list : Array(repeating: list[0], count: 3)
      (below, above) = (three.map { Float($0.below) }, three.map { Float($0.above) })
      let weights = LightCurves.luminance
      luminance = [Float(weights.x), Float(weights.y), Float(weights.z)]
    }
  }

  /// Changes by hue: `HueAdjustment`.
  package struct HueNumbers: Sendable {
    /// Three rows of three each: from linear RGB to LMS and from the cube roots of LMS to OKLab, and back.
    package let toLMS, labFromRoots, rootsFromLab, fromLMS: [Float]
    /// Five tables of `count + 1` entries.
    package let tables: [Float]
    package let count: Int
    /// Squares of chroma.
    package let fade, vibrance, lightness: Float

    init(_ adjustment: HueAdjustment) {
      let toLMS = OKLab.lmsFromXYZ * ColorSpace.linearRec2020.toXYZ
      self.toLMS = NumericStage.floats(toLMS)
      fromLMS = NumericStage.floats(toLMS.inverse)
      labFromRoots = NumericStage.floats(OKLab.labFromLMS)
      rootsFromLab = NumericStage.floats(OKLab.lmsFromLab)
      (tables, count) = (adjustment.tables, HueAdjustment.count)
      fade = Float(adjustment.fade)
      vibrance = Float(HueAdjustment.vibranceSquare)
      lightness = Float(HueAdjustment.lightnessSquare)
    }
  }

  /// A gamut: `GamutMapping`.
  package struct GamutNumbers: Sendable {
    /// Three rows of three each: from linear RGB to LMS, from the cube roots of LMS to OKLab, and from LMS to RGB.
    package let toLMS, labFromRoots, fromLMS: [Float]

    init(_ mapping: GamutMapping) {
      toLMS = NumericStage.floats(mapping.toLMS)
      labFromRoots = NumericStage.floats(OKLab.labFromLMS)
      fromLMS = NumericStage.floats(mapping.fromLMS)
    }
  }
}
