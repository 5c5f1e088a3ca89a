import ColorScience
import FrameCore
import Libc

/// Light that scatters about bright places: in the layers of film, red the furthest, or in a lens.
///
///     s    = c · l² / (l² + 0.8²),  l = Σ|c|³ / Σ c²       the bright light of a proxy, by a soft knee
///     glow = ½ · G(σ) ∗ s + ½ · G(2σ) ∗ s,  σ = 1.0, 0.7, 0.5 % of the diagonal for red, green and blue
///     out  = in + 0.5 · amount · glow
///
/// in linear RGB of the input's primaries. Each channel's weights sum to 1, so wide greys stay grey and only edges of
/// light take on colour. Between nodes glow is a cubic B-spline, which has no visible nodes; Gaussians are round, where
/// exponentials along both axes would draw crosses.
///
/// Sources: a knee, a few Gaussians and a sum in linear light are the bloom of Spencer, Shirley, Zimmerman, Greenberg,
/// "Physically-based glare effects for digital images", SIGGRAPH 1995; that red scatters furthest, because it gets
/// through all layers of film to its base: Hunt, "The reproduction of colour", 2004. The numbers are ours.
public struct Scattering: Sendable, Hashable {
  /// 0…1.
  public let amount: Double

  package static let knee = 0.8
  private static let most = 0.5
  /// The narrower σ of red, green and blue, as a part of the diagonal.
  private static let sigmas = SIMD3(0.01, 0.007, 0.005)

  init(_ amount: Double) { self.amount = amount }

  /// The part of the glow that is added.
  package var strength: Double { Self.most * amount }

  /// Returns the light that scatters of a colour.
  package static func scattered(_ color: SIMD3<Float>) -> SIMD3<Float> {
    let c = color.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1e6))
    let squares = (c * c).sum()
    guard squares > 1e-22 else { return .zero }
    let l = (c * c * c).sum() / squares
    let knee = Float(Self.knee)
    return c * (l * l / (l * l + knee * knee))
  }

  /// Returns the weights of both Gaussians of a channel on a grid: of the centre and of the nodes on one side.
  package static func windows(channel: Int, on size: PixelSize) -> [[Double]] {
    let diagonal = Double(size.width * size.width + size.height * size.height).squareRoot()
    return [1, 2].map { scale in
      // The spline between nodes blurs by a third of a node².
      let sigma = max(pow(scale * sigmas[channel] * diagonal, 2) - 1.0 / 3, 1e-4).squareRoot()
      let reach = max(1, Int((3 * sigma).rounded(.up)))
      let weights = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
      let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
      return weights.map { $0 / sum }
    }
  }

  /// The weights of four nodes of a cubic B-spline around a place `part` behind the second.
  package static func spline(_ part: Double) -> SIMD4<Double> {
    let t = part, u = 1 - part
    return SIMD4(u * u * u, 3 * t * t * (t - 2) + 4, 3 * u * u * (u - 2) + 4, t * t * t) / 6
  }

  /// `halation 40`
  var text: String { "halation \(PlainNumber.text((amount * 1e4).rounded() / 100))" }
}
