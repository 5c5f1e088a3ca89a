import ColorScience
import FilterGraph
import Filters
import FrameAnalysis
import Libc

/// Values of filters that suit a photo, found from its proxy, so that they are the same at every size.
///
/// They are plain numbers in steps that people use: written into a recipe they give the same picture again, and can be
/// changed. Each is found on the photo as the ones before it leave it: white balance, then exposure, then tone.
///
/// They stand in the place of what an edit has of the same kinds, so that finding them again changes nothing:
///
///     let values = try AutoValues(sample, finding: kinds, joining: recipe)
///     recipe = recipe.removing(kinds).then(Recipe(filters: values.filters))
public struct AutoValues: Sendable {
  /// What can be found.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// `Exposure`: highlights are protected, low and high keys are kept.
    case exposure
    /// `WhiteBalance`: small, unless much tells; warm light stays warm in part.
    case whiteBalance = "white-balance"
    /// `Tone` and `Contrast`.
    case tone

    /// Whether a filter is one whose values are of this kind.
    func isSet(by filter: any Filter) -> Bool {
      switch self {
      case .exposure: filter is Exposure
      case .whiteBalance: filter is WhiteBalance
      case .tone: filter is Tone || filter is Contrast
      }
    }
  }

  /// The values found, one filter a kind and two for tone, in the catalog's order; neutral ones are left out.
  public let filters: [any Filter]
  /// Why the values are what they are, half a sentence for each kind.
  public let reasons: [Kind: String]

  /// - Parameters:
  ///   - kinds: what to find.
  ///   - recipe: the edit that they are for. Its filters of these kinds do not count, since the values found replace
  ///     them; its white balance and exposure, where they are not to be found, are what later values are found after.
  ///     The rest of it, such as a look, is not looked through.
  ///   - given: puts what somebody chose into a filter, over what was found: later values are found after it. It is
  ///     asked for white balance and exposure that are not to be found, too.
  /// - Throws: `SafelightError` where the photo's ICC profile is damaged or is not a matrix with curves; what `given`
  ///   throws.
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

  /// The parameters that a kind sets.
  public static func parameters(of kind: Kind) -> [Parameter] {
    switch kind {
    case .exposure: Exposure.parameters
    case .whiteBalance: WhiteBalance.parameters
    case .tone: Tone.parameters + Contrast.parameters
    }
  }

  private static func rounded(_ value: Double, to step: Double = 1) -> Float {
    // Dividing by a whole number keeps decimals as people write them.
    let steps = (value / step).rounded()
    return Float(step < 1 ? steps / (1 / step).rounded() : steps * step)
  }

  private static let flat = "one brightness all over"

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
      reason = "exposed as usual"
    } else if stops > 0 {
      reason = "nothing near white"
    } else {
      reason = "bright, \(PlainNumber.fixed(light.clipped * 100, 0)) % clipped"
    }
    return (Exposure(stops: stops), reason)
  }

  /// How much of a light's colour is corrected: all up to a point, in mired, and beyond it less and less, so that
  /// candle light stays warm, and shade under a blue sky cool.
  private static func restrained(_ mired: Double) -> Double {
    let (full, further) = mired > 0 ? (25.0, 35.0) : (30.0, 35.0)
    let excess = abs(mired) - full
    guard excess > 0 else { return mired }
    return (mired < 0 ? -1 : 1) * (full + further * (1 - exp(-excess / further)))
  }

  /// - Parameters:
  ///   - white: the part of the photo that is white: it takes on the tone of every correction, so the more there is, the
  ///     less is corrected.
  ///   - clipped: the part with a channel at full scale: a blue sky, for the most part, which warming makes greenish.
  private static func whiteBalance(
    _ estimate: IlluminantEstimate?, white: Double, clipped: Double
  ) -> (WhiteBalance, String) {
    guard let estimate else {
      return (WhiteBalance(), "too few edges of different colours to tell the light")
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
  /// This recipe without its filters of some kinds of automatic values, which are to take their place.
  public func removing(_ kinds: Set<AutoValues.Kind>) -> Recipe {
    var rest = self
    rest.filters.removeAll { filter in kinds.contains { $0.isSet(by: filter) } }
    return rest
  }
}
