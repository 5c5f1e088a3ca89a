import FilterGraph
import FrameCore
import Libc

/// Changes hue, saturation and lightness of eight parts of the hue circle (`HueBand`).
///
///     hue         the band's middle moves by amount / 100 · the least of 30° and 45 % of the way to the next one
///     saturation  C' = C · (1 + amount / 100 of the bands)
///     lightness   L' = L · (1 + 0.4 · amount / 100 of the bands · C² / (C² + 0.06²))
///
/// Hues between two middles move between them (`MonotoneCurve`), so that no two hues change places. Turns and more
/// chroma fade out towards grey, and lightness too: greys never move (`HueAdjustment`).
public struct HSL: Filter {
  public static let id: FilterID = "hsl"
  public static let title = "HSL"
  public static let phase = FilterPhase.color
  public static let summary = "Changes hue, saturation and lightness of eight ranges of hues"

  public static let parameters = HueBand.allCases.flatMap { band -> [Parameter] in
    let name = band.rawValue
    let title = name.prefix(1).uppercased() + name.dropFirst()
    let (before, after) = neighbours(of: band)
    return [
      Parameter(
        \HSL.bands[band].hue, "\(name)-hue", title: "\(title) hue", in: -100...100, step: 1, neutral: 0,
        flag: "\(name)-hue", "Hue of \(name): towards \(before) (negative) or \(after)"),
      Parameter(
        \HSL.bands[band].saturation, "\(name)-saturation", title: "\(title) saturation", in: -100...100,
        step: 1, neutral: 0, flag: "\(name)-saturation", "Strength of \(name)"),
      Parameter(
        \HSL.bands[band].lightness, "\(name)-lightness", title: "\(title) lightness", in: -100...100,
        step: 1, neutral: 0, flag: "\(name)-lightness", "Lightness of \(name)"),
    ]
  }

  private static func neighbours(of band: HueBand) -> (before: String, after: String) {
    let bands = HueBand.allCases
    let place = bands.firstIndex(of: band) ?? 0
    return (
      bands[(place + bands.count - 1) % bands.count].rawValue, bands[(place + 1) % bands.count].rawValue
    )
  }

  /// What becomes of a band, -100…100 each.
  public struct Band: Sendable, Hashable {
    /// Towards the band before (negative) or after.
    public var hue: Float
    public var saturation, lightness: Float

    public init(hue: Float = 0, saturation: Float = 0, lightness: Float = 0) {
      (self.hue, self.saturation, self.lightness) = (hue, saturation, lightness)
    }
  }

  public var bands = HueBands(Band())

  public init() {}

  public func lower(into plan: inout PlanBuilder) {
    guard self != HSL() else { return }
    let bands = bands.values
    let turns = Self.turns(of: bands)
    let saturations = bands.map { Double($0.saturation) / 100 }
    let lightnesses = bands.map { 0.4 * Double($0.lightness) / 100 }
    plan.hues(
      HueAdjustment(text: text) { hue in
        HueAdjustment.Change(
          turn: turns(hue), chroma: 1 + HueBand.mean(saturations, at: hue),
          lightness: HueBand.mean(lightnesses, at: hue))
      })
  }

  /// Returns the turn of a hue in degrees.
  private static func turns(of bands: [Band]) -> (Double) -> Double {
    guard bands.contains(where: { $0.hue != 0 }) else { return { _ in 0 } }
    let middles = HueBand.allCases.map(\.middle)
    let moved = middles.indices.map { index -> SIMD2<Double> in
      let part = Double(bands[index].hue) / 100
      let next = (index + (part > 0 ? 1 : middles.count - 1)) % middles.count
      let way =
        part > 0
        ? HueBand.turn(from: middles[index], to: middles[next])
        : HueBand.turn(from: middles[next], to: middles[index])
      return SIMD2(middles[index], middles[index] + part * min(30, 0.45 * way))
    }
    // Three times around, so that the slopes of the middle round know those beside it.
    let curve = MonotoneCurve([-360, 0, 360].flatMap { round in moved.map { $0 + round } })
    return { curve.evaluate($0) - $0 }
  }

  /// `hsl blue saturation -20 lightness -40`
  private var text: String {
    let parts = zip(HueBand.allCases, bands.values).compactMap { band, change -> String? in
      let amounts = [("hue", change.hue), ("saturation", change.saturation), ("lightness", change.lightness)]
        .filter { $0.1 != 0 }
      guard !amounts.isEmpty else { return nil }
      return "\(band.rawValue) "
        + amounts.map { "\($0.0) \(PlainNumber.short($0.1))" }.joined(separator: " ")
    }
    return "hsl " + parts.joined(separator: ", ")
  }
}
