import ColorScience
import FrameCore

extension PlanBuilder {
  /// Decides how light that is too bright for the result's colour space is brought into it, wherever this filter stands in
  /// the recipe. Without a filter that decides, hue is kept for the light of a scene, as of a camera raw, and what is too
  /// bright in other pictures is clipped: in tables, which clip after they have interpolated, that is exact.
  ///
  /// - Parameter keepsHue: false clips each channel.
  public mutating func gamut(keepsHue: Bool) { keepsHueInGamut = keepsHue }

  /// Brings colours into the space of the result, behind every filter. Nothing if they are to be clipped, if no stage
  /// can have taken one out of it, or if the samples of the result can hold any colour.
  mutating func fitGamut(of output: ColorSpace, in format: PixelFormat) {
    guard format.isInteger else { return }
    guard keepsHueInGamut ?? (scene != nil) else { return }
    guard space != output || log != nil || stages.contains(where: \.isColor) else { return }
    enter(ColorSpace(name: "Linear \(output.name)", primaries: output.primaries, transfer: .linear))
    append(.pointwise(.gamut(GamutMapping(into: output))))
  }
}
