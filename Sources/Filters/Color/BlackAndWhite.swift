import FilterGraph
import FrameCore

/// Makes the picture black and white, with a choice of how light each colour becomes, as with filters before a lens.
///
///     L' = L · (1 + 0.5 · amount / 100 of the bands · C² / (C² + 0.06²)),  then C' = C · (1 - strength / 100)    OKLCH
///
/// The bands are those of `HueBand`. Greys keep their lightness, whatever the mix (`HueAdjustment`).
public struct BlackAndWhite: Filter {
  public static let id: FilterID = "black-and-white"
  public static let phase = FilterPhase.color
  public static let summary = "Makes the picture black and white, from a mix of its colours"

  public static let parameters =
    [
      Parameter(
        \BlackAndWhite.strength, "strength", title: "Black and white", in: 0...100, step: 1, neutral: 0,
        unit: .percent, flag: "black-and-white", "How much colour is taken out; 100 is black and white")
    ]
    + HueBand.allCases.map { band in
      let name = band.rawValue
      return Parameter(
        \BlackAndWhite.bands[band], name, in: -100...100, step: 1, neutral: 0,
        flag: "black-and-white-\(name)",
        "How light \(name) becomes, as far as colour is taken out")
    }

  /// 0…100 %.
  public var strength: Float
  /// -100…100 each; -100 halves the lightness of strong colours, 100 makes it half as much again.
  public var bands = HueBands<Float>(0)

  public init() { self.init(0) }
  public init(_ strength: Float) { self.strength = strength }

  public func lower(into plan: inout PlanBuilder) {
    guard strength != 0 else { return }
    let part = Double(strength) / 100
    let mix = bands.values.map { Double($0) / 100 }
    if mix.contains(where: { $0 != 0 }) {
      let texts = zip(HueBand.allCases, mix).filter { $0.1 != 0 }.map {
        "\($0.0.rawValue) \(PlainNumber.short(Float(100 * $0.1)))"
      }
      plan.hues(
        HueAdjustment(text: "black and white mix " + texts.joined(separator: " ")) { hue in
          HueAdjustment.Change(lightness: 0.5 * part * HueBand.mean(mix, at: hue))
        })
    }
    plan.oklabChroma(1 - part)
  }

  /// Fades the colours out; the mix stays what it is of each.
  public func scaled(by strength: Double) -> BlackAndWhite {
    var scaled = self
    scaled.strength = Float(Double(self.strength) * strength)
    return scaled
  }
}
