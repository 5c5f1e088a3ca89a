import FrameCore

/// The result of a merge.
public struct MergedFrames: Sendable {
  /// The picture: opaque `rgba16` of the frames' size, in R, G, B with the reference's primaries and transfer
  /// function.
  public let buffer: PixelBuffer
  public let statistics: MergeStatistics
}

/// What a merge found in its frames.
public struct MergeStatistics: Sendable, Hashable, Codable {
  /// One frame, compared with the reference.
  public struct Frame: Sendable, Hashable, Codable {
    /// The mean displacement of its content over the picture, in pixels to the right and down.
    public var shiftX: Double
    public var shiftY: Double
    /// The mean length of the displacement, in pixels; a turn about the centre has no mean shift, but a
    /// length.
    public var meanShift: Double
    /// The share of its pixels that the result is without, 0…1: one minus the mean of its weights.
    public var rejected: Double
  }

  /// The index of the reference.
  public var reference: Int
  /// All frames in their order; the reference has no shift, and nothing of it is rejected.
  public var frames: [Frame]
  /// The standard deviation of one frame's noise at middle grey (encoded 0.5), the mean of red, green and
  /// blue, in 8-bit codes of encoded samples; nil if nothing could be compared, as with a single frame.
  public var noise: Double?

  init(reference: Int, motions: [FrameMotion], weights: [Double], size: PixelSize, noise: FrameNoise) {
    self.reference = reference
    frames = motions.indices.map { index in
      let mean = motions[index].mean
      let rejected = index == reference ? 0 : 1 - weights[index] / Double(size.pixelCount)
      return Frame(
        shiftX: mean.shift.x, shiftY: mean.shift.y, meanShift: mean.length, rejected: max(0, rejected))
    }
    self.noise = noise.isKnown ? noise.deviation(at: 0.5) : nil
  }
}

extension FrameNoise {
  /// The standard deviation at a level of 0…1, the root of the mean variance of the channels, in 8-bit codes.
  fileprivate func deviation(at level: Float) -> Double {
    let variance = (0..<3).reduce(Double(0)) { $0 + Double(self.variance($1, at: level)) } / 3
    return 255 * variance.squareRoot()
  }
}
