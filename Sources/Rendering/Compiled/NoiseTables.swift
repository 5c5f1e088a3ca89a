import FilterGraph
import PixelKernels

/// `NoiseStabilizer` and its inverse as tables for kernels and shaders, linear between entries and beyond their ends.
package struct NoiseTables: Sendable {
  /// Stabilized values of equally spaced samples 0…1.
  package let forward: [Float]
  /// Samples of equally spaced stabilized values 0…`highest`.
  package let backward: [Float]
  package let highest: Float
  /// The largest absolute stabilized value of a sample that is reduced.
  package let largest: Float

  package init(_ noise: NoiseLevel) {
    let stabilizer = NoiseStabilizer(noise)
    let (forwards, backwards) = (Double(SL_NOISE_FORWARD), Double(SL_NOISE_BACKWARD))
    let highest = stabilizer.bounds.upperBound
    forward = (0...Int(SL_NOISE_FORWARD)).map { Float(stabilizer.stabilize(Double($0) / forwards)) }
    backward = (0...Int(SL_NOISE_BACKWARD)).map {
      Float(stabilizer.restore(Double($0) / backwards * highest))
    }
    self.highest = Float(highest)
    let usable = Denoising.usableSamples
    largest = Float(
      max(abs(stabilizer.stabilize(usable.lowerBound)), abs(stabilizer.stabilize(usable.upperBound))))
  }
}
