import Libc

/// How far a photo is from the usual exposure, estimated from its brightest parts and its key.
///
/// Combines three estimates of the exposure error x, in EV, weighted by their certainty:
///
///     ends   photos have something near white:      x = min(top − white + 0.1, 0), where top, the mean of the 99th
///                                                        percentile of the brightest channel and the 99.8th, is
///                                                        below white
///            and little beyond:                     x = 0.4 · log2(clipped / 3 %), 0…1.6, where it is not
///     key    their mean luminance is about -0.5 EV: x = key + 0.5, at most ±1.2
///     prior  cameras expose well:                   x = 0
///
/// The key has little weight and is limited: night stays night and snow stays white, and dark scenes with a lamp
/// or the moon stay dark. If nothing is near white, the missing stops are well known. Clipped highlights are lost
/// and would turn grey, so a photo is darkened by half of the error beyond 0.25 EV, and by at most 0.5 EV.
///
/// The constants describe 100 photos of BSDS500, as they are and rendered at -2…2 EV.
package struct ExposureEstimate: Sendable, Hashable {
  /// The correction to add, in EV: -0.5…2.
  package let stops: Double
  /// The value of `stops` without the protection of highlights.
  package let unprotectedStops: Double

  /// Brightening may clip the brightest 1 % of a photo: lamps, reflections, the sun.
  private static let specularShare = 0.01
  private static let range = -0.5...2.0

  /// Returns nil if the whole picture has one brightness.
  package init?(_ light: LightDistribution) {
    guard !light.isFlat else { return nil }
    let white = LightDistribution.white
    let aboveWhite =
      (light.brightestChannel(atPercentile: 1 - Self.specularShare)
        + light.brightestChannel(atPercentile: 1 - Self.specularShare / 5)) / 2 - white
    let ends: Double
    let endsWeight: Double
    // 8-bit code value 254 is practically clipped.
    if aboveWhite < -0.01 {
      ends = min(aboveWhite + 0.1, 0)
      // The standard deviation falls from 0.6 EV near white to 0.4 EV at 0.3 EV below it.
      endsWeight = 2.8 + 3.4 * min(-aboveWhite / 0.3, 1)
    } else {
      ends = light.clipped > 0.03 ? min(0.4 * log2(light.clipped / 0.03), 1.6) : 0
      endsWeight = 2.8
    }
    let key = min(max(light.key + 0.5, -1.2), 1.2)
    let (keyWeight, priorWeight) = (1.4, 0.44)
    let error = (endsWeight * ends + keyWeight * key) / (endsWeight + keyWeight + priorWeight)
    let wanted = error > 0 ? min(0.5 * (0.25 - error), 0) : -error
    unprotectedStops = min(max(wanted, Self.range.lowerBound), Self.range.upperBound)
    // Beyond what is clipped already, only speculars.
    let kept = light.brightestChannel(atPercentile: 1 - light.clipped - Self.specularShare)
    stops = min(unprotectedStops, max(white - kept, 0))
  }
}
