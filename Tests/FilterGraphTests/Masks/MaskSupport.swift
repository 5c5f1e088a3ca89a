import FrameCore
import TestSupport

@testable import FilterGraph

extension Mask {
  /// A valid mask of any kind.
  static func random(using random: inout SeededRandom, depth: Int) -> Mask {
    func unit() -> Double { Double.random(in: 0...1, using: &random) }
    func place() -> MaskPoint {
      MaskPoint(Double.random(in: -2...3, using: &random), Double.random(in: -2...3, using: &random))
    }
    func list() -> [Mask] {
      (0...Int(random.next() % 2)).map { _ in Mask.random(using: &random, depth: depth - 1) }
    }
    switch random.next() % (depth > 1 ? 11 : 6) {
    case 0: return .linear(from: place(), to: place())
    case 1:
      return .radial(
        center: place(), radiusX: 0.01 + unit(), radiusY: 0.01 + unit(), angle: 360 * unit() - 180,
        feather: unit())
    case 2:
      let from = unit()
      return .luminance(from: from, to: from + (1 - from) * unit(), softness: unit())
    case 3:
      return .color(
        MaskColor(red: .random(in: 0...255, using: &random), green: 7, blue: 200), range: unit(),
        softness: unit())
    case 4:
      return .brush(
        (0...Int(random.next() % 2)).map { index in
          BrushStroke(
            [place(), place()], radius: 0.01 + unit() / 2, hardness: unit(), flow: unit(), erases: index == 1)
        })
    case 5: return .polygon([place(), place(), place(), place()])
    case 6: return .add(list())
    case 7: return .intersect(list())
    case 8: return .subtract(.random(using: &random, depth: depth - 1), list())
    case 9: return .invert(.random(using: &random, depth: depth - 1))
    default:
      return .feather(
        .polygon([place(), place(), place()]), radius: unit(), edges: Bool.random(using: &random))
    }
  }
}

extension MaskRaster {
  /// The covered part of the grid, in nodes.
  var area: Double { values.reduce(0) { $0 + Double($1) } }

  /// That at the node under a place.
  func value(_ x: Double, _ y: Double) -> Float {
    values[Int(y * Double(size.height)) * size.width + Int(x * Double(size.width))]
  }
}

/// Twice the signed area that corners enclose: the shoelace formula.
func shoelace(_ points: [MaskPoint], _ size: PixelSize) -> Double {
  let places = points.map { ($0.x * Double(size.width), $0.y * Double(size.height)) }
  return places.indices.reduce(0) { sum, index in
    let (a, b) = (places[index], places[(index + 1) % places.count])
    return sum + (a.0 * b.1 - b.0 * a.1) / 2
  }
}
