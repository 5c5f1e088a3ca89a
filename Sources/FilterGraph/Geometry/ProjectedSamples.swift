import FrameCore
import Libc

// Which samples a part of the result of a projection or a lens correction depends on. Kernels are wider where it makes the
// picture smaller.
extension Geometry {
  /// The samples on each side of a place, along both axes, that a pixel may be made of.
  var projectedHalo: (x: Int, y: Int) {
    let most = mostDownsampleFactors
    func reach(_ factor: Double) -> Int {
      // One more, for places and factors that renderers round.
      Int((Double(interpolation.taps / 2) * min(max(factor, 1), Self.mostCoverage)).rounded(.up)) + 1
    }
    let (x, y) = (reach(most.x), reach(most.y))
    // In two passes the kernel is sheared along one of them.
    func sheared(_ lines: Int) -> Int { Int((Double(lines) * SamplingOrder.steepest).rounded(.up)) }
    return switch order {
    case .direct: (x, y)
    case .rowsFirst: (x + sheared(y), y)
    case .columnsFirst: (x, y + sheared(x))
    }
  }

  /// The most input pixels that an output pixel is made of along an axis; more are not all looked at. Ten to one,
  /// beside the middle of a picture, is closer to the horizon than anything there can be made out.
  package static let mostCoverage = 10.0

  /// Returns the samples on which a part of the result depends; they may lie outside the picture.
  func projectedSamples(of region: Region) -> Region {
    let (left, right) = (Double(region.columns.lowerBound) + 0.5, Double(region.columns.upperBound) - 0.5)
    let (top, bottom) = (Double(region.rows.lowerBound) + 0.5, Double(region.rows.upperBound) - 0.5)
    let bounds = bounds(left: left, top: top, right: right, bottom: bottom)
    let halo = projectedHalo
    func span(_ low: Double, _ high: Double, _ reach: Int) -> Range<Int> {
      Int((low - 0.5).rounded(.down)) - reach..<Int((high - 0.5).rounded(.up)) + reach + 1
    }
    return Region(
      columns: span(bounds.minX, bounds.maxX, halo.x), rows: span(bounds.minY, bounds.maxY, halo.y))
  }
}
