import FilterGraph
import FrameCore
import Rendering

extension LiveLook {
  /// Returns the plan that a live session runs for frames of `input`, once its tables are baked.
  ///
  /// - Parameters:
  ///   - keepsSpace: whether pictures keep the colour space of the frames, as in videos, rather than become sRGB, as
  ///     on screens.
  ///   - interpolation: how turned and enlarged frames and subsampled colour are sampled.
  /// - Throws: as `Renderer.plan`.
  package func plan(
    for input: PlanInput, keepsSpace: Bool = false, interpolation: Interpolation = .sharp,
    renderer: any Renderer = CPURenderer()
  ) throws -> Plan {
    try renderer.plan(
      effectiveRecipe, input: input,
      output: Self.planOutput(for: input, keepsSpace: keepsSpace, interpolation: interpolation))
  }

  /// The one rule for the output of live plans: 8 bits, dithered if frames have more.
  ///
  /// - Parameter planes: the format and encoding of luma and colour differences, if all sinks want those.
  static func planOutput(
    for input: PlanInput, keepsSpace: Bool, planes: (format: PixelFormat, tags: ColorTags)? = nil,
    interpolation: Interpolation
  ) -> PlanOutput {
    PlanOutput(
      format: planes?.format ?? .rgba8, space: keepsSpace ? input.space : .sRGB, videoTags: planes?.tags,
      interpolation: interpolation)
  }
}
