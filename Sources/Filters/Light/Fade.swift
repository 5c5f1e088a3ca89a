import FilterGraph
import FrameCore

/// Lifts blacks towards grey, as in a print that has faded.
///
///     out = x + 0.3 · amount / 100 · (1 - x)³        x an sRGB-encoded tone, 0…1
///
/// White and its surroundings stay. The largest and the smallest channel follow the formula and the one between keeps
/// its place (`LightCurves`), so dark colours fade with their black; greys stay grey.
public struct Fade: Filter {
  public static let id: FilterID = "fade"
  public static let phase = FilterPhase.tone
  public static let summary = "Lifts blacks towards grey, as in a faded print"
  public static let parameters = [
    Parameter(
      \Fade.amount, "amount", title: "Fade", in: 0...100, step: 1, neutral: 0, flag: "fade",
      "How much black is lifted; 100 makes it a dark grey")
  ]

  /// 0…100: black comes out at up to 30 % of the encoded range.
  public var amount: Float

  public init() { self.init(0) }
  public init(_ amount: Float) { self.amount = amount }

  public func lower(into plan: inout PlanBuilder) {
    guard amount != 0 else { return }
    let lift = 0.3 * Double(amount) / 100
    plan.curves(
      LightCurves(
        .hueKeeping(.encoded { x in x + lift * (1 - x) * (1 - x) * (1 - x) }),
        text: "fade \(PlainNumber.short(amount))"))
  }
}
