import ColorScience
import Filters
import Libc

extension Grading.Wheel {
  /// The wheel under which grey of luminance 1 comes nearest to a colour: its light in stops, its hue, and its chroma at
  /// the lightness that `Grading` states them for.
  ///
  /// - Parameter color: XYZ with D65 as its white; Y is above 0.
  init(turningGreyInto color: SIMD3<Double>) {
    self.init()
    guard color.y > 0, color.y.isFinite, color.x.isFinite, color.z.isFinite else { return }
    // 0.7³: the luminance of a grey of this lightness.
    let lch = OKLab.lch(fromLab: OKLab.fromXYZ(color / color.y * 0.343))
    luminance = Float((100 * log2(color.y)).clampedToHundred.rounded())
    saturation = Float((1000 * lch.y).clampedToHundred.rounded())
    hue = saturation == 0 ? 0 : Float(lch.z.rounded())
  }
}

extension Double {
  fileprivate var clampedToHundred: Double { min(max(self, -100), 100) }
}
