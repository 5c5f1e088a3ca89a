import ColorScience
import FilterGraph
import Filters
import FrameAnalysis
import FrameCore
import Libc

/// Filter values that suit a photo, found from its proxy so that they are the same at every size.
///
/// They are plain numbers in the usual steps: written into a recipe, they reproduce the picture and can be
/// changed. Each is found on the photo as the earlier ones leave it: white balance, then exposure, then tone.
///
/// They replace an edit's values of the same kinds, so that finding them again changes nothing:
///
///     let values = try AutoValues(sample, finding: kinds, joining: recipe)
///     recipe = recipe.removing(kinds).then(Recipe(filters: values.filters))
public struct AutoValues: Sendable {
  /// The kinds of value that can be found.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// `Exposure`: protects highlights; keeps low-key and high-key photos as they are.
    case exposure
    /// `WhiteBalance`: small unless the evidence is strong; warm light stays partly warm.
    case whiteBalance = "white-balance"
    /// `Tone` and `Contrast`.
    case tone

    /// Whether a filter holds values of this kind.
    func isSet(by filter: any Filter) -> Bool {
      switch self {
      case .exposure: filter is Exposure
      case .whiteBalance: filter is WhiteBalance
      case .tone: filter is Tone || filter is Contrast
      }
    }
  }

  /// The values found, one filter per kind and two for tone, in the catalog's order, without neutral ones.
  public let filters: [any Filter]
  /// The reason for each kind's values, half a sentence each.
  public let reasons: [Kind: String]

  /// - Parameters:
  ///   - kinds: the values to find.
  ///   - recipe: the edit that they are for. Its filters of these kinds are ignored, since the values found
  ///     replace them. If its white balance or exposure is not to be found, later values are found after it. The
  ///     rest of it, such as a look, is ignored.
  ///   - given: overrides the values found with a user's choice; later values are found after it. It is also
  ///     called for white balance and exposure that are not to be found.
  /// - Throws: `SafelightError` if the photo's ICC profile is damaged or is not a matrix with curves; also
  ///   whatever `given` throws.
  public init(
    _ sample: PhotoSample, finding kinds: Set<Kind>, joining recipe: Recipe = Recipe(),
    given: (any Filter) throws -> any Filter = { $0 }
  ) throws {
    try self.init(
      LinearColors(sample.proxy, of: sample.buffer), finding: kinds, joining: recipe, given: given)
  }

  init(
    _ colors: LinearColors, finding kinds: Set<Kind>, joining recipe: Recipe = Recipe(),
    given: (any Filter) throws -> any Filter
  ) rethrows {
    let kept = recipe.removing(kinds).filters
    var found: [any Filter] = []
    var reasons: [Kind: String] = [:]

    var balance = WhiteBalance()
    if kinds.contains(.whiteBalance) {
      (balance, reasons[.whiteBalance]) = Self.whiteBalance(
        IlluminantEstimate(colors), white: colors.white, clipped: colors.clipped)
      found.append(balance)
    }
    balance = try given(balance) as? WhiteBalance ?? balance
    var balancing = balance.matrix
    for case let own as WhiteBalance in kept { balancing = balancing * own.matrix }
    let balanced = colors.multiplied(by: balancing)

    var exposure = Exposure()
    if kinds.contains(.exposure) {
      (exposure, reasons[.exposure]) = Self.exposure(LightDistribution(balanced))
      found.append(exposure)
    }
    exposure = try given(exposure) as? Exposure ?? exposure

    if kinds.contains(.tone) {
      let stops = kept.reduce(exposure.stops) { $0 + (($1 as? Exposure)?.stops ?? 0) }
      let gain = exp2(Double(stops))
      let (filters, reason) = Self.tone(
        LightDistribution(balanced.multiplied(by: .diagonal(SIMD3(repeating: gain)))))
      found += filters
      reasons[.tone] = reason
    }
    filters = found.filter { filter in
      !type(of: filter).parameters.allSatisfy { $0.isNeutral(in: filter) }
    }
    for kind in kinds where recipe.filters.contains(where: kind.isSet(by:)) {
      reasons[kind]? += "; replaces the recipe's own"
    }
    self.reasons = reasons
  }

  // MARK: Steps

  /// Returns the parameters that a kind sets.
  public static func parameters(of kind: Kind) -> [Parameter] {
    switch kind {
    case .exposure: Exposure.parameters
    case .whiteBalance: WhiteBalance.parameters
    case .tone: Tone.parameters + Contrast.parameters
    }
  }

  private static func rounded(_ value: Double, to step: Double = 1) -> Float {
    // Dividing by a whole number gives the decimals that people write.
    let steps = (value / step).rounded()
    return Float(step < 1 ? steps / (1 / step).rounded() : steps * step)
  }

  private static let flat = "uniform brightness"

  private static func tone(_ light: LightDistribution) -> ([any Filter], String) {
    guard !light.isFlat else { return ([], flat) }
    let tone = AutoTone(light)
    func percent(_ share: Double) -> String { "\(PlainNumber.fixed(share * 100, 0)) %" }
    return (
      [
        Tone(
          highlights: rounded(tone.highlights), shadows: rounded(tone.shadows), whites: rounded(tone.whites),
          blacks: rounded(tone.blacks)), Contrast(rounded(tone.contrast)),
      ],
      "\(percent(light.share(above: AutoTone.brightFrom))) bright, "
        + "\(percent(1 - light.share(above: AutoTone.darkBelow))) dark"
    )
  }

  private static func exposure(_ light: LightDistribution) -> (Exposure, String) {
    guard let estimate = ExposureEstimate(light) else { return (Exposure(), flat) }
    let stops = abs(estimate.stops) < 0.05 ? 0 : rounded(estimate.stops, to: 0.01)
    let reason: String
    if estimate.stops < estimate.unprotectedStops - 0.05 {
      reason = "\(PlainNumber.fixed(estimate.unprotectedStops, 2)) EV would clip highlights"
    } else if stops == 0 {
      reason = "normally exposed"
    } else if stops > 0 {
      reason = "nothing near white"
    } else {
      reason = "bright, \(PlainNumber.fixed(light.clipped * 100, 0)) % clipped"
    }
    return (Exposure(stops: stops), reason)
  }

  /// Returns how much of a light's colour is corrected: all of it up to a point, in mireds, and progressively less
  /// beyond, so that candlelight stays warm and shade under a blue sky cool.
  private static func restrained(_ mired: Double) -> Double {
    let (full, further) = mired > 0 ? (25.0, 35.0) : (30.0, 35.0)
    let excess = abs(mired) - full
    guard excess > 0 else { return mired }
    return (mired < 0 ? -1 : 1) * (full + further * (1 - exp(-excess / further)))
  }

  /// - Parameters:
  ///   - white: the white fraction of the photo: every correction tints it, so the larger it is, the smaller the
  ///     correction.
  ///   - clipped: the fraction with a channel at full scale: mostly blue sky, which warming makes greenish.
  private static func whiteBalance(
    _ estimate: IlluminantEstimate?, white: Double, clipped: Double
  ) -> (WhiteBalance, String) {
    guard let estimate else {
      return (WhiteBalance(), "too few edges of different colours to estimate the light")
    }
    let sky = estimate.mired < 0 ? max(clipped - white, 0) : 0
    let strength = 1 - min(3 * white + 1.5 * sky, 0.8)
    let mired = strength * restrained(estimate.mired)
    let tint = rounded(strength * estimate.tint)
    guard abs(mired) >= 2 || abs(tint) >= 2 else { return (WhiteBalance(), "neutral light") }
    let kelvin = rounded(1e6 / (1e6 / 6500 + estimate.mired), to: 50)
    let hue = tint >= 3 ? ", greenish" : tint <= -3 ? ", pinkish" : ""
    return (
      WhiteBalance(temperature: rounded(1e6 / (1e6 / 6500 + mired), to: 10), tint: tint),
      "light of about \(PlainNumber.text(Double(kelvin))) K\(hue)"
        + (abs(mired) > 0.8 * abs(estimate.mired) ? "" : ", kept in part")
    )
  }
}

extension Recipe {
  /// Returns this recipe without its filters of the given kinds, which automatic values will replace.
  package func removing(_ kinds: Set<AutoValues.Kind>) -> Recipe {
    var rest = self
    rest.filters.removeAll { filter in kinds.contains { $0.isSet(by: filter) } }
    return rest
  }
}
