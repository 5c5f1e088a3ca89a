import FilterGraph

/// The grain of film, as fine on the finished picture as on a frame of 35 mm.
///
///     out = in · 10^(σ · grain(x, y)),  σ² = amount² · D · (2.2 − 0.98 · D) · crystal / pixel        scene-linear
///
/// D is the density that shows the light, so mid-tones have most and white none; `FilmGrain` has the formulas. It belongs
/// to the finished picture: cropping or resizing first does not enlarge it.
public struct Grain: Filter {
  public static let id: FilterID = "grain"
  public static let phase = FilterPhase.light
  public static let summary = "The grain of film, of the same size on every output"
  public static let parameters = [
    Parameter(
      \Grain.amount, "amount", title: "Grain", in: 0...100, step: 1, neutral: 0, flag: "grain",
      "How much grain; 25 is a film of ISO 400"),
    Parameter(
      \Grain.size, "size", in: 0...100, step: 1, neutral: 25, flag: "grain-size",
      "The size of its clumps; 25 more doubles it"),
    Parameter(
      \Grain.roughness, "roughness", in: 0...100, step: 1, neutral: 50, flag: "grain-roughness",
      "How uneven it is; 0 is the same everywhere"),
    Parameter(
      \Grain.seed, "seed", in: 0...9999, step: 1, neutral: 0, flag: "grain-seed",
      "Another number is another piece of film"),
  ]

  /// 0…100.
  public var amount: Float
  /// 0…100; 25 has clumps of 8 µm on a frame of 36 mm.
  public var size: Float
  /// 0…100.
  public var roughness: Float
  /// 0…9999; fractions count as the number below.
  public var seed: Float

  public init() { self.init(0) }
  public init(_ amount: Float, size: Float = 25, roughness: Float = 50, seed: Float = 0) {
    self.amount = amount
    self.size = size
    self.roughness = roughness
    self.seed = seed
  }

  public func lower(into plan: inout PlanBuilder) {
    plan.grain(
      amount: Double(amount) / 100, size: Double(size) / 100, roughness: Double(roughness) / 100,
      seed: Int(seed))
  }

  /// Only the amount has a strength: half of a grain is as fine as all of it.
  public func scaled(by strength: Double) -> Grain {
    var scaled = self
    scaled.amount = Float(Double(amount) * strength)
    return scaled
  }
}
