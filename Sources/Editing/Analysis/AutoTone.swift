import ColorScience
import FilterGraph
import FrameAnalysis
import Libc

/// Tone and contrast that give a photo its whole range, found from how its light is spread after exposure.
///
/// Highlights are recovered and shadows lifted by how much of the photo is there, less so where nearly all is: a night
/// stays dark, snow stays bright. Contrast returns to the middle what these take from it. Then white and black are moved
/// so that the 99.5th and the 0.5th percentile come near the ends, by no more than half their range: fog stays fog.
struct AutoTone {
  var highlights = 0.0
  var shadows = 0.0
  var whites = 0.0
  var blacks = 0.0
  var contrast = 0.0

  /// Where highlights and shadows begin, EV above middle grey.
  static let (brightFrom, darkBelow) = (1.3, -2.2)

  init(_ light: LightDistribution) {
    let bright = light.share(above: Self.brightFrom)
    highlights =
      -min(110 * max(bright - 0.06, 0) + 60 * min(light.clipped, 0.2), 45)
      * (1 - 0.7 * ToneCurve.smoothStep(0.4, 0.8, bright))
    let dark = 1 - light.share(above: Self.darkBelow)
    shadows = min(90 * max(dark - 0.08, 0), 45) * (1 - 0.6 * ToneCurve.smoothStep(0.5, 0.9, dark))
    let spread = light.luminance(atPercentile: 0.9) - light.luminance(atPercentile: 0.1)
    contrast = 12 * min(max(2.4 - spread, 0), 1) + (shadows - highlights) / 9
    findWhites(light)
    findBlacks(light)
  }

  /// Takes the bright end to just below white, or what is beyond white back, through everything that follows.
  private mutating func findWhites(_ light: LightDistribution) {
    let white = LightDistribution.white
    let (end, most) = (
      light.brightestChannel(atPercentile: 0.995), light.brightestChannel(atPercentile: 0.97)
    )
    if rendered(end) < white - 0.05 {
      solve(\.whites, taking: end, to: white - 0.05, within: 0...50)
    } else if rendered(most) > white + 0.03 {
      solve(\.whites, taking: most, to: white + 0.03, within: -25...0)
    }
  }

  /// Takes the dark end to where code values of 8 bits end, or to half of its light, through everything that follows.
  private mutating func findBlacks(_ light: LightDistribution) {
    let end = light.luminance(atPercentile: 0.005)
    let target = max(log2(0.0025 / 0.18), rendered(end) - 1)
    guard rendered(end) > target else { return }
    solve(\.blacks, taking: end, to: target, within: -30...0)
  }

  /// Sets a value so that a grey, in EV above middle grey, ends up at a target, or as near as the range allows.
  private mutating func solve(
    _ value: WritableKeyPath<Self, Double>, taking stops: Double, to target: Double,
    within range: ClosedRange<Double>
  ) {
    var (low, high) = (range.lowerBound, range.upperBound)
    for _ in 0..<20 {
      self[keyPath: value] = (low + high) / 2
      if rendered(stops) < target { low = self[keyPath: value] } else { high = self[keyPath: value] }
    }
    self[keyPath: value] = (low + high) / 2
  }

  /// Where a grey ends up, in EV above middle grey.
  private func rendered(_ stops: Double) -> Double {
    let curve = ToneCurve(
      highlights: highlights / 100, shadows: shadows / 100, whites: whites / 100, blacks: blacks / 100)
    let (gain, offset) = curve.factors(at: stops)
    return log2((gain * 0.18 * exp2(stops) + offset) / 0.18) * exp2(contrast / 100)
  }
}
