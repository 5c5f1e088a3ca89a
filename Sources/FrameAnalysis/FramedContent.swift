import FrameCore

/// A proxy's luma without a frame drawn around the picture, such as letterbox bars or the white border of a print.
/// Their edges are straight and level, and say nothing about the world.
///
/// A frame is plain and equal on opposite sides: a white sky alone is not a frame. Keeps its memory from frame to
/// frame.
struct FramedContent: ~Copyable {
  /// Columns and rows inside the frame.
  private(set) var size = PixelSize(width: 0, height: 0)
  /// The position of the content in the proxy, in samples.
  private(set) var origin = SIMD2<Int>(0, 0)
  /// Rows without gaps; valid until the next update.
  private(set) var luma: UnsafePointer<Float>?

  private var copy = SampleBuffer<Float>(capacity: 1)

  /// Samples of a frame differ by less, even after strong compression: 3 8-bit code values.
  private static let tolerance: Float = 3.0 / 255
  /// Thinner frames cannot be distinguished from chance.
  private static let thinnest = 2

  mutating func update(from proxy: AnalysisProxy) {
    let whole = proxy.size
    luma = proxy.luma.baseAddress
    (size, origin) = (whole, SIMD2(0, 0))
    guard let source = luma, whole.width > 4 * Self.thinnest, whole.height > 4 * Self.thinnest else { return }
    let rows = Self.inner(count: whole.height) { y in
      Self.plain(source + y * whole.width, count: whole.width, step: 1)
    }
    let columns = Self.inner(count: whole.width) { x in
      Self.plain(source + rows.lowerBound * whole.width + x, count: rows.count, step: whole.width)
    }
    guard rows.count < whole.height || columns.count < whole.width else { return }
    size = PixelSize(width: columns.count, height: rows.count)
    origin = SIMD2(columns.lowerBound, rows.lowerBound)
    copy.reserve(size.pixelCount)
    for y in 0..<size.height {
      (copy.base + y * size.width).update(
        from: source + (rows.lowerBound + y) * whole.width + columns.lowerBound, count: size.width)
    }
    luma = UnsafePointer(copy.base)
  }

  /// The lines between plain lines of one level at both ends; all lines if there are none.
  private static func inner(count: Int, _ level: (Int) -> Float?) -> Range<Int> {
    func depth(_ line: (Int) -> Int) -> (depth: Int, level: Float)? {
      guard let first = level(line(0)) else { return nil }
      var depth = 1
      while depth < count / 2, let next = level(line(depth)), abs(next - first) < tolerance { depth += 1 }
      return depth >= thinnest && depth < count / 2 ? (depth, first) : nil
    }
    guard let head = depth({ $0 }), let tail = depth({ count - 1 - $0 }),
      abs(head.level - tail.level) < tolerance
    else { return 0..<count }
    // At the frame's edge, averages contain a little of it.
    return min(head.depth + 1, count / 2)..<max(count - tail.depth - 1, count / 2)
  }

  /// The level of a line of samples that are all alike; nil if they differ.
  private static func plain(_ first: UnsafePointer<Float>, count: Int, step: Int) -> Float? {
    var (low, high) = (first[0], first[0])
    for index in 1..<count {
      low = min(low, first[index * step])
      high = max(high, first[index * step])
      guard high - low < tolerance else { return nil }
    }
    return (low + high) / 2
  }
}
