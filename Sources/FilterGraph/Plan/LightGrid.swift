import FrameCore
import Libc

/// The light around every place of one picture, as local tone needs it: at each node two lines that give, for light of
/// e EV there, the light around it with edges kept.
///
/// A grid is made of the whole picture as it is stored, never of a crop, a tile or a preview's part, so all of these
/// agree. Light is measured as `LocalLight` does. For each node and each of both filters:
///
///     a = v / (v + ε),  b = (1 − a) · m                   m, v mean and variance of e in a window
///
/// averaged over the same window: the guided filter with the picture as its own guide. Where light varies much more
/// than √ε, as at edges, a is near 1 and every pixel keeps its own light; where it varies less, a is near 0, and pixels
/// share the light of their surroundings. Windows are squares of 2r + 1 nodes, cut at the picture's edges.
///
/// Source: He, Sun, Tang, "Guided image filtering", IEEE TPAMI 2013; small grids with the full picture as guide are
/// He, Sun, "Fast guided filter", 2015.
public struct LightGrid: Sendable, Hashable {
  public let size: PixelSize
  /// Four planes, each by rows: a and b of the wide filter, for highlights and shadows, then those of the close one, for
  /// clarity.
  public let nodes: [Float]

  package init(size: PixelSize, nodes: [Float]) {
    precondition(nodes.count == 4 * size.pixelCount, "a grid has four numbers for each node")
    (self.size, self.nodes) = (size, nodes)
  }

  /// One of both filters: its window, as a part of the picture's long edge, and ε in EV².
  package struct Filter: Sendable {
    package let radius, epsilon: Double

    package static let wide = Filter(radius: 0.032, epsilon: 0.06)
    package static let close = Filter(radius: 0.0173, epsilon: 0.04)

    /// The r of a window on a grid.
    package func nodes(on size: PixelSize) -> Int {
      max(1, Int((radius * Double(size.longEdge)).rounded()))
    }
  }

  /// The most nodes along an edge. Finer ones change the light by at most 0.03 EV.
  package static let longEdge = 256

  /// The nodes of a picture: as many as it has pixels if it is small.
  package static func size(for picture: PixelSize) -> PixelSize {
    let long = picture.longEdge
    guard long > longEdge else { return picture }
    func nodes(_ pixels: Int) -> Int { max(1, Int((Double(pixels * longEdge) / Double(long)).rounded())) }
    return PixelSize(width: nodes(picture.width), height: nodes(picture.height))
  }

  /// Returns what is interpolated between the four nodes around a place; outside the grid the nearest ones count.
  func node(at place: (x: Double, y: Double)) -> SIMD4<Double> {
    func axis(_ x: Double, _ count: Int) -> (Int, Int, part: Double) {
      let inside = min(max(x, 0), Double(count - 1))
      let first = min(Int(inside), max(count - 2, 0))
      return (first, min(first + 1, count - 1), inside - Double(first))
    }
    let (x, y) = (axis(place.x, size.width), axis(place.y, size.height))
    func node(_ x: Int, _ y: Int) -> SIMD4<Double> {
      let first = y * size.width + x
      let plane = size.pixelCount
      return SIMD4((0..<4).map { Double(nodes[$0 * plane + first]) })
    }
    func row(_ y: Int) -> SIMD4<Double> {
      let (a, b) = (node(x.0, y), node(x.1, y))
      return a + x.part * (b - a)
    }
    let (top, bottom) = (row(y.0), row(y.1))
    return top + y.part * (bottom - top)
  }
}
