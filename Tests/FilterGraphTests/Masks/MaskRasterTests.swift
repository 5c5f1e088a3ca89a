import FrameCore
import Libc
import TestSupport
import Testing

@testable import FilterGraph

/// The coverage of strokes and polygons against areas that formulas give.
@Suite("Masks as coverage")
struct MaskRasterTests {
  static let picture = PixelSize(width: 600, height: 400)

  @Test("The grid has 1024 nodes along the long edge, or four for each pixel of a small picture")
  func grids() {
    #expect(MaskShape.size(for: Self.picture) == PixelSize(width: 1024, height: 683))
    #expect(MaskShape.size(for: PixelSize(width: 4000, height: 6000)) == PixelSize(width: 683, height: 1024))
    #expect(MaskShape.size(for: PixelSize(width: 1, height: 1)) == PixelSize(width: 4, height: 4))
    #expect(MaskShape.size(for: PixelSize(width: 65_535, height: 1)) == PixelSize(width: 1024, height: 1))
  }

  @Test("A polygon covers its area by the shoelace formula", arguments: 0..<10)
  func polygonArea(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    // Stars around the centre do not cross themselves.
    let points = (0..<3 + seed % 9).map { index -> MaskPoint in
      let angle = 2 * Double.pi * Double(index) / Double(3 + seed % 9)
      let radius = Double.random(in: 0.05...0.49, using: &random)
      return MaskPoint(0.5 + radius * cos(angle), 0.5 + radius * sin(angle))
    }
    let raster = MaskRaster(.polygon(points), for: Self.picture)
    let area = abs(shoelace(points, raster.size))
    #expect(abs(raster.area - area) < 1e-3 * area + 0.1)
    let reversed = MaskRaster(.polygon(points.reversed()), for: Self.picture)
    #expect(abs(reversed.area - raster.area) < 1e-4 * area)
  }

  @Test("Polygons beyond the picture cover what is in it")
  func clipped() {
    let half = MaskRaster(
      .polygon([MaskPoint(-3, -2), MaskPoint(0.5, -2), MaskPoint(0.5, 7), MaskPoint(-3, 7)]),
      for: Self.picture)
    #expect(abs(half.area - Double(half.size.pixelCount) / 2) < 1e-6 * half.area)
    // The line x + y = 1 from far outside.
    let triangle = MaskRaster(
      .polygon([MaskPoint(-4, -4), MaskPoint(5, -4), MaskPoint(-4, 5)]), for: Self.picture)
    #expect(abs(triangle.area - Double(triangle.size.pixelCount) / 2) < 1e-4 * triangle.area)
    let outside = MaskRaster(
      .polygon([MaskPoint(2, 0), MaskPoint(3, 0), MaskPoint(2, 1)]), for: Self.picture)
    #expect(outside.area == 0)
  }

  @Test("An outline that crosses itself covers all that it goes around")
  func crossing() {
    let bow = MaskRaster(
      .polygon([MaskPoint(0, 0), MaskPoint(1, 1), MaskPoint(1, 0), MaskPoint(0, 1)]), for: Self.picture)
    // Two triangles of a quarter each, one of which goes round the other way.
    #expect(abs(bow.area - Double(bow.size.pixelCount) / 2) < 2e-3 * bow.area)
    let star = MaskRaster(
      .polygon(
        (0..<5).map { index in
          let angle = 4 * Double.pi * Double(index) / 5
          return MaskPoint(0.5 + 0.4 * cos(angle), 0.5 + 0.4 * sin(angle))
        }), for: Self.picture)
    #expect(star.value(0.5, 0.5) == 1)
  }

  @Test("A dot of a hard brush covers π r²; a soft one fades from its hardness to its radius")
  func disc() {
    for radius in [0.01, 0.05, 0.2] {
      let dot = MaskRaster(
        .brush([BrushStroke([MaskPoint(0.5, 0.5)], radius: radius, hardness: 1)]), for: Self.picture)
      let nodes = radius * 1024
      #expect(abs(dot.area / (.pi * nodes * nodes) - 1) < 0.004, "\(radius)")
    }
    let soft = MaskRaster(
      .brush([BrushStroke([MaskPoint(0.5, 0.5)], radius: 0.2, hardness: 0.5, flow: 0.8)]), for: Self.picture)
    #expect(abs(soft.value(0.5, 0.5) - 0.8) < 1e-6)
    #expect(abs(soft.value(0.59, 0.5) - 0.8) < 1e-6)
    // Halfway from 0.1 to 0.2: half of the flow.
    #expect(abs(soft.value(0.65, 0.5) - 0.4) < 0.02)
    #expect(soft.value(0.71, 0.5) == 0)
  }

  @Test("A line covers a rectangle and the two halves of a disc")
  func capsule() {
    let line = MaskRaster(
      .brush([BrushStroke([MaskPoint(0.2, 0.3), MaskPoint(0.7, 0.6)], radius: 0.04, hardness: 1)]),
      for: Self.picture)
    let (x, y) = (0.5 * 1024, 0.3 * 683.0)
    let (length, radius) = ((x * x + y * y).squareRoot(), 0.04 * 1024)
    #expect(abs(line.area / (2 * radius * length + .pi * radius * radius) - 1) < 0.003)
  }

  @Test("Strokes add to each other and erase, in their order")
  func strokes() {
    let place = [MaskPoint(0.5, 0.5)]
    func value(_ strokes: [BrushStroke]) -> Float {
      MaskRaster(.brush(strokes), for: Self.picture).value(0.5, 0.5)
    }
    let half = BrushStroke(place, radius: 0.1, flow: 0.5)
    let erasing = BrushStroke(place, radius: 0.1, flow: 0.5, erases: true)
    #expect(value([half]) == 0.5)
    #expect(value([half, half]) == 0.75)
    #expect(value([half, erasing]) == 0.25)
    #expect(value([erasing, half]) == 0.5)
  }

  @Test("Each node has the coverage of its own distance to the stroke", arguments: 0..<24)
  func distances(seed: Int) {
    var random = SeededRandom(seed: UInt64(100 + seed))
    func unit() -> Double { .random(in: 0...1, using: &random) }
    let picture = PixelSize(width: 60 + 7 * seed, height: 90)
    // From a dot to more points than nodes, close to each other or far outside.
    let count = [1, 2, 3, 40, 900][seed % 5]
    let reach = seed % 3 == 0 ? 4.0 : 1.2
    let strokes = (0...seed % 3).map { index in
      BrushStroke(
        (0..<count).map { _ in MaskPoint(reach * (unit() - 0.5) + 0.5, reach * (unit() - 0.5) + 0.5) },
        radius: 0.002 + 0.2 * unit() * unit(), hardness: seed % 4 == 0 ? 1 : unit(), flow: 0.3 + 0.7 * unit(),
        erases: index == 1)
    }
    let raster = MaskRaster(.brush(strokes), for: picture)
    let (width, height) = (Double(raster.size.width), Double(raster.size.height))
    var worst = 0.0
    for _ in 0..<2000 {
      let (x, y) = (Int(unit() * width), Int(unit() * height))
      var value = 0.0
      for stroke in strokes {
        let places = stroke.points.map { SIMD2($0.x * width, $0.y * height) }
        let node = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        let nearest =
          zip(places, places.count == 1 ? places : Array(places.dropFirst())).map { a, b -> Double in
            let (line, offset) = (b - a, node - a)
            let squared = (line * line).sum()
            let along = squared > 0 ? min(max((line * offset).sum() / squared, 0), 1) : 0
            let away = offset - along * line
            return (away * away).sum().squareRoot()
          }.min() ?? .infinity
        let radius = stroke.radius * max(width, height)
        let isEdge = radius * (1 - stroke.hardness) < 1
        let (inner, outer) = isEdge ? (radius - 0.5, radius + 0.5) : (radius * stroke.hardness, radius)
        let u = min(max((nearest - inner) / (outer - inner), 0), 1)
        let strength = stroke.flow * (1 - u * u * (3 - 2 * u))
        value = stroke.erases ? value * (1 - strength) : 1 - (1 - value) * (1 - strength)
      }
      worst = max(worst, abs(value - Double(raster.values[y * raster.size.width + x])))
    }
    #expect(worst < 1e-5)
  }

  @Test("A feather keeps the area and half the value on a straight edge")
  func feather() {
    let square = Mask.polygon([
      MaskPoint(0.3, 0.3), MaskPoint(0.7, 0.3), MaskPoint(0.7, 0.7), MaskPoint(0.3, 0.7),
    ])
    let hard = MaskRaster(square, for: Self.picture)
    let soft = MaskRaster(.feather(square, radius: 0.03), for: Self.picture)
    #expect(abs(soft.area / hard.area - 1) < 0.002)
    #expect(abs(soft.value(0.3, 0.5) - 0.5) < 0.03)
    // σ is half the radius: 2 σ inside, 97.7 % of a Gaussian's edge.
    #expect(abs(soft.value(0.33, 0.5) - 0.977) < 0.015)
    #expect(soft.value(0.5, 0.5) > 0.999 && soft.value(0.2, 0.5) < 1e-4)
    let far = MaskRaster(.feather(square, radius: 1), for: Self.picture)
    #expect(far.values.allSatisfy { (0...1).contains($0) })
  }

  @Test("Strokes of very many points are drawn in bounded time, near the same place")
  func manyPoints() {
    var random = SeededRandom(seed: 1)
    let points = (0..<50_000).map { _ in
      MaskPoint(Double.random(in: 0.2...0.4, using: &random), Double.random(in: 0.2...0.4, using: &random))
    }
    let raster = MaskRaster(
      .brush([BrushStroke(points, radius: 0.1, hardness: 1)]), for: Self.picture)
    #expect(raster.value(0.3, 0.3) == 1)
    #expect(raster.value(0.6, 0.3) == 0)
    let edges = MaskRaster(.polygon(points), for: Self.picture)
    #expect(edges.value(0.6, 0.3) < 1e-9)
  }
}
