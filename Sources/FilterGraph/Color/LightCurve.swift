import ColorScience
import Libc

/// A function of light from black to white as samples, between which it is a straight line.
///
///     x < 0       f(0) + below · x
///     0 ≤ x ≤ 1   samples at (i / (count - 1))², denser near black
///     x > 1       f(1) + above · (x - 1)
public struct LightCurve: Sendable, Hashable {
  /// From black to white.
  package let samples: [Float]
  /// The slopes beyond both ends, at least 0.
  package let below, above: Double

  /// The number of samples. Between two of them, of sRGB-encoded values, a curve that is four times as steep as the
  /// identity rises by less than half a level of 8 bits.
  package static let count = 2049
  /// The furthest from white that a curve reaches: 0 · ∞ is no number.
  private static let mostExcess = 1e30

  /// Samples a function of linear light.
  ///
  /// - Parameter above: the slope beyond white; nil goes on with that of the last samples.
  public init(above: Double? = nil, _ function: (Double) -> Double) {
    let last = Self.count - 1
    samples = Self.nodes.map { Float(function($0)) }
    below = Self.slope(samples, 0, Self.near)
    self.above = above ?? Self.slope(samples, last - Self.near, last)
  }

  /// - Parameter samples: `count` of them, at (i / (count - 1))².
  package init(samples: [Float], above: Double) {
    self.samples = samples
    below = Self.slope(samples, 0, Self.near)
    self.above = above
  }

  /// The samples' places in light, and those of the encoding of sRGB.
  package static let nodes = (0..<count).map { index -> Double in
    let root = Double(index) / Double(count - 1)
    return root * root
  }
  package static let encodedNodes = nodes.map(TransferFunction.sRGB.encode)

  /// The samples from an end by which its slope is told.
  private static let near = 32

  private static func slope(_ samples: [Float], _ a: Int, _ b: Int) -> Double {
    max(0, Double(samples[b] - samples[a]) / (nodes[b] - nodes[a]))
  }

  /// Samples a function of sRGB-encoded values, as photographers draw them.
  ///
  /// - Parameter above: the slope beyond white, of light; nil goes on with that of the last samples.
  public static func encoded(above: Double? = nil, _ function: (Double) -> Double) -> LightCurve {
    let last = count - 1
    let samples = encodedNodes.map { Float(TransferFunction.sRGB.decode(function($0))) }
    return LightCurve(samples: samples, above: above ?? slope(samples, last - near, last))
  }

  /// Returns the value for light `x`; NaN for NaN.
  public func evaluate(_ x: Double) -> Double {
    guard !x.isNaN else { return x }
    let last = samples.count - 1
    let index = min(max(x, 0), 1).squareRoot() * Double(last)
    let i = min(Int(index), last - 1)
    let (low, high) = (Double(samples[i]), Double(samples[i + 1]))
    let inside = low + (index - Double(i)) * (high - low)
    return inside + below * max(min(x, 0), -Self.mostExcess) + above * min(max(x - 1, 0), Self.mostExcess)
  }

  /// Whether all numbers are finite.
  var isFinite: Bool { samples.allSatisfy(\.isFinite) && below.isFinite && above.isFinite }
}

/// Curves of light, and what of a colour they act on.
public struct LightCurves: Sendable, Hashable {
  /// What the curves act on.
  public enum Mode: Sendable, Hashable {
    /// Each channel by itself, so that greys get a tint where the curves differ: red, green, blue.
    case channels(LightCurve, LightCurve, LightCurve)
    /// The largest and the smallest channel; the one between keeps its place between both, and so the colour its hue
    /// as HSV has it:
    ///
    ///     out = f(min) + (f(max) - f(min)) · (c - min) / (max - min)
    ///
    /// Source: the tone curve of the DNG SDK, `RefBaselineRGBTone`.
    case hueKeeping(LightCurve)
    /// Luminance Y; one gain for all channels keeps their ratios, and so the chromaticity:
    ///
    ///     out = f(0) + c · (f(Y) - f(0)) / Y
    case luminance(LightCurve)
  }

  public var mode: Mode
  /// What the plan says of it: `curve 0,0 0.25,0.2 1,1`.
  public var text: String

  public init(_ mode: Mode, text: String) { (self.mode, self.text) = (mode, text) }

  /// Below this luminance the gain is that of this luminance.
  package static let leastLuminance = 1e-4
  /// Luminance of linear Rec. 2020 (ITU-R BT.2020-2).
  package static let luminance = ColorSpace.linearRec2020.toXYZ.rows[1]

  /// Returns what linear RGB becomes.
  public func evaluate(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    switch mode {
    case .channels(let red, let green, let blue):
      return SIMD3(red.evaluate(rgb.x), green.evaluate(rgb.y), blue.evaluate(rgb.z))
    case .hueKeeping(let curve):
      let known = rgb.replacing(with: 0, where: rgb .!= rgb)
      let (low, high) = (known.min(), known.max())
      let (darkest, brightest) = (curve.evaluate(low), curve.evaluate(high))
      let scale = (brightest - darkest) / max(high - low, 1e-30)
      return (darkest + scale * (known - low)).replacing(with: rgb, where: rgb .!= rgb)
    case .luminance(let curve):
      let known = rgb.replacing(with: 0, where: rgb .!= rgb)
      let y = max((Self.luminance * known).sum(), Self.leastLuminance)
      let black = Double(curve.samples[0])
      return (black + (curve.evaluate(y) - black) / y * known).replacing(with: rgb, where: rgb .!= rgb)
    }
  }

  /// The curves of red, green and blue, or the one that there is.
  package var curves: [LightCurve] {
    switch mode {
    case .channels(let red, let green, let blue): [red, green, blue]
    case .hueKeeping(let curve), .luminance(let curve): [curve]
    }
  }
}
