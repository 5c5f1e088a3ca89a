import ColorScience
import FrameCore

/// The samples that a plan produces.
///
/// Luma and colour differences are made of the picture that the plan would store as `rgba8`, dither included, as
/// `PixelConverter` makes them, but without that picture in memory. Frames that the plan leaves as they are keep their
/// own samples if matrix, range and siting allow it: `Plan.copiesSamples`.
public struct PlanOutput: Sendable, Hashable {
  public var format: PixelFormat
  public var space: ColorSpace
  /// The matrix, range and chroma siting of luma and colour differences; all else is ignored, and everything for RGBA.
  /// What they leave open follows `YCbCrEncoding.init(tags:size:)` at the size of the output; nil means untagged
  /// video, of limited range.
  public var videoTags: ColorTags?
  /// The exact size to scale the edited picture to; nil keeps the recipe's. For streams, whose size must not
  /// change with the edit.
  public var size: PixelSize?
  /// The box into which the edited picture is downsampled; smaller pictures are unchanged. Nil sets no bound.
  public var maximumSize: PixelSize?
  /// How values between samples are interpolated if the picture is rotated or enlarged. Downsamplings always average.
  public var interpolation: Interpolation
  /// Shows the result as a device would reproduce it; nil shows it as it is.
  public var proof: SoftProof?

  public init(
    format: PixelFormat = .rgba8, space: ColorSpace = .sRGB, videoTags: ColorTags? = nil,
    size: PixelSize? = nil, maximumSize: PixelSize? = nil, interpolation: Interpolation = .sharp
  ) {
    self.format = format
    self.space = space
    self.videoTags = videoTags
    self.size = size
    self.maximumSize = maximumSize
    self.interpolation = interpolation
  }

  /// The format of RGBA in which colours leave the last stage, and are dithered: that of the output or, for luma and
  /// colour differences, the one that they are made of.
  public var colorFormat: PixelFormat { format.isRGBA ? format : .rgba8 }

  /// Returns how luma and colour differences of an output of `size` encode R'G'B'; nil for RGBA.
  ///
  /// - Throws: `SafelightError` if the tags name the matrix of RGB samples.
  func encoding(at size: PixelSize) throws -> YCbCrEncoding? {
    let untagged = ColorTags(
      primaries: .unspecified, transfer: .unspecified, matrix: .unspecified, range: .limited)
    let tags = videoTags ?? untagged
    if format.isRGBA { return nil }
    return try format == .gray8 ? YCbCrEncoding(grey: tags) : YCbCrEncoding(tags: tags, size: size)
  }
}

/// The optimized stages to which a recipe lowers for one input and output.
///
/// A plan is a value: equal recipes, inputs and outputs give equal plans.
public struct Plan: Sendable, Hashable {
  public let input: PlanInput
  public private(set) var output: PlanOutput
  public let outputSize: PixelSize
  /// How luma and colour differences of the output encode R'G'B'; for grey only the range matters. Nil for RGBA.
  public private(set) var encoding: YCbCrEncoding?
  /// The stages that the filters lowered to, before any pass: each resample by itself, and every conversion
  /// between colour spaces, with camera samples first converted to RGB. Rendered only to check the passes.
  public let loweredStages: [Stage]
  /// The meaning of the plan: one resample, then every colour stage exactly. The reference renderer runs these.
  public let exactStages: [Stage]
  /// The stages that fast renderers run.
  public private(set) var stages: [Stage]
  /// The passes that led from the lowered stages to `stages`.
  public private(set) var records: [Optimizer.Record]
  /// The number of `records` that led to `exactStages`.
  private let exactRecordCount: Int
  /// Remarks of the filters for the person who edits, each a sentence without its full stop.
  public let notes: [String]

  /// Whether 8-bit output is dithered: only if the input is deeper.
  public var dithers: Bool { output.colorFormat == .rgba8 && input.format.bitsPerSample > 8 }

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
    var builder = try PlanBuilder(for: input)
    try builder.lower(recipe)
    try self.init(builder, input: input, output: output)
    if optimized { self = try self.optimized(evaluator: evaluator, bakes: bakes) }
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
    builder.showScene()
    builder.fitGamut(of: output.space, in: output.format)
    builder.enter(output.space)
    if let proof = output.proof {
      let table = try proof.table(for: output.space)
      builder.append(.lut(LookupStage(lut: table, strength: 1, name: table.title)))
    }
    builder.placeGrain()
    builder.addSceneDetail()
    builder.sharpenResult()
    if builder.problem != nil {
      throw SafelightError(
        .unsupported, "The colours of \(input.space.name) cannot be converted to \(output.space.name)",
        remedy: "check the profile of the picture, or choose another output space")
    }

    self.input = input
    self.output = output
    outputSize = builder.size
    encoding = try output.encoding(at: builder.size)
    notes = builder.notes
    let camera = input.ycbcr.map {
      Stage.ycbcr(YCbCrStage(format: input.format, encoding: $0, interpolation: output.interpolation))
    }
    let denoising = builder.denoising.map { Stage.denoise($0) }
    loweredStages = [camera, denoising].compactMap { $0 } + builder.stages
    var optimizer = Optimizer()
    let joined = try optimizer.run(
      Optimizer.requiredPasses(encoding: input.space.transfer) + Optimizer.algebraicPasses, on: loweredStages)
    let stored = encoding.map { YCbCrStage(format: output.format, encoding: $0) }
    exactStages = try optimizer.run(
      Optimizer.samplingPasses(of: input, output.interpolation, into: stored), on: joined)
    stages = exactStages
    records = optimizer.records
    exactRecordCount = records.count
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
    guard input.format.bitsPerSample == 8, output.colorFormat == .rgba8 else { return plan }
    var optimizer = Optimizer(records: plan.records)
    let baker = Baker(evaluator: evaluator, outputSpace: output.space, cache: bakes)
    let fuse = Optimizer.Pass(name: "fuse colour") {
      Optimizer.fuseColor($0, baker: baker, remarks: &$1)
    }
    let fold = Optimizer.Pass(name: "exposure of groups as fields") { stages, _ in
      Optimizer.foldGroups(stages)
    }
    let advance = Optimizer.Pass(name: "fields ahead of matrices") { stages, _ in
      Optimizer.advanceFields(stages)
    }
    let encode = Optimizer.Pass(name: "fields on encoded samples") { stages, _ in
      Optimizer.encodeFields(stages)
    }
    plan.stages = try optimizer.run(
      [fold, advance] + Optimizer.algebraicPasses + [fuse, encode], on: exactStages)
    plan.records = optimizer.records
    return plan
  }

  /// Returns the plan of the picture that the last stage, a neighbourhood, reads: in RGBA of more than 8 bits.
  package var aheadOfNeighbourhood: Plan {
    var plan = self
    plan.stages = Array(stages.prefix { !$0.isNeighbourhood })
    plan.output.format = formatInBetween
    plan.encoding = nil
    return plan
  }

  /// The format of samples between a resample and the next step: integers are kept at 16 bits.
  package var sampledFormat: PixelFormat { input.format.isInteger ? .rgba16 : .rgbaF32 }

  /// Returns the plan of the picture that colours are changed in: as large as the result, in `sampledFormat`.
  package var samplingOnly: Plan {
    var plan = self
    plan.stages = stages.filter { !$0.isColor && !$0.isNeighbourhood }
    plan.output.format = sampledFormat
    plan.encoding = nil
    return plan
  }

  /// Returns this plan with its exact stages, for output samples of another format of RGBA, or of the same format.
  package func exact(as format: PixelFormat) -> Plan {
    var plan = self
    plan.output.format = format
    plan.stages = exactStages
    plan.records = Array(records.prefix(exactRecordCount))
    return plan
  }
}

extension Plan {
  /// The layout and encoding of the output's luma and colour differences; nil for RGBA.
  package var storedSamples: YCbCrStage? {
    encoding.map { YCbCrStage(format: output.format, encoding: $0) }
  }

  /// Whether the output has the input's own samples of luma and colour differences, in another layout if need be, and
  /// with colour differences averaged where it has fewer of them. Nothing becomes RGB.
  public var copiesSamples: Bool { !output.format.isRGBA && input.ycbcr != nil && exactStages.isEmpty }

  /// Whether every sample keeps its value and place, except that camera samples become RGB.
  package var keepsSamples: Bool {
    outputSize == input.size && stages.allSatisfy { if case .ycbcr = $0 { true } else { false } }
  }

  /// Whether the whole picture is first downsampled.
  public var downsamples: Bool {
    stages.contains { if case .downsample = $0 { true } else { false } }
  }

  /// The noise reduction of the input, which reads the whole picture; nil if there is none.
  public var denoising: Denoising? {
    for stage in stages {
      if case .denoise(let denoising) = stage { return denoising }
    }
    return nil
  }

  /// Whether renderers make a picture of the whole source before the first row of the result.
  package var readsWholeSource: Bool { downsamples || denoising != nil }

  /// The resample of the input; nil if there is none.
  public var geometry: Geometry? {
    for stage in stages {
      if case .geometry(let geometry) = stage { return geometry }
    }
    return nil
  }
}
