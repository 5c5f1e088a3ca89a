import FrameCore
import Libc

/// The blocks in which a resample that is not affine is computed: squares of its result, from the top left corner on.
///
/// Within a block, places are cubics along both axes through 4 × 4 of them. Blocks depend on the resample alone, so that a
/// pixel is the same whatever part of the result it is computed with.
package struct GeometryBlocks: Sendable {
  package let geometry: Geometry
  /// The pixels along each side; at the right and at the bottom there may be fewer.
  package let size: Int
  /// The most by which places are wrong, in input pixels: proven for a projection, and with a lens twice the most that
  /// was found at places all over the result.
  package let error: Double

  package init(_ geometry: Geometry) {
    self.geometry = geometry
    let most = geometry.mostDownsampleFactors
    // Kernels are as wide all over a column of the block.
    let isWide = max(most.x, most.y) > 1
    func isEven(_ size: Int) -> Bool {
      !isWide || geometry.coverageChange(over: size, along: (0, 1)) <= Self.mostChange
    }
    var (size, error) = (Self.largest, Self.error(of: geometry, size: Self.largest))
    while size > 1, error > Self.mostError || !isEven(size) {
      size /= 2
      error = Self.error(of: geometry, size: size)
    }
    (self.size, self.error) = (size, error)
  }

  private static let largest = 64

  /// A fraction of what kernels round places to.
  private static let mostError = 1.0 / 4096
  private static let mostChange = 0.01

  /// Returns the pixels of the block that pixel (`x`, `y`) is in.
  package func block(x: Int, y: Int) -> Region {
    Self.block(x - x % size, y - y % size, size, geometry)
  }

  private static func block(_ left: Int, _ top: Int, _ size: Int, _ geometry: Geometry) -> Region {
    Region(
      columns: left..<min(left + size, geometry.outputSize.width),
      rows: top..<min(top + size, geometry.outputSize.height))
  }

  /// The places of 4 × 4 nodes, row by row, evenly spaced from one edge of the block to the other along each axis.
  package static func places(of block: Region, _ geometry: Geometry) -> [(x: Double, y: Double)] {
    (0..<16).map { geometry.place(node($0 % 4, block.columns), node($0 / 4, block.rows)) }
  }

  /// What pixels cover at the nodes' columns, in the block's middle row, in input pixels along its axes.
  package static func coverage(of block: Region, _ geometry: Geometry) -> [(x: Double, y: Double)] {
    let middle = Double(block.rows.lowerBound + block.rows.upperBound) / 2
    return (0..<4).map { geometry.tangent(atX: node($0, block.columns), y: middle).coverage }
  }

  private static func node(_ index: Int, _ range: Range<Int>) -> Double {
    Double(range.lowerBound) + Double(index * range.count) / 3
  }

  // MARK: Errors

  private static func error(of geometry: Geometry, size: Int) -> Double {
    geometry.lens == nil ? geometry.projectedError(size: size) : 2 * foundError(of: geometry, size: size)
  }

  /// The most by which cubics were found to be wrong, in blocks all over the result, where those through four values are
  /// furthest from what they follow.
  private static func foundError(of geometry: Geometry, size: Int) -> Double {
    let (w, h) = (geometry.outputSize.width, geometry.outputSize.height)
    let steps = 12
    var pixels = (0...steps * (steps + 2)).map { index in
      (x: (w - 1) * (index % (steps + 1)) / steps, y: (h - 1) * (index / (steps + 1)) / steps)
    }
    // Curves with odd terms bend most suddenly in the lens's centre.
    if let centre = geometry.lensCentre {
      for (right, down) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
        let (x, y) = (centre.x + Double(right * size), centre.y + Double(down * size))
        pixels.append((Int(min(max(x, 0), Double(w - 1))), Int(min(max(y, 0), Double(h - 1)))))
      }
    }
    var most = 0.0
    for (x, y) in pixels {
      let block = block(x - x % size, y - y % size, size, geometry)
      let nodes = places(of: block, geometry)
      for v in furthest {
        for u in furthest {
          let (across, down) = (nodeWeights(u), nodeWeights(v))
          var found = SIMD2<Double>.zero
          for (index, node) in nodes.enumerated() {
            found += across[index % 4] * down[index / 4] * SIMD2(node.x, node.y)
          }
          let place = geometry.place(
            Double(block.columns.lowerBound) + u / 3 * Double(block.columns.count),
            Double(block.rows.lowerBound) + v / 3 * Double(block.rows.count))
          most = max(most, hypot(found.x - place.x, found.y - place.y))
        }
      }
    }
    return most
  }

  private static let furthest = [0.38, 0.94, 1.5, 2.06, 2.62]

  /// Lagrange's polynomials at four nodes: what each weighs at `u`, which is 0 at the first one and 3 at the last.
  private static func nodeWeights(_ u: Double) -> SIMD4<Double> {
    SIMD4(
      (u - 1) * (u - 2) * (u - 3) / -6, u * (u - 2) * (u - 3) / 2, u * (u - 1) * (u - 3) / -2,
      u * (u - 1) * (u - 2) / 6)
  }
}

extension Geometry {
  /// The most by which cubics through 4 × 4 places of a block are from the places of a projection between them.
  ///
  /// Along a line, a projection's place has the derivatives f′·k, f′·k² … up to factorials, k being the part by which its
  /// depth changes from one pixel to the next; a cubic through four values h apart is at most h⁴ / 24 times the fourth
  /// derivative from them. What is wrong along one axis grows by at most 1.64 along the other.
  fileprivate func projectedError(size: Int) -> Double {
    guard let projection else { return 0 }
    let step = Double(size) / 3
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    let slopes = (
      abs(projection.g * map.a + projection.h * map.d), abs(projection.g * map.b + projection.h * map.e)
    )
    return [(0, 0), (w, 0), (0, h), (w, h)].reduce(0) { most, corner in
      let mapped = map.apply(corner.0, corner.1)
      let depth = abs(projection.depth(mapped.x, mapped.y))
      let tangent = tangent(atX: corner.0, y: corner.1)
      let (across, down) = (slopes.0 / depth, slopes.1 / depth)
      let error =
        across * across * across * hypot(tangent.a, tangent.d)
        + 1.64 * down * down * down * hypot(tangent.b, tangent.e)
      return max(most, error * step * step * step * step)
    }
  }
}
