import ColorScience
import FilterGraph
import FrameCore
import Rendering

/// Turns pictures of one kind into 8-bit RGBA of a space, beside the frame loop. Used by one thread.
///
/// Sinks need it only in part of the runs: those that people look at where another sink keeps a video's own space, and a
/// virtual camera whose driver has not taken the video's tags.
final class PictureConverter {
  // The frame loop has the other cores.
  private let renderer = CPURenderer(threads: 1)
  private let plan: PreparedPlan
  private let ring: BufferRing

  /// Pictures that a sink may hold: one that is written, one that it keeps, and one to spare.
  private static let bufferCount = 3

  /// - Parameter space: of the result; nil keeps that of the input.
  init(from input: PlanInput, to space: ColorSpace? = nil) throws {
    let output = PlanOutput(format: .rgba8, space: space ?? input.space)
    plan = renderer.prepare(try renderer.plan(Recipe(), input: input, output: output))
    ring = try BufferRing(
      count: Self.bufferCount, size: plan.plan.outputSize, format: .rgba8, tags: output.space.tags)
  }

  func convert(_ picture: PixelBuffer) throws -> PixelBuffer {
    let size = plan.plan.outputSize
    let result = try ring.take() ?? PixelBuffer(size: size, format: .rgba8, tags: plan.plan.output.space.tags)
    try renderer.renderFrame(picture, through: plan, into: result)
    return result
  }
}
