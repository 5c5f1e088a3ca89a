import ColorScience
import FrameCore
import Libc

/// Unsharp masking on luma of encoded samples: the last stage of a plan, after every resample.
///
///     Y  = clip(luma · R'G'B', 0, 1)                    the output's encoding; NaN counts as 0
///     d  = Y − G(Y, σ)
///     e  = √max(0, G(Y², σ) − G(Y, σ)²)                 how much Y varies about the pixel: the strength of an edge
///     f  = amount · d / (1 + (|d| / limit)³) · S(begin, end, e),  times 0.57 if d < 0
///     out = R'G'B' + Σ f
///
/// G is a Gaussian window of the pixels within 3σ, weighted by their alpha; pixels outside the picture equal its
/// nearest pixel. S(a, b, e) = 3w² − 2w³, w = clip((e − a) / (b − a), 0, 1), and 1 without masking. All three
/// channels get the same difference, so edges take on no colour. |f| is at most 0.53 · amount · limit: however hard an
/// edge is, its halo stays within that, and dark halos, which are seen sooner than bright ones, within 0.57 of it.
///
/// Sources: unsharp masking: Schreiber, "Wirephoto quality improvement by unsharp masking", Pattern Recognition 2(2),
/// 1970; limits of its overshoot: Polesel, Ramponi, Mathews, "Image enhancement via adaptive unsharp masking", IEEE
/// Transactions on Image Processing 9(3), 2000. The limiting curve and its numbers are ours.
public struct Sharpening: Sendable, Hashable {
  /// All look at the same picture, and their differences are added.
  public let masks: [UnsharpMask]
  /// The luma weights of red, green and blue: the luminances of the output's primaries; they sum to 1.
  public let luma: SIMD3<Double>

  init(_ masks: [UnsharpMask], space: ColorSpace) {
    self.masks = masks
    let row = space.toXYZ.rows[1]
    luma = row / row.sum()
  }

  /// The columns and rows on each side of a pixel on which it depends.
  public var halo: Int { masks.map(\.reach).max() ?? 0 }

  /// The luma of R'G'B' samples, 0…1.
  public func luma(of rgb: SIMD3<Double>) -> Double {
    let sum = (luma * rgb).sum()
    return sum.isNaN ? 0 : min(max(sum, 0), 1)
  }

  var isFinite: Bool {
    masks.allSatisfy(\.isFinite) && (0..<3).allSatisfy { luma[$0].isFinite }
  }

  /// `unsharp σ 1.00 · amount 40 · limit 0.060`
  var text: String { masks.map(\.text).joined(separator: " and ") }
}

/// One Gaussian of a `Sharpening`.
public struct UnsharpMask: Sendable, Hashable {
  /// The standard deviation, in pixels of the result.
  public let sigma: Double
  /// 0…1.5: how much of the difference is added.
  public let amount: Double
  /// About the difference beyond which less is added, not more; 1 is full scale.
  public let limit: Double
  /// 0…1: how much flat parts are spared.
  public let masking: Double

  /// Below this σ nearly all of a window is its centre, and nothing would change.
  static let leastSigma = 0.3
  /// Tiles have room for halos of three times as much.
  static let mostSigma = 6.0
  /// Dark halos are this part of bright ones.
  public static let darkPart = 0.57

  init(sigma: Double, amount: Double, limit: Double, masking: Double) {
    (self.sigma, self.amount, self.limit, self.masking) = (sigma, amount, limit, masking)
  }

  /// The pixels on each side in the window.
  public var reach: Int { Int((3 * sigma).rounded(.up)) }

  /// The weights of the centre and of the pixels at distances 1…`reach`; with those of the other side they sum to 1.
  public var weights: [Double] {
    let weights = (0...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights[0] + 2 * weights.dropFirst().reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// The strengths of edges between which masking fades; nil without masking.
  public var edges: (begin: Double, end: Double)? {
    masking > 0 ? (0.02 * masking, 0.08 * masking) : nil
  }

  /// Returns what is added to each channel of a pixel of luma `y`.
  ///
  /// - Parameters:
  ///   - blurred: G(Y).
  ///   - squares: G(Y²).
  public func added(_ y: Double, blurred: Double, squares: Double) -> Double {
    let d = y - blurred
    let t = abs(d) / limit
    let limited = amount * d / (1 + t * t * t) * (d < 0 ? Self.darkPart : 1)
    guard let edges else { return limited }
    return limited
      * ToneCurve.smoothStep(edges.begin, edges.end, max(0, squares - blurred * blurred).squareRoot())
  }

  var isFinite: Bool {
    [sigma, amount, limit, masking].allSatisfy(\.isFinite) && sigma > 0 && limit > 0
  }

  fileprivate var text: String {
    "unsharp σ \(PlainNumber.fixed(sigma, 2)) · amount \(PlainNumber.fixed(amount * 100, 0)) · limit "
      + PlainNumber.fixed(limit, 3)
      + (masking > 0 ? " · masking \(PlainNumber.fixed(masking * 100, 0))" : "")
  }
}

/// What a picture is sharpened for, once it has its final size.
public enum OutputSharpening: Sendable, Hashable {
  /// Seen pixel by pixel.
  case screen
  /// Inkjet dots and paper blur more than screens.
  case print

  /// In pixels of the result, whatever the size of the original.
  fileprivate var mask: UnsharpMask {
    switch self {
    case .screen: UnsharpMask(sigma: 0.6, amount: 0.5, limit: 0.06, masking: 0)
    case .print: UnsharpMask(sigma: 1.1, amount: 0.8, limit: 0.08, masking: 0)
    }
  }
}

/// The sharpening that filters ask for, whose radius is known only with the size of the result.
struct SharpeningRequests {
  private struct Detail {
    /// σ in pixels of the original.
    let radius: Double
    let amount, detail, masking: Double
    /// Whether people are told where nothing is seen of it.
    let isAskedFor: Bool
  }
  private var details: [Detail] = []
  private var outputs: [OutputSharpening] = []

  var isEmpty: Bool { details.isEmpty && outputs.isEmpty }

  mutating func add(
    amount: Double, radius: Double, detail: Double, masking: Double, isAskedFor: Bool = true
  ) {
    details.append(
      Detail(radius: radius, amount: amount, detail: detail, masking: masking, isAskedFor: isAskedFor))
  }

  mutating func add(_ output: OutputSharpening) { outputs.append(output) }

  /// Returns the sharpening of a picture in `space`; nil if nothing would be seen of it.
  ///
  /// - Parameter scale: pixels of the result for each pixel of the original, along an axis.
  func sharpening(scale: Double, space: ColorSpace, notes: inout [String]) -> Sharpening? {
    var masks: [UnsharpMask] = []
    for detail in details {
      let sigma = detail.radius * scale
      let text = PlainNumber.fixed(detail.radius, 2)
      guard sigma >= UnsharpMask.leastSigma else {
        guard detail.isAskedFor else { continue }
        notes.append(
          "Sharpening of radius \(text) is \(PlainNumber.fixed(sigma, 2)) pixels at this size, too fine to be seen, "
            + "and is left out")
        continue
      }
      if sigma > UnsharpMask.mostSigma, detail.isAskedFor {
        notes.append(
          "Sharpening of radius \(text) would be \(PlainNumber.fixed(sigma, 1)) pixels at this size, and is narrowed "
            + "to \(PlainNumber.fixed(UnsharpMask.mostSigma, 0))")
      }
      masks.append(
        UnsharpMask(
          sigma: min(sigma, UnsharpMask.mostSigma), amount: detail.amount,
          limit: 0.02 + 0.16 * detail.detail, masking: detail.masking))
    }
    masks += outputs.map(\.mask)
    return masks.isEmpty ? nil : Sharpening(masks, space: space)
  }
}
