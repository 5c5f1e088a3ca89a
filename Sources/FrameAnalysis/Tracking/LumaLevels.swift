import AnalysisKernels
import FrameCore

/// A proxy's luma at 1/2, 1/4, 1/8 and 1/16 of its size, in memory that is kept from frame to frame.
struct LumaLevels: ~Copyable {
  /// A level with the samples at its edges repeated around it, so that windows may reach beyond them.
  struct Level {
    /// The first sample of the first row.
    let base: UnsafePointer<Float>
    let size: PixelSize
    /// From a row to the next, in samples.
    let stride: Int
  }

  static let most = 4
  /// How far samples reach beyond a level's edges.
  static let border = 8
  /// The number of levels; 0 before the first update.
  private(set) var count = 0
  private var sizes = [PixelSize](repeating: PixelSize(width: 0, height: 0), count: most)
  private var offsets = [Int](repeating: 0, count: most)
  private var samples = SampleBuffer<Float>(capacity: 336 * 336 * 3 / 2)
  private var halved = SampleBuffer<Float>(capacity: 320 * 320 * 3 / 2)

  /// A level has at least this many rows and columns.
  private static let smallest = 24

  mutating func update(from luma: UnsafePointer<Float>?, size: PixelSize) {
    count = 0
    guard let luma else { return }
    var (source, from) = (luma, size)
    var (total, plain) = (0, 0)
    samples.reserve(2 * (size.width / 2 + 2 * Self.border) * (size.height / 2 + 2 * Self.border))
    halved.reserve(size.pixelCount)
    while count < Self.most {
      let next = PixelSize(width: from.width / 2, height: from.height / 2)
      guard min(next.width, next.height) >= Self.smallest else { return }
      sla_halve(source, Int32(from.width), Int32(from.height), halved.base + plain)
      (source, from) = (UnsafePointer(halved.base + plain), next)
      plain += next.pixelCount
      let stride = next.width + 2 * Self.border
      (sizes[count], offsets[count]) = (next, total + Self.border * stride + Self.border)
      pad(source, next, into: samples.base + total, stride: stride)
      total += stride * (next.height + 2 * Self.border)
      count += 1
    }
  }

  private func pad(
    _ plane: UnsafePointer<Float>, _ size: PixelSize, into out: UnsafeMutablePointer<Float>, stride: Int
  ) {
    for y in 0..<size.height + 2 * Self.border {
      let row = plane + min(max(y - Self.border, 0), size.height - 1) * size.width
      let target = out + y * stride
      target.update(repeating: row[0], count: Self.border)
      (target + Self.border).update(from: row, count: size.width)
      (target + Self.border + size.width).update(repeating: row[size.width - 1], count: Self.border)
    }
  }

  /// Level 0 has half the proxy's columns and rows.
  subscript(level: Int) -> Level {
    Level(
      base: UnsafePointer(samples.base + offsets[level]), size: sizes[level],
      stride: sizes[level].width + 2 * Self.border)
  }
}
