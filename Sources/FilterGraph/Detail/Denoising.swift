import FrameCore
import Libc

/// Noise reduction of R'G'B' samples at the source's own resolution, ahead of everything else.
///
/// 1. `NoiseStabilizer` gives the noise the same deviation, 1, at every brightness.
/// 2. An orthonormal matrix separates luma, (r + g + b) / √3, from two differences of colour, (r - b) / √2 and
///    (r - 2g + b) / √6.
/// 3. Blocks of 8 × 8 samples on all even columns and, of luma, on all even rows, of colour on every fourth row, are
///    transformed by an orthonormal DCT; coefficients up to some deviations are multiplied by 0, those above by 1, and
///    within 5 % of this threshold by gains that rise from 0 to 1, so that no rounding is seen; the blocks are transformed
///    back, and each sample is the mean of the 16 or 8 blocks over it, weighted by one over the sum of the squares of
///    their gains.
/// 4. Once more, now with coefficients times g² / (g² + v), v being about the variance of the noise and g the coefficients
///    of the result of step 3; the weight is one over the sum of the squares of these gains. The mean of a block is always
///    kept.
/// 5. The result is mixed with the samples by the strength, and steps 2 and 1 are undone.
///
/// Sources: Yu and Sapiro, "DCT image denoising" (Image Processing On Line 1, 2011), for 3; Pierazzo, Morel and
/// Facciolo, "Multi-scale DCT denoising" (Image Processing On Line 7, 2017), for 4. A picture goes on beyond its edges
/// as if mirrored there. A sample that is NaN or outside -1…2 is kept, and counts as 0 or the nearest bound.
public struct Denoising: Sendable, Hashable {
  /// The part of the noise in luma that is removed, 0…1.
  public var luminance: Double
  /// 0…1: at 0 patterns must be twice as strong as usual to be kept, at 1 half as strong.
  public var luminanceDetail: Double
  /// The part of the noise in colour that is removed, 0…1.
  public var color: Double
  /// As `luminanceDetail`, for colour.
  public var colorDetail: Double
  public var noise: NoiseLevel

  public init(
    luminance: Double, luminanceDetail: Double = 0.5, color: Double, colorDetail: Double = 0.5,
    noise: NoiseLevel
  ) {
    self.luminance = luminance
    self.luminanceDetail = luminanceDetail
    self.color = color
    self.colorDetail = colorDetail
    self.noise = noise
  }

  /// How a plane of samples is treated. The numbers are those with the best results on photos with known noise:
  /// differences of colour have less detail than luma.
  package struct Treatment: Sendable {
    /// The rows from one block to the next.
    package let rowStep: Int
    /// Coefficients up to this many deviations are likely noise.
    package let threshold: Double
    /// The part of the threshold, below and above it, in which gains rise from 0 to 1.
    package static let ramp = 0.05
    /// √v of the second pass, in deviations.
    package let weakening: Double
  }
  /// Of luma and of the two differences.
  package static let treatments = [
    Treatment(rowStep: 2, threshold: 2.6, weakening: 0.95),
    Treatment(rowStep: 4, threshold: 3.1, weakening: 1.1),
    Treatment(rowStep: 4, threshold: 3.1, weakening: 1.1),
  ]
  /// The samples on each side of one on which its result depends.
  public static let reach = 14
  /// The samples that are reduced; those outside are kept.
  public static let usableSamples = -1.0...2.0

  /// What is removed of the noise in luma and in the two differences.
  public var strengths: SIMD3<Double> { SIMD3(luminance, color, color) }

  /// The deviations that blocks are compared with, for luma and the two differences.
  public var deviations: SIMD3<Double> {
    func factor(_ detail: Double) -> Double { detail == 0.5 ? 1 : exp2(1 - 2 * detail) }
    let color = noise.colorRatio * factor(colorDetail)
    return SIMD3(factor(luminanceDetail), color, color)
  }

  /// Whether nothing is removed.
  public var isNeutral: Bool { luminance == 0 && color == 0 }

  var isFinite: Bool {
    [luminance, luminanceDetail, color, colorDetail].allSatisfy { (0...1).contains($0) }
  }

  /// The amounts that are not 0, in percent, and the noise at middle grey in levels of 8 bits.
  package var text: String {
    let parts = [("luminance", luminance, luminanceDetail), ("colour", color, colorDetail)]
    let amounts = parts.filter { $0.1 != 0 }.map { name, amount, detail in
      let percent = "\(name) \(PlainNumber.fixed(amount * 100, 0))"
      return detail == 0.5 ? percent : "\(percent) detail \(PlainNumber.fixed(detail * 100, 0))"
    }
    return amounts.joined(separator: " ")
      + " · noise \(PlainNumber.fixed(noise.deviation(at: 0.5) * 255, 1))/255"
  }
}
