import FilterGraph

/// Makes fine detail stand out, and sharpens the finished picture for a screen or for paper.
///
///     out = in + amount · limited(Y − G(Y, radius)),  Y the luma          encoded samples of the result
///
/// It comes after every other filter and after the last resize, wherever it stands in the recipe. `Sharpening` has
/// the formulas. The radius is in pixels of the original, so a smaller copy is sharpened by as much less as it shows;
/// what is sharpened for the output has a radius of its own, in pixels of the result.
public struct Sharpen: Filter {
  public static let id: FilterID = "sharpen"
  public static let phase = FilterPhase.detail
  public static let summary = "Makes fine detail stand out, and sharpens for the output"
  public static let parameters = [
    Parameter(
      \Sharpen.amount, "amount", title: "Sharpening", in: 0...150, step: 1, neutral: 0, flag: "sharpen",
      "How much detail stands out"),
    Parameter(
      \Sharpen.radius, "radius", in: 0.5...3, step: 0.1, neutral: 1, flag: "sharpen-radius",
      "The size of that detail, in pixels of the original"),
    Parameter(
      \Sharpen.detail, "detail", in: 0...100, step: 1, neutral: 25, flag: "sharpen-detail",
      "How far hard edges are sharpened too; 0 leaves no halo"),
    Parameter(
      \Sharpen.masking, "masking", in: 0...100, step: 1, neutral: 0, flag: "sharpen-masking",
      "Spares flat parts; 100 sharpens edges only"),
    Parameter(
      choice: \Sharpen.output, "output", title: "For", neutral: Output.none, flag: "sharpen-output",
      "What the finished picture is sharpened for"),
  ]

  /// What the finished picture is sharpened for.
  public enum Output: String, ParameterChoice {
    case none
    case screen
    case print

    public var title: String {
      switch self {
      case .none: "None"
      case .screen: "Screen"
      case .print: "Print"
      }
    }
  }

  /// 0…150; 100 doubles small differences.
  public var amount: Float
  /// 0.5…3, the σ of a Gaussian in pixels of the original.
  public var radius: Float
  /// 0…100; halos of 100 are up to 10 % of full scale, of 0 up to 1 %, times the amount.
  public var detail: Float
  /// 0…100.
  public var masking: Float
  public var output: Output

  public init() { self.init(0) }
  public init(
    _ amount: Float, radius: Float = 1, detail: Float = 25, masking: Float = 0, output: Output = .none
  ) {
    self.amount = amount
    self.radius = radius
    self.detail = detail
    self.masking = masking
    self.output = output
  }

  public func lower(into plan: inout PlanBuilder) {
    plan.sharpen(
      amount: Double(amount) / 100, radius: Double(radius), detail: Double(detail) / 100,
      masking: Double(masking) / 100)
    switch output {
    case .none: break
    case .screen: plan.sharpen(for: .screen)
    case .print: plan.sharpen(for: .print)
    }
  }

  /// Only the amount has a strength: half of a sharpening looks at the same detail. That for the output is there or
  /// not.
  public func scaled(by strength: Double) -> Sharpen {
    var scaled = self
    scaled.amount = Float(Double(amount) * strength)
    if strength == 0 { scaled.output = .none }
    return scaled
  }
}
