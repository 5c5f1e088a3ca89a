import ColorScience
import FrameCore

/// The samples that a plan produces.
public struct PlanOutput: Sendable, Hashable {
  public var format: PixelFormat
  public var space: ColorSpace
  /// The exact size to scale the edited picture to; nil keeps the recipe's. For streams, whose size must not
  /// change with the edit.
  public var size: PixelSize?
  /// The box into which the edited picture is downsampled; smaller pictures are unchanged. Nil sets no bound.
  public var maximumSize: PixelSize?
  /// How values between samples are interpolated if the picture is rotated or enlarged. Downsamplings always average.
  public var interpolation: Interpolation

  public init(
    format: PixelFormat = .rgba8, space: ColorSpace = .sRGB, size: PixelSize? = nil,
    maximumSize: PixelSize? = nil, interpolation: Interpolation = .sharp
  ) {
    self.format = format
    self.space = space
    self.size = size
    self.maximumSize = maximumSize
    self.interpolation = interpolation
  }
}

/// The optimized stages to which a recipe lowers for one input and output.
///
/// A plan is a value: equal recipes, inputs and outputs give equal plans.
public struct Plan: Sendable, Hashable {
  public let input: PlanInput
  public private(set) var output: PlanOutput
  public let outputSize: PixelSize
  /// The stages that the filters lowered to, before any pass: each resample by itself, and every conversion
  /// between colour spaces, with camera samples first converted to RGB. Rendered only to check the passes.
  public let loweredStages: [Stage]
  /// The meaning of the plan: one resample, then every colour stage exactly. The reference renderer runs these.
  public let exactStages: [Stage]
  /// The stages that fast renderers run.
  public private(set) var stages: [Stage]
  /// The passes that led from the lowered stages to `stages`.
  public private(set) var records: [Optimizer.Record]
  /// Remarks of the filters for the person who edits, each a sentence without its full stop.
  public let notes: [String]

  /// Whether 8-bit output is dithered: only if the input is deeper.
  public var dithers: Bool { output.format == .rgba8 && input.format.bitsPerSample > 8 }

  /// Lowers a recipe, baking tables exactly and slowly; `Renderer.plan` is fast.
  ///
  /// - Parameters:
  ///   - bakes: tables baked earlier, and the place to store new ones; for plans that are rebuilt often.
  ///   - optimized: false keeps the exact stages, for comparison.
  /// - Throws: `SafelightError` if a filter's value is out of range or does not fit the picture, if the recipe has
  ///   more than `Recipe.filterLimit` filters, or if they multiply colours beyond what can be computed.
  public init(
    _ recipe: Recipe, input: PlanInput, output: PlanOutput, bakes: BakeCache? = nil, optimized: Bool = true
  ) throws {
    try self.init(
      recipe, input: input, output: output, evaluator: ExactEvaluator(), bakes: bakes, optimized: optimized)
  }

  /// Lowers a recipe.
  ///
  /// - Parameter evaluator: runs colour stages for baking; renderers pass their own fast one.
  package init(
    _ recipe: Recipe, input: PlanInput, output: PlanOutput, evaluator: any ColorEvaluator,
    bakes: BakeCache? = nil, optimized: Bool = true
  ) throws {
    try Self.check(output)
    var builder = try PlanBuilder(for: input)
    try builder.lower(recipe)
    try self.init(builder, input: input, output: output)
    if optimized { self = try self.optimized(evaluator: evaluator, bakes: bakes) }
  }

  static func check(_ output: PlanOutput) throws {
    guard output.format.isRGBA else {
      throw SafelightError(
        .unsupported, "Plans make RGBA pictures, not \(output.format.rawValue)",
        remedy: "ask for rgba8 and convert the result with PixelConverter")
    }
  }

  /// The plan, not optimized, for what all filters lowered to.
  init(_ filters: PlanBuilder, input: PlanInput, output: PlanOutput) throws {
    var builder = filters
    if let size = output.size, size != builder.size {
      try builder.geometry { Geometry(scaling: $0, to: size) }
    }
    if let box = output.maximumSize, !builder.size.fits(into: box) {
      try builder.geometry { Geometry(scaling: $0, to: $0.fitted(into: box)) }
    }
    builder.enter(output.space)
    if builder.problem != nil {
      throw SafelightError(
        .unsupported, "The colours of \(input.space.name) cannot be converted to \(output.space.name)",
        remedy: "check the profile of the picture, or choose another output space")
    }

    self.input = input
    self.output = output
    outputSize = builder.size
    notes = builder.notes
    let camera = input.ycbcr.map {
      Stage.ycbcr(YCbCrStage(format: input.format, encoding: $0, interpolation: output.interpolation))
    }
    loweredStages = (camera.map { [$0] } ?? []) + builder.stages
    var optimizer = Optimizer()
    let joined = try optimizer.run(
      Optimizer.requiredPasses(encoding: input.space.transfer) + Optimizer.algebraicPasses, on: loweredStages)
    exactStages = try optimizer.run(Optimizer.samplingPasses(of: input, output.interpolation), on: joined)
    stages = exactStages
    records = optimizer.records
  }

  /// Returns this plan with its colours fused into tables, if the samples of its input and output have 8 bits.
  ///
  /// The recipe is not lowered again: a plan made with `optimized: false` becomes the one that it would have been.
  ///
  /// - Parameters: as for `init`.
  package func optimized(
    evaluator: any ColorEvaluator = ExactEvaluator(), bakes: BakeCache? = nil
  ) throws -> Plan {
    var plan = exact(as: output.format)
    guard input.format.bitsPerSample == 8, output.format == .rgba8 else { return plan }
    var optimizer = Optimizer(records: plan.records)
    let baker = Baker(evaluator: evaluator, outputSpace: output.space, cache: bakes)
    let fuse = Optimizer.Pass(name: Self.fusion) {
      Optimizer.fuseColor($0, baker: baker, remarks: &$1)
    }
    plan.stages = try optimizer.run([fuse], on: exactStages)
    plan.records = optimizer.records
    return plan
  }

  /// Returns this plan with its exact stages, for output samples of another format of RGBA.
  package func exact(as format: PixelFormat) -> Plan {
    var plan = self
    plan.output.format = format
    plan.stages = exactStages
    plan.records.removeAll { $0.pass == Self.fusion }
    return plan
  }

  private static let fusion = "fuse colour"
}

extension Plan {
  /// Whether every sample keeps its value and place, except that camera samples become RGB.
  package var keepsSamples: Bool {
    outputSize == input.size && stages.allSatisfy { if case .ycbcr = $0 { true } else { false } }
  }

  /// Whether the whole picture is first downsampled.
  public var downsamples: Bool {
    stages.contains { if case .downsample = $0 { true } else { false } }
  }

  /// The resample of the input; nil if there is none.
  public var geometry: Geometry? {
    for stage in stages {
      if case .geometry(let geometry) = stage { return geometry }
    }
    return nil
  }
}
