import ColorScience
import FilterGraph
import FrameCore
import Rendering

/// Converts pictures of one format to 8-bit RGBA in a colour space, outside the frame loop. Used by one thread.
///
/// Only some runs need it: for sinks that show pictures while another sink keeps a video's own space, and for a
/// virtual camera whose driver did not accept the video's tags.
final class PictureConverter {
  private let plan: CPUPlan
  private let ring: BufferRing

  /// The number of pictures a sink may hold: one being written, one that it keeps, and one spare.
  private static let bufferCount = 3

  /// - Parameter space: the colour space of the result; nil keeps that of the input.
  init(from input: PlanInput, to space: ColorSpace? = nil) throws {
    let output = PlanOutput(format: .rgba8, space: space ?? input.space)
    // The frame loop uses the other cores.
    let renderer = CPURenderer(threads: 1)
    plan = renderer.prepare(try renderer.plan(Recipe(), input: input, output: output))
    ring = try BufferRing(
      count: Self.bufferCount, size: plan.plan.outputSize, format: .rgba8, tags: output.space.tags)
  }

  func convert(_ picture: PixelBuffer) throws -> PixelBuffer {
    let size = plan.plan.outputSize
    let result = try ring.take() ?? PixelBuffer(size: size, format: .rgba8, tags: plan.plan.output.space.tags)
    try plan.render(picture, into: result)
    return result
  }
}
