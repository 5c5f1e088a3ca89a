import Libc

/// Tells from where the energy of a scene of first order comes, for a meter.
///
/// The direction is that of the active intensity, averaged with an exponential window; diffuseness compares
/// its length with the energy density. Source: V. Pulkki, Spatial sound reproduction with directional audio
/// coding, JAES 55 (2007). One owner at a time.
public struct DirectionMeter: Sendable {
  public struct Reading: Sendable, Hashable {
    /// Nil in silence, and where sound comes from all sides equally.
    public var direction: Direction?
    /// 0 for a single plane wave, 1 for a field without a direction.
    public var diffuseness: Double
    /// The mean square of W; 0.5 for a sine of full scale.
    public var power: Double
  }

  private let forgetting: Double
  private var intensity = SIMD3<Double>.zero
  private var pressure = 0.0
  private var velocity = 0.0

  /// - Parameter timeConstant: Seconds in which the past fades to 1/e; greater than 0.
  public init(sampleRate: Int, timeConstant: Double = 0.1) {
    precondition(sampleRate > 0 && timeConstant > 0)
    forgetting = exp(-1 / (Double(sampleRate) * timeConstant))
  }

  /// Takes interleaved AmbiX frames. Allocates nothing.
  public mutating func process(_ input: UnsafeBufferPointer<Float>) {
    precondition(input.count.isMultiple(of: 4))
    let new = 1 - forgetting
    for start in stride(from: 0, to: input.count, by: 4) {
      let frame = SIMD4<Double>(input.frame(at: start))
      // A damaged sample would stay in the average for ever.
      guard frame.x.isFinite, frame.y.isFinite, frame.z.isFinite, frame.w.isFinite else { continue }
      let v = SIMD3(frame.w, frame.y, frame.z)
      intensity = intensity * forgetting + v * (frame.x * new)
      pressure = pressure * forgetting + frame.x * frame.x * new
      velocity = velocity * forgetting + (v * v).sum() * new
    }
  }

  public mutating func process(_ samples: [Float]) { samples.withUnsafeBufferPointer { process($0) } }

  public var reading: Reading {
    let energy = (pressure + velocity) / 2
    let length = (intensity * intensity).sum().squareRoot()
    // Below −200 dB there is nothing to point at.
    guard energy > 1e-20 else { return Reading(direction: nil, diffuseness: 1, power: pressure) }
    let directness = min(length / energy, 1)
    return Reading(
      direction: directness > 1e-6 ? Direction(intensity) : nil, diffuseness: 1 - directness, power: pressure)
  }
}
