import FrameCore
import Libc

/// Coverage by brush strokes and polygons on a grid over the whole uncropped picture.
///
/// Node (0, 0) is at 0, 0. A class, so that plans that share one are compared and copied at once.
public final class MaskShape: @unchecked Sendable, Hashable {
  public let size: PixelSize
  /// By rows; 255 is 1. As memory that stays in its place, so that kernels read it as long as they hold the shape.
  package let nodes: UnsafePointer<UInt8>
  private let contentHash: Int

  /// The most nodes along the long edge.
  public static let mostNodes = 1024

  /// - Parameter values: 0…1 by rows; NaN counts as 0.
  package init(size: PixelSize, _ values: [Float]) {
    self.size = size
    let nodes = UnsafeMutablePointer<UInt8>.allocate(capacity: values.count)
    for (index, value) in values.enumerated() {
      // In this order NaN becomes 0.
      nodes[index] = UInt8(min(max(0, value * 255), 255).rounded())
    }
    self.nodes = UnsafePointer(nodes)
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(start: nodes, count: values.count))
    contentHash = hasher.finalize()
  }

  deinit { nodes.deallocate() }

  /// By rows; 255 is 1.
  public var values: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: nodes, count: size.pixelCount) }

  /// The grid for a picture: more nodes than a small one has pixels, so that previews have the edges of their
  /// originals.
  package static func size(for picture: PixelSize) -> PixelSize {
    let long = max(picture.width, picture.height)
    let nodes = min(4 * long, mostNodes)
    func count(_ edge: Int) -> Int {
      max(1, Int((Double(edge) / Double(long) * Double(nodes)).rounded()))
    }
    return PixelSize(width: count(picture.width), height: count(picture.height))
  }

  /// The largest and the smallest coverage.
  var range: ClosedRange<Double> {
    let (low, high) = (values.min() ?? 0, values.max() ?? 0)
    return Double(low) / 255...Double(high) / 255
  }

  /// Returns the coverage, 0…1, linear between nodes; outside, that of the nearest.
  func coverage(at x: Double, _ y: Double) -> Double {
    // NaN becomes the first node.
    let column = min(max(0, x), Double(size.width - 1))
    let row = min(max(0, y), Double(size.height - 1))
    let (left, top) = (Int(column), Int(row))
    let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
    let (u, v) = (column - Double(left), row - Double(top))
    func value(_ x: Int, _ y: Int) -> Double { Double(nodes[y * size.width + x]) }
    let above = value(left, top) + u * (value(right, top) - value(left, top))
    let below = value(left, bottom) + u * (value(right, bottom) - value(left, bottom))
    return (above + v * (below - above)) / 255
  }

  public static func == (a: MaskShape, b: MaskShape) -> Bool {
    a === b || (a.size == b.size && a.contentHash == b.contentHash && a.values.elementsEqual(b.values))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(size)
    hasher.combine(contentHash)
  }
}
