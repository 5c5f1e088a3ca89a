/// What was measured of a picture before its plan was made. Plans never measure: previews, crops and tiles of a
/// picture would each measure something else.
public struct PictureStatistics: Sendable, Hashable {
  /// The noise of the stored samples; nil if it is unknown, and filters then assume `NoiseLevel.typical`.
  public var noise: NoiseLevel?

  public init(noise: NoiseLevel? = nil) {
    self.noise = noise
  }
}
