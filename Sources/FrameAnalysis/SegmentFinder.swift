import AnalysisKernels
import FrameCore

/// Finds straight edges in the luma of a proxy, in memory that it keeps from frame to frame.
struct SegmentFinder: ~Copyable {
  /// The shortest edge, as a part of the long edge of the proxy.
  private static let shortest = 0.022
  /// The longest edges are kept, so that the time of a frame is bounded.
  private static let mostLines = 256
  private static let capacity = 4096

  private static let samples = AnalysisProxy.longEdge * AnalysisProxy.longEdge
  private var gradients = SampleBuffer<Float>(capacity: 3 * samples)
  private var states = SampleBuffer<UInt8>(capacity: samples)
  private var indices = SampleBuffer<UInt32>(capacity: 2 * samples)
  private var segments = SampleBuffer<sla_segment>(capacity: capacity)

  /// Replaces `lines` by the edges of `proxy`, the longest first.
  mutating func find(in proxy: AnalysisProxy, into lines: inout [ImageLine]) {
    lines.removeAll(keepingCapacity: true)
    let count = proxy.size.pixelCount
    guard count > 0 else { return }
    gradients.reserve(3 * count)
    states.reserve(count)
    indices.reserve(2 * count)
    var scratch = sla_segment_scratch(
      gradient_x: gradients.base, gradient_y: gradients.base + count, magnitude: gradients.base + 2 * count,
      state: states.base, order: indices.base, region: indices.base + count)
    let shortest = Float(Self.shortest * Double(proxy.size.longEdge))
    let found = sla_find_segments(
      proxy.luma.baseAddress, Int32(proxy.size.width), Int32(proxy.size.height), shortest, &scratch,
      segments.base, Self.capacity)
    // Where the frame was shrunk, blocks are too.
    let showsBlocks = proxy.size == proxy.sourceSize
    for index in 0..<found where lines.count < Self.mostLines {
      let segment = segments.base[index]
      if showsBlocks, Self.isBlockEdge(segment, in: proxy.size) { continue }
      lines.append(ImageLine(segment, in: proxy.size))
    }
  }

  /// Whether a segment is the edge of blocks that strong JPEG compression leaves: exactly level or upright, faint, and
  /// on the grid of 8 samples that starts in a corner of the picture.
  private static func isBlockEdge(_ segment: sla_segment, in size: PixelSize) -> Bool {
    guard segment.contrast < faintest else { return false }
    func isOnGrid(_ from: Float, _ to: Float, _ edge: Int) -> Bool {
      guard abs(from - to) < 0.6 else { return false }
      let middle = (from + to) / 2
      func aside(_ position: Float) -> Float { abs(position - 8 * (position / 8).rounded()) }
      return min(aside(middle), aside(Float(edge) - middle)) < 0.6
    }
    return isOnGrid(segment.x0, segment.x1, size.width) || isOnGrid(segment.y0, segment.y1, size.height)
  }

  /// Luma units per sample: the steps between blocks at libjpeg's quality 10 are smaller.
  private static let faintest: Float = 8.0 / 255
}
