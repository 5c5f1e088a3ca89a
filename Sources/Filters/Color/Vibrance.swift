import FilterGraph
import FrameCore
import Libc

/// Makes weak colours stronger and leaves strong ones nearly as they are, skin less than others; negative weakens.
///
///     C' = C · (1 + amount / 100 · v(h) / (1 + (C / 0.12)²))        OKLCH, at constant hue and lightness
///
/// For more chroma, v is 0.35 at the hue of skin, 50°, and 1 beyond 40° of it; for less it is 1. Of two colours of one
/// hue, the stronger one stays the stronger one. More chroma fades out below C = 0.03, where colour is noise.
public struct Vibrance: Filter {
  public static let id: FilterID = "vibrance"
  public static let phase = FilterPhase.color
  public static let summary = "Strengthens weak colours more than strong ones, and spares skin"
  public static let parameters = [
    Parameter(
      \Vibrance.amount, "amount", title: "Vibrance", in: -100...100, step: 1, neutral: 0, flag: "vibrance",
      "Strength of weak colours; negative weakens them")
  ]

  /// -100…100.
  public var amount: Float

  public init() { self.init(0) }
  public init(_ amount: Float) { self.amount = amount }

  /// The hue of skin in OKLCH, in degrees, and how far from it others count as skin less and less.
  private static let (skin, reach) = (50.0, 40.0)
  /// What skin has of more chroma.
  private static let skinPart = 0.35

  public func lower(into plan: inout PlanBuilder) {
    guard amount != 0 else { return }
    let part = Double(amount) / 100
    plan.hues(
      HueAdjustment(fades: part > 0, text: "vibrance \(PlainNumber.short(amount))") { hue in
        guard part > 0 else { return HueAdjustment.Change(vibrance: part) }
        let distance = min(abs(hue - Self.skin), Self.reach) / Self.reach
        let likeSkin = (1 + cos(.pi * distance)) / 2
        return HueAdjustment.Change(vibrance: part * (1 - (1 - Self.skinPart) * likeSkin))
      })
  }
}
