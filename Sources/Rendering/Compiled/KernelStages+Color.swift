import FilterGraph
import PixelKernels

extension KernelStages {
  /// Curves of light with the memory that they point to.
  func curves(_ numbers: NumericStage.CurveNumbers) -> sl_light_curves {
    func three(_ values: [Float]) -> (Float, Float, Float) { (values[0], values[1], values[2]) }
    return sl_light_curves(
      samples: kept(numbers.samples), count: Int32(numbers.count),
      mode: sl_curve_mode(numbers.mode.rawValue), below: three(numbers.below), above: three(numbers.above),
      luminance: three(numbers.luminance))
  }

  /// Changes by hue with the memory that they point to.
  func hues(_ numbers: NumericStage.HueNumbers) -> sl_hues {
    var hues = sl_hues()
    Self.copy(numbers.toLMS, to: &hues.to_lms)
    Self.copy(numbers.labFromRoots, to: &hues.lab_from_roots)
    Self.copy(numbers.rootsFromLab, to: &hues.roots_from_lab)
    Self.copy(numbers.fromLMS, to: &hues.from_lms)
    hues.tables = kept(numbers.tables)
    hues.count = Int32(numbers.count)
    (hues.fade, hues.vibrance, hues.lightness) = (numbers.fade, numbers.vibrance, numbers.lightness)
    return hues
  }

  func gamut(_ numbers: NumericStage.GamutNumbers) -> sl_gamut {
    var gamut = sl_gamut()
    Self.copy(numbers.toLMS, to: &gamut.to_lms)
    Self.copy(numbers.labFromRoots, to: &gamut.lab_from_roots)
    Self.copy(numbers.fromLMS, to: &gamut.from_lms)
    gamut.alpha = Float(GamutMapping.alpha)
    gamut.halvings = Int32(GamutMapping.halvings)
    return gamut
  }
}
