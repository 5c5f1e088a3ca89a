import FilterGraph

/// Makes detail of the size of pores, leaves and weave stand out more, or less.
///
///     out = 2^(1.2 · amount · D) · in        scene-linear, D the EV above surroundings of 0.2 % of the long edge
///
/// `FineTexture` has the formula. Finer grain is left alone, so negative amounts soften skin and keep its look.
public struct Texture: Filter {
  public static let id: FilterID = "texture"
  public static let phase = FilterPhase.light
  public static let summary = "Makes fine detail stand out, but not grain; negative softens skin"
  public static let parameters = [
    Parameter(
      \Texture.amount, "amount", title: "Texture", in: -100...100, step: 1, neutral: 0, flag: "texture",
      "Contrast of fine detail; negative softens")
  ]

  /// -100…100.
  public var amount: Float

  public init() { self.init(0) }
  public init(_ amount: Float) { self.amount = amount }

  public func lower(into plan: inout PlanBuilder) { plan.texture(Double(amount) / 100) }
}
