import FrameCore
import Libc

/// The light around every place of one picture, as fields need it: for local tone, at each node two lines that give,
/// for light of e EV there, the light around it with edges kept. For dehazing, halation and texture there are more.
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
  /// clarity. Empty without local tone.
  public let nodes: [Float]
  /// Nil without dehazing.
  package var haze: HazeGrid?
  /// Three planes, red, green and blue, of the light that scatters: `Scattering`. Empty without it.
  package var glow: [Float] = []
  /// The D of `FineTexture` on finer nodes; nil without it.
  package var detail: NodePlanes?
  /// The lines of `MaskGuide` on finer nodes, two planes for each: A and B.
  package var edges: [NodePlanes] = []

  package init(size: PixelSize, nodes: [Float]) {
    precondition(
      nodes.isEmpty || nodes.count == 4 * size.pixelCount, "a grid has four numbers for each node")
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

  /// As many for texture.
  package static let fineLongEdge = 1024

  /// The nodes of a picture: as many as it has pixels if it is small.
  package static func size(for picture: PixelSize, longEdge: Int = longEdge) -> PixelSize {
    let long = picture.longEdge
    guard long > longEdge else { return picture }
    func nodes(_ pixels: Int) -> Int { max(1, Int((Double(pixels * longEdge) / Double(long)).rounded())) }
    return PixelSize(width: nodes(picture.width), height: nodes(picture.height))
  }

  /// Returns the lines between the four nodes around a place; outside the grid the nearest ones count.
  func node(at place: (x: Double, y: Double)) -> SIMD4<Double> {
    let numbers = numbers(at: place, of: nodes)
    return SIMD4(numbers[0], numbers[1], numbers[2], numbers[3])
  }

  /// Returns what is interpolated between the nodes of some planes.
  func numbers(at place: (x: Double, y: Double), of planes: [Float]) -> [Double] {
    NodePlanes(size: size, nodes: planes).numbers(at: place)
  }

  /// Returns the light that scatters to a place: a cubic B-spline of the 4 × 4 nodes around it.
  func glow(at place: (x: Double, y: Double)) -> SIMD3<Double> {
    func axis(_ x: Double, _ count: Int) -> (nodes: [Int], weights: SIMD4<Double>) {
      let inside = min(max(x, 0), Double(count - 1))
      let first = Int(inside)
      return (
        (-1...2).map { min(max(first + $0, 0), count - 1) }, Scattering.spline(inside - Double(first))
      )
    }
    let (x, y) = (axis(place.x, size.width), axis(place.y, size.height))
    var sum = SIMD3<Double>.zero
    for row in 0..<4 {
      for column in 0..<4 {
        let node = y.nodes[row] * size.width + x.nodes[column]
        for channel in 0..<3 {
          sum[channel] +=
            y.weights[row] * x.weights[column] * Double(glow[channel * size.pixelCount + node])
        }
      }
    }
    return sum
  }
}

/// Numbers at the nodes of a grid, each a plane by rows.
package struct NodePlanes: Sendable, Hashable {
  package let size: PixelSize
  package let nodes: [Float]

  package init(size: PixelSize, nodes: [Float]) { (self.size, self.nodes) = (size, nodes) }

  /// Returns what is interpolated between the four nodes around a place; outside the grid the nearest ones count.
  func numbers(at place: (x: Double, y: Double)) -> [Double] {
    func axis(_ x: Double, _ count: Int) -> (Int, Int, part: Double) {
      let inside = min(max(x, 0), Double(count - 1))
      let first = min(Int(inside), max(count - 2, 0))
      return (first, min(first + 1, count - 1), inside - Double(first))
    }
    let (x, y) = (axis(place.x, size.width), axis(place.y, size.height))
    return stride(from: 0, to: nodes.count, by: size.pixelCount).map { plane in
      func row(_ y: Int) -> Double {
        let first = plane + y * size.width
        let (a, b) = (Double(nodes[first + x.0]), Double(nodes[first + x.1]))
        return a + x.part * (b - a)
      }
      let (top, bottom) = (row(y.0), row(y.1))
      return top + y.part * (bottom - top)
    }
  }
}
