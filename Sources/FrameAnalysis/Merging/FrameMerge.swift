import AnalysisKernels
import FrameCore

/// Merges frames of one scene, taken one after another, into one picture with less noise.
///
/// Each frame is aligned with the reference (`FrameAligner`) and warped to it. The result is the reference's
/// and the warped frames' mean in linear light, each pixel of a frame weighted by how well its surroundings
/// agree with the reference's: 1 where they differ by no more than noise, which is estimated from the frames,
/// falling smoothly to 0 where something else is seen. Where no frame fits, the reference's pixels come out
/// unchanged; so does the whole reference if an edge is shorter than 16 pixels, too short to estimate noise
/// from.
///
/// With n frames that fit, noise falls by 10·log₁₀ n dB: 9 dB with 8.
///
/// Besides the frames and the result, a merge needs 3 bytes per pixel for two pyramids of luma, about 2 MB
/// for each thread, and less than 0.1 byte per pixel and frame for displacements and sums; no copy of a frame
/// is made.
///
/// Sources: the alignment over a pyramid of tiles is that of S. Hasinoff et al., Burst photography for high
/// dynamic range and low-light imaging on mobile cameras, ACM Transactions on Graphics 35, 2016, and of its
/// analysis by A. Monod, J. Delon, T. Veit, Image Processing On Line 11, 2021. They merge in frequency; the
/// robust average of pixels with a model of noise is that of B. Wronski et al., Handheld multi-frame
/// super-resolution, ACM Transactions on Graphics 38, 2019.
public struct FrameMerge: Sendable {
  /// The largest number of frames accepted.
  public static let maximumFrames = 32

  /// The number of threads that take part; by default all processors.
  public var threads = ProcessorCount.usable

  public init() {}

  /// Merges `frames`; waits for all threads.
  ///
  /// - Parameters:
  ///   - frames: 1…32 pictures of one size and colour space, in any format of 8-bit samples or in `rgba16`.
  ///     Formats may differ.
  ///   - reference: the index of the frame whose content the result shows.
  /// - Throws: `SafelightError` if the number of frames, their sizes or colour spaces, or the index do not
  ///   fit (`invalidValue`), for `rgbaF32`, transparency, HDR and ICC profiles other than a matrix with
  ///   curves (`unsupported`), or if memory is short.
  public func merge(_ frames: [PixelBuffer], reference: Int = 0) throws -> MergedFrames {
    try merge(frames, reference: reference, cancellation: WorkCancellation())
  }

  /// Merges `frames` on a thread of its own; cancelled with the task.
  ///
  /// - Throws: as `merge(_:reference:)`; `CancellationError` if the task was cancelled.
  public func merged(_ frames: [PixelBuffer], reference: Int = 0) async throws -> MergedFrames {
    let cancellation = WorkCancellation()
    return try await runOnThread(named: "merge", cancelling: cancellation) {
      try merge(frames, reference: reference, cancellation: cancellation)
    }
  }

  /// - Parameter cancellation: checked between frames and between rows of blocks.
  /// - Throws: as `merge(_:reference:)`; `CancellationError` if the merge was cancelled.
  package func merge(_ frames: [PixelBuffer], reference: Int, cancellation: WorkCancellation) throws
    -> MergedFrames
  {
    let input = try MergeInput(frames, reference: reference)
    let team = ThreadTeam(name: "merge", threads: threads)
    let pool = MergeScratchPool()
    try cancellation.check()
    let motions = try Self.motions(input, team, pool, cancellation)
    let blocks = MergeBlocks(input: input, motions: motions, team: team, pool: pool)
    let noise = try blocks.noise(cancellation)
    let output = try PixelBuffer(size: input.size, format: .rgba16, tags: input.tags)
    let weights = try blocks.merge(noise, into: output, cancellation)
    return MergedFrames(
      buffer: output,
      statistics: MergeStatistics(
        reference: reference, motions: motions, weights: weights, size: input.size, noise: noise))
  }

  /// The motion of each frame relative to the reference.
  private static func motions(
    _ input: MergeInput, _ team: ThreadTeam, _ pool: MergeScratchPool, _ cancellation: WorkCancellation
  ) throws -> [FrameMotion] {
    let still = FrameMotion(size: input.size)
    guard input.frames.count > 1 else { return [still] }
    let reference = try LumaPyramid(input.frames[input.reference], team: team)
    let aligner = FrameAligner(reference: reference, size: input.size, team: team, pool: pool)
    return try input.frames.enumerated().map { index, frame in
      try cancellation.check()
      return index == input.reference
        ? still : aligner.motion(of: try LumaPyramid(frame, team: team))
    }
  }
}
