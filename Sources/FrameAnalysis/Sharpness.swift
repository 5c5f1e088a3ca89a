import AnalysisKernels
import FrameCore
import Libc

/// How sharp a frame's edges are, at the size of the proxy.
///
/// Measures how much of the gradients' energy is lost when the picture is halved. Let E₁ be the mean of |∇luma|²
/// (Sobel's operators; the Tenengrad measure) at full size and E₂ at half size, each minus the contribution of
/// noise:
///
///     value = clip(¼ · log2(4 · E₁ / E₂), 0, 1)
///
/// A wide ramp has twice the gradient per sample at half size, so E₂ = 4 · E₁ and the value is 0. A clean step
/// from one sample to the next has 0.25; detail that is equally strong at both sizes, as in most sharp photos,
/// 0.5; detail of single samples only, 1. Gain and offset of exposure cancel. Strong edges count most.
///
/// Source of the measure: J. M. Tenenbaum, Accommodation in Computer Vision, 1970 (Tenengrad); the ratio of two
/// scales makes it independent of contrast.
public struct Sharpness: Sendable, Hashable, Codable {
  /// 0 (every edge is a wide ramp) … 0.5 (detail at every size) … 1 (single samples only); nil if the frame has no
  /// edges above its noise.
  public var value: Double?
  /// The standard deviation of the noise in luma, 0…1 at full scale, after averaging down to the proxy.
  public var noise = 0.0

  /// The minimum root mean square gradient that counts as edges, in luma per sample: a tenth of an 8-bit code
  /// value.
  private static let leastGradient = 0.1 / 255

  /// Measures `proxy`, in memory of its own; for a sequence of frames use `SharpnessMeter`.
  public init(_ proxy: AnalysisProxy) {
    let meter = SharpnessMeter()
    self = meter.measure(proxy)
  }

  init(luma: UnsafeBufferPointer<Float>, size: PixelSize, half: UnsafeMutablePointer<Float>) {
    guard size.width >= 8, size.height >= 8 else { return }
    let (width, height) = (Int32(size.width), Int32(size.height))
    let deviation = Double(sla_noise_deviation(luma.baseAddress, width, height, half))
    noise = deviation
    sla_halve(luma.baseAddress, width, height, half)

    func meanEnergy(_ samples: UnsafePointer<Float>?, _ width: Int32, _ height: Int32) -> Double {
      sla_sobel_energy(samples, width, height) / Double((width - 2) * (height - 2))
    }
    // Sobel's weights divided by 8 have squares that sum to 12/64; halving averages four samples.
    let noiseEnergy = 2 * deviation * deviation * 12 / 64
    let full = meanEnergy(luma.baseAddress, width, height) - noiseEnergy
    let halved = meanEnergy(half, width / 2, height / 2) - noiseEnergy / 4
    // Edges must exceed the remaining noise.
    let least = max(Self.leastGradient * Self.leastGradient, noiseEnergy / 4)
    guard full > least, halved > least else { return }
    value = min(max(log2(4 * full / halved) / 4, 0), 1)
  }
}

/// Measures the sharpness of successive frames in memory that it keeps. Belongs to one thread at a time.
public final class SharpnessMeter {
  private var scratch = SampleBuffer<Float>(capacity: AnalysisProxy.longEdge * AnalysisProxy.longEdge / 4)

  public init() {}

  /// Measures the frame that the proxy was last updated from.
  public func measure(_ proxy: AnalysisProxy) -> Sharpness {
    scratch.reserve(proxy.size.pixelCount / 4 + 1)
    return Sharpness(luma: proxy.luma, size: proxy.size, half: scratch.base)
  }
}
