import ColorScience
import FrameCore
import Libc

/// Haze taken out of a picture, or put into it.
///
///     m = min over channels of I / A,  clipped to 0…1       how much of a colour may be haze
///     v = clip(a · m + b, 0, m)                             how much of it is: `HazeGrid`
///     t = max(1 - 0.95 · amount · found · v, 0.3)           the part of the light that came through
///     J = (I - A) / t + A                                   if amount > 0
///     J = (I - A) · t' + A,  t' = 1 + amount · lit · (0.2 + 0.5 · v)      if amount < 0
///
/// I is linear RGB of the input's primaries; A is the ambient light of the whole picture, the colour of its haze, and
/// `found` says whether it has any, `lit` whether there is light at all: `AmbientLight`. v is never more than m, so no
/// channel of J is negative. Of a grey picture A is grey, and greys stay so.
///
/// The limit of t keeps the noise of what shines faintly through, and the banding of skies, below 3.4 times theirs.
///
/// Sources: He, Sun, Tang, "Single image haze removal using dark channel prior", IEEE TPAMI 2011; the bound v ≤ m:
/// Tarel, Hautière, "Fast visibility restoration from a single color or gray level image", ICCV 2009.
public struct Dehazing: Sendable, Hashable {
  /// -1…1; negative adds haze.
  public let amount: Double

  /// The least light that is taken to come through.
  package static let leastTransmission = 0.3
  private static let most = 0.95

  init(_ amount: Double) { self.amount = amount }

  package var removes: Bool { amount > 0 }

  /// The share of v, and what does not depend on v, in 1 - t where haze was found.
  package var share: Double { removes ? Self.most * amount : -0.5 * amount }
  package var base: Double { removes ? 0 : -0.2 * amount }

  /// Returns the factor f of J = f · I + (1 - f) · A.
  ///
  /// - Parameters:
  ///   - kept: the colour that haze is taken out of, if not `channels` itself; it is not veiled by more than it has.
  ///   - line: a and b at the pixel.
  func factor(
    _ channels: SIMD3<Double>, keeping kept: SIMD3<Double>, line: SIMD2<Double>, _ ambient: AmbientLight
  ) -> Double {
    let m = ambient.veilLimit(channels)
    let v = min(max(line.x * m + line.y, 0), removes ? min(m, ambient.veilLimit(kept)) : m)
    let part = removes ? ambient.found : ambient.lit
    let t = max(1 - part * (share * v + base), Self.leastTransmission)
    return removes ? 1 / t : t
  }

  /// The largest factor of any light.
  var largestGain: Double {
    removes ? min(1 / (1 - Self.most * amount), 1 / Self.leastTransmission) : 1
  }

  /// `dehaze 40`
  var text: String { "dehaze \(PlainNumber.text((amount * 1e4).rounded() / 100))" }
}

/// The light that haze scatters into a picture, as measured of the whole picture.
///
/// Plans do not contain it: it comes with the grids of each picture, so live frames need no new plan for it.
public struct AmbientLight: Sendable, Hashable {
  /// Linear RGB of the input's primaries.
  public var color: SIMD3<Double>
  /// 0…1: whether there is haze to remove; 0 abstains.
  public var found: Double
  /// 0…1: whether there is light to make haze of.
  public var lit: Double

  /// No light.
  public static let none = AmbientLight(color: .zero, found: 0, lit: 0)

  package init(color: SIMD3<Double>, found: Double, lit: Double) {
    (self.color, self.found, self.lit) = (color, found, lit)
  }

  /// Ambient light below this is none: its ratios would be those of noise.
  package static let least = 0.01

  /// 1 / A, of channels that have light.
  package var inverse: SIMD3<Double> {
    1 / pointwiseMax(color, SIMD3(repeating: Self.least / 4))
  }

  /// The most of a colour that may be haze: m, 0…1; NaN is no light.
  package func veilLimit(_ channels: SIMD3<Double>) -> Double {
    let parts = channels * inverse
    let known = parts.replacing(with: 0.0, where: parts .!= parts)
    return min(max(known.min(), 0), 1)
  }
}

/// The haze at every place of one picture: at each node a line that gives v for m.
///
/// It is the guided filter of the dark channel, the least m of a patch around each node, with m as its guide: haze
/// changes with the distance of what is seen, so it has the picture's edges but not its texture.
package struct HazeGrid: Sendable, Hashable {
  /// Two planes, each by rows: a and b.
  package var nodes: [Float]
  package var ambient: AmbientLight

  package init(nodes: [Float], ambient: AmbientLight) { (self.nodes, self.ambient) = (nodes, ambient) }

  /// The half sides of the patch and of the filter's window, as parts of the picture's long edge.
  package static let patch = LightGrid.Filter(radius: 0.012, epsilon: 0)
  package static let filter = LightGrid.Filter(radius: 0.04, epsilon: 0.001)
}
