import FrameCore
import Libc

/// Detail of the size of pores, leaves and weave, made stronger or weaker.
///
///     d     = e - (a · e + b)                              at each node: the guided filter, `LightGrid`
///     D     = d / √(1 + (d / 0.5)²) · S(-7, -4, e)
///     stops = 1.2 · amount · D, interpolated between nodes
///
/// The nodes are those of a grid of its own, four times finer than that of regions: e is the mean light of a node, 0.1 %
/// of the long edge, and the filter's window reaches 0.2 %. So it acts on the band between the two: the grain of single
/// pixels, finer than a node, is left to sharpening and to noise reduction, and what is larger to clarity. The filter
/// keeps edges, so they get no halos. In the darkest part, where there is more noise than detail, it fades.
///
/// A line pair in the grid of regions would be cheaper, but that grid's nodes are wider than the detail. A single number
/// for each node, rather than a line to be applied to each pixel's own light, is what leaves the finest grain alone.
public struct FineTexture: Sendable, Hashable {
  /// -1…1.
  public let amount: Double

  package static let filter = LightGrid.Filter(radius: 0.002, epsilon: 0.04)
  package static let limit = 0.5
  /// Between these it fades, in EV from middle grey.
  package static let dark = -7.0...(-4.0)
  private static let most = 1.2

  init(_ amount: Double) { self.amount = amount }

  /// EV for each of D.
  package var strength: Double { Self.most * amount }

  /// Returns D of a node of brightness `e` whose surroundings have `base`.
  package static func detail(_ e: Double, base: Double) -> Double {
    let d = e - base
    let part = d / limit
    return d / (1 + part * part).squareRoot()
      * ToneCurve.smoothStep(dark.lowerBound, dark.upperBound, e)
  }

  /// The most that is added to any light, in EV.
  var mostStops: Double { Self.most * abs(amount) * Self.limit }

  /// `texture 40`
  var text: String { "texture \(PlainNumber.text((amount * 1e4).rounded() / 100))" }
}
