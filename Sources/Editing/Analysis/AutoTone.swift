import ColorScience
import FilterGraph
import FrameAnalysis
import Libc

/// Tone and contrast that give a photo its full range, based on its distribution of light after exposure.
///
/// Highlights are recovered and shadows lifted by how much of the photo they cover, but less if they cover nearly
/// all of it: a night stays dark and snow bright. Contrast gives back to the midtones what these take from them.
/// Then white and black are moved so that the 99.5th and 0.5th percentiles come near the ends, by no more than
/// half their range: fog stays fog.
struct AutoTone {
  var highlights = 0.0
  var shadows = 0.0
  var whites = 0.0
  var blacks = 0.0
  var contrast = 0.0

  /// The start of highlights and of shadows, EV above middle grey.
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

  /// Sets whites so that the bright end comes just below white, or is recovered from beyond it, after all later
  /// steps.
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

  /// Sets blacks so that the dark end reaches the lowest 8-bit code values, or half its light, after all later
  /// steps.
  private mutating func findBlacks(_ light: LightDistribution) {
    let end = light.luminance(atPercentile: 0.005)
    let target = max(log2(0.0025 / 0.18), rendered(end) - 1)
    guard rendered(end) > target else { return }
    solve(\.blacks, taking: end, to: target, within: -30...0)
  }

  /// Sets a value so that a grey, in EV above middle grey, reaches a target, or comes as near as the range allows.
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

  /// Returns the output of a grey, in EV above middle grey.
  private func rendered(_ stops: Double) -> Double {
    let stops =
      stops + LocalLight.regions(at: stops, highlights: highlights / 100, shadows: shadows / 100)
    let (gain, offset) = ToneCurve(whites: whites / 100, blacks: blacks / 100).factors(at: stops)
    return log2((gain * 0.18 * exp2(stops) + offset) / 0.18) * exp2(contrast / 100)
  }
}
