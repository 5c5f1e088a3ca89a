import AnalysisKernels
import FrameCore

/// Finds straight edges in the luma of a proxy, in memory that it keeps from frame to frame.
struct SegmentFinder: ~Copyable {
  /// The minimum length of an edge, as a fraction of the proxy's long edge.
  private static let shortest = 0.022
  /// Keeps only the longest edges, so that the time per frame is bounded.
  private static let mostLines = 256
  private static let capacity = 4096

  private static let samples = AnalysisProxy.longEdge * AnalysisProxy.longEdge
  private var gradients = SampleBuffer<Float>(capacity: 3 * samples)
  private var states = SampleBuffer<UInt8>(capacity: samples)
  private var indices = SampleBuffer<UInt32>(capacity: 2 * samples)
  private var segments = SampleBuffer<sla_segment>(capacity: capacity)

  /// Replaces `lines` by the edges of `content`, longest first.
  ///
  /// - Parameter showsBlocks: whether the blocks of a compressed picture would appear at their original size; in a
  ///   shrunk picture they are smaller.
  mutating func find(
    in content: borrowing FramedContent, showsBlocks: Bool, into lines: inout [ImageLine]
  ) {
    lines.removeAll(keepingCapacity: true)
    let size = content.size
    let count = size.pixelCount
    guard count > 0 else { return }
    gradients.reserve(3 * count)
    states.reserve(count)
    indices.reserve(2 * count)
    var scratch = sla_segment_scratch(
      gradient_x: gradients.base, gradient_y: gradients.base + count, magnitude: gradients.base + 2 * count,
      state: states.base, order: indices.base, region: indices.base + count)
    let shortest = Float(Self.shortest * Double(size.longEdge))
    let found = sla_find_segments(
      content.luma, Int32(size.width), Int32(size.height), shortest, &scratch, segments.base, Self.capacity)
    for index in 0..<found where lines.count < Self.mostLines {
      let segment = segments.base[index]
      if showsBlocks, Self.isBlockEdge(segment) { continue }
      lines.append(ImageLine(segment, in: size))
    }
  }

  /// Whether a segment may be an edge or slope of the 8-sample blocks left by strong JPEG compression: exactly
  /// level or upright, faint, and no longer than a few blocks.
  private static func isBlockEdge(_ segment: sla_segment) -> Bool {
    let (width, height) = (abs(segment.x1 - segment.x0), abs(segment.y1 - segment.y0))
    return segment.contrast < faintest && min(width, height) < 0.6 && max(width, height) < longestOfBlocks
  }

  /// In luma per sample: the steps between blocks at libjpeg's quality 10 are smaller.
  private static let faintest: Float = 8.0 / 255
  /// Six blocks, in samples.
  private static let longestOfBlocks: Float = 48
}
