import Libc

/// How far a photo is from the exposure that photos usually have, as its brightest parts and its key tell.
///
/// Three estimates of the exposure error x, in EV, are weighed by how sure they are:
///
///     ends   photos have something near white:      x = min(top − white + 0.1, 0), where top, the mean of the 99th
///                                                        percentile of the brightest channel and the 99.8th, is
///                                                        below white
///            and little beyond:                     x = 0.4 · log2(clipped / 3 %), 0…1.6, where it is not
///     key    their mean luminance is about -0.5 EV: x = key + 0.5, at most ±1.2
///     prior  cameras expose well:                   x = 0
///
/// The key counts little and only so far: a night stays night and snow stays white, and so do dark scenes with a lamp or
/// the moon in them. Where nothing is near white, the missing stops are known well. What is clipped is lost and would turn
/// grey, so a photo is darkened by half of what the error exceeds 0.25 EV, and by no more than 0.5 EV.
///
/// The figures describe 100 photos of BSDS500, as they are and rendered at -2…2 EV.
public struct ExposureEstimate: Sendable, Hashable {
  /// What to add, EV: -0.5…2.
  public let stops: Double
  /// What `stops` would be but for highlights that it would clip.
  public let unprotectedStops: Double

  /// The 1 % of a photo that is brightest may be clipped by brightening: lamps, reflections, the sun.
  private static let specularShare = 0.01
  private static let range = -0.5...2.0

  /// Nil where the picture is of one brightness all over.
  public init?(_ light: LightDistribution) {
    guard !light.isFlat else { return nil }
    let white = LightDistribution.white
    let aboveWhite =
      (light.brightestChannel(atPercentile: 1 - Self.specularShare)
        + light.brightestChannel(atPercentile: 1 - Self.specularShare / 5)) / 2 - white
    let ends: Double
    let endsWeight: Double
    // Code value 254 of 8 bits is clipped as far as anyone can tell.
    if aboveWhite < -0.01 {
      ends = min(aboveWhite + 0.1, 0)
      // From a standard deviation of 0.6 EV near white to 0.4 EV from 0.3 EV below on.
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
    // Beyond what is clipped already, speculars only.
    let kept = light.brightestChannel(atPercentile: 1 - light.clipped - Self.specularShare)
    stops = min(unprotectedStops, max(white - kept, 0))
  }
}
