import FrameCore
import Libc

/// The blocks in which a resample that is not affine is computed: squares of its result, from the top left corner on.
///
/// Within a block, places are cubics along both axes through 4 × 4 of them, and the kernel's order is the same. Blocks
/// depend on the resample alone, so that a pixel is the same whatever part of the result it is computed with.
package struct GeometryBlocks: Sendable {
  package let geometry: Geometry
  /// The pixels along each side; at the right and at the bottom there may be fewer.
  package let size: Int
  /// The most by which places are wrong, in input pixels.
  package let error: Double

  package init(_ geometry: Geometry) {
    self.geometry = geometry
    size =
      [64, 32, 16, 8].first {
        geometry.blockError(size: $0) <= Self.mostError && geometry.coverageChange(overRows: $0) <= 0.01
      } ?? 4
    error = geometry.blockError(size: size)
  }

  /// A fraction of what kernels round places to.
  private static let mostError = 1.0 / 4096

  /// Returns the pixels of the block that pixel (`x`, `y`) is in.
  package func block(x: Int, y: Int) -> Region {
    let (left, top) = (x - x % size, y - y % size)
    return Region(
      columns: left..<min(left + size, geometry.outputSize.width),
      rows: top..<min(top + size, geometry.outputSize.height))
  }

  /// Returns the order in which the samples around the places of a block are weighted: in two passes, if that shears the
  /// kernel only slightly.
  package func order(of block: Region) -> SamplingOrder {
    let tangent = geometry.tangent(
      atX: Double(block.columns.lowerBound + block.columns.upperBound) / 2,
      y: Double(block.rows.lowerBound + block.rows.upperBound) / 2)
    return tangent.orderInTwoPasses
  }

  /// Returns the places of `nodes` × `nodes` pixels of a block, row by row, evenly spaced from its first pixel to its last.
  package func places(of block: Region, nodes: Int) -> [(x: Double, y: Double)] {
    (0..<nodes).flatMap { row in
      (0..<nodes).map { column in
        let place = Self.node(column, row, of: nodes, block)
        return geometry.place(place.x, place.y)
      }
    }
  }

  /// Returns what pixels of a block cover, in input pixels along its axes, at `nodes` columns of the block's middle row.
  package func coverage(of block: Region, nodes: Int) -> [(x: Double, y: Double)] {
    let middle = Double(block.rows.lowerBound + block.rows.upperBound) / 2
    return (0..<nodes).map {
      geometry.tangent(atX: Self.node($0, 0, of: nodes, block).x, y: middle).coverage
    }
  }

  private static func node(
    _ column: Int, _ row: Int, of nodes: Int, _ block: Region
  ) -> (x: Double, y: Double) {
    func at(_ range: Range<Int>, _ index: Int) -> Double {
      Double(range.lowerBound) + 0.5 + Double(index * (range.count - 1)) / Double(nodes - 1)
    }
    return (at(block.columns, column), at(block.rows, row))
  }
}

extension Geometry {
  /// The most by which cubics through 4 × 4 places of a block are from the places between them.
  ///
  /// Along a line, a projection's place has the derivatives f′·k, f′·k² … up to factorials, k being the part by which its
  /// depth changes from one pixel to the next; a cubic through four values h apart is at most h⁴ / 24 times the fourth
  /// derivative from them. What is wrong along one axis grows by at most 1.64 along the other.
  fileprivate func blockError(size: Int) -> Double {
    guard let projection else { return 0 }
    let step = Double(size - 1) / 3
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

  /// The largest part by which coverage changes from the middle row of a block to its first and last ones; 0 where no
  /// pixel covers more than one.
  fileprivate func coverageChange(overRows count: Int) -> Double {
    guard let projection else { return 0 }
    let most = mostDownsampleFactors
    guard max(most.x, most.y) > 1 else { return 0 }
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    let depths = [(0, 0), (w, 0), (0, h), (w, h)].map { corner in
      let mapped = map.apply(corner.0, corner.1)
      return abs(projection.depth(mapped.x, mapped.y))
    }
    return abs(projection.g * map.b + projection.h * map.e) * Double(count) / (depths.min() ?? 1)
  }
}
