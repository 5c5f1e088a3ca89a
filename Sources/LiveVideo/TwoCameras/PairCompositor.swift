import FrameCore

/// Puts the pictures of two cameras into one, row by row. Both are 8-bit RGBA in the same space.
struct PairCompositor {
  let size: PixelSize
  private let layout: PairLayout
  private let first: PixelSize
  private let second: PixelSize
  private let origin: (x: Int, y: Int)
  /// For each row of an inset within the radius of its corners, how much of each of the first pixels is covered,
  /// 0…256; the other rows are covered whole.
  private let corner: [[UInt16]]

  private static let background: UInt32 = 0xff18_1818

  init(_ layout: PairLayout, first: PixelSize, second: PixelSize) {
    self.layout = layout
    self.first = first
    self.second = second
    size = layout.size(first: first, second: second)
    origin = layout.origin(first: first, second: second)
    switch layout {
    case .sideBySide: corner = []
    case .inset:
      corner = Self.corner(radius: Double(min(second.width, second.height)) * PairLayout.radiusScale)
    }
  }

  /// The coverage of an upper left corner. The edge of the circle is one pixel wide, so that it does not look jagged.
  private static func corner(radius: Double) -> [[UInt16]] {
    let count = Int(radius.rounded(.up))
    return (0..<count).map { y in
      (0..<count).map { x in
        let (dx, dy) = (radius - Double(x) - 0.5, radius - Double(y) - 0.5)
        let inside = radius - (dx * dx + dy * dy).squareRoot() + 0.5
        return UInt16((256 * min(max(inside, 0), 1)).rounded())
      }
    }
  }

  /// - Parameter other: the second picture; nil leaves its place empty.
  func compose(_ picture: PixelBuffer, _ other: PixelBuffer?, into output: PixelBuffer) {
    if case .sideBySide = layout { clear(output, besides: other) }
    let bytes = 4 * first.width
    for y in 0..<first.height { Self.copy(picture.row(y), 0, to: output.row(y), 0, bytes) }
    guard let other else { return }
    for y in 0..<second.height { blend(other, y, into: output) }
  }

  private static func copy(
    _ source: UnsafeMutableBufferPointer<UInt8>, _ from: Int, to target: UnsafeMutableBufferPointer<UInt8>,
    _ to: Int, _ count: Int
  ) {
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[to..<to + count])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(source)[from..<from + count]))
  }

  /// Fills what no picture covers.
  private func clear(_ output: PixelBuffer, besides other: PixelBuffer?) {
    let isEven = other != nil && first.height == second.height && first.height == size.height
    let covered = isEven ? first.width + second.width : first.width
    for y in 0..<size.height {
      let row = output.row(y, as: UInt32.self)
      for x in covered..<size.width { row[x] = Self.background }
      if y >= first.height { for x in 0..<first.width { row[x] = Self.background } }
    }
  }

  private func blend(_ other: PixelBuffer, _ y: Int, into output: PixelBuffer) {
    let source = other.row(y, as: UInt8.self)
    let target = output.row(origin.y + y, as: UInt8.self)
    let fromEdge = min(y, second.height - 1 - y)
    let coverage = fromEdge < corner.count ? corner[fromEdge] : []
    let count = min(coverage.count, second.width / 2)
    Self.copy(
      source, 4 * count, to: target, 4 * (origin.x + count), 4 * (second.width - 2 * count))
    for index in 0..<count {
      let share = UInt32(coverage[index])
      for x in [index, second.width - 1 - index] {
        for channel in 0..<3 {
          let (a, b) = (UInt32(target[4 * (origin.x + x) + channel]), UInt32(source[4 * x + channel]))
          target[4 * (origin.x + x) + channel] = UInt8((a * (256 - share) + b * share + 128) >> 8)
        }
      }
    }
  }
}
