import Libc

/// Camera sway and light drift in a live synthetic scene, as functions of the seconds since its start.
public struct SyntheticMotion: Sendable, Hashable {
  /// The mean roll in degrees; if positive, the horizon rises to the right.
  public var meanRoll: Double
  /// The maximum deviation of the roll from its mean, in degrees. 0 holds the camera still.
  public var sway: Double
  /// The mean linear gains of the light on R, G, B.
  public var meanGain: SIMD3<Float>
  /// The maximum deviation of the red and blue gains from their means, as a fraction. 0 keeps the light constant.
  public var drift: Float

  /// Like a phone held by hand in the evening: 2.4° off level, swaying by 1.2°, slightly cool.
  public init(
    meanRoll: Double = 2.4, sway: Double = 1.2, meanGain: SIMD3<Float> = SIMD3(0.94, 1.0, 1.06),
    drift: Float = 0.06
  ) {
    self.meanRoll = meanRoll
    self.sway = sway
    self.meanGain = meanGain
    self.drift = drift
  }

  /// A camera on a tripod, under constant white light.
  public static func still(roll: Double = 0) -> SyntheticMotion {
    SyntheticMotion(meanRoll: roll, sway: 0, meanGain: SIMD3(1, 1, 1), drift: 0)
  }

  /// The largest roll in either direction, in degrees.
  var maximumRoll: Double { abs(meanRoll) + abs(sway) }

  /// Returns the roll in degrees: two slow oscillations, of 7.3 s and 4.1 s, whose amplitudes add up to `sway`.
  public func roll(at seconds: Double) -> Double {
    meanRoll + sway * (0.62 * sin(2 * .pi * seconds / 7.3) + 0.38 * sin(2 * .pi * seconds / 4.1 + 1))
  }

  /// Returns linear gains on R, G, B. Red and blue vary in opposition, as when clouds pass, with a period of 41 s.
  public func gain(at seconds: Double) -> SIMD3<Float> {
    let phase = drift * Float(sin(2 * .pi * seconds / 41))
    return meanGain * SIMD3(1 + phase, 1, 1 - phase)
  }
}
