import ColorScience
import FrameCore

/// Named passes over a list of stages, run in order until nothing changes. Each one that acts is recorded.
public struct Optimizer {
  /// A pass that changed the list, or explains why it did not.
  public struct Record: Sendable, Hashable {
    public let pass: String
    public let before: Int
    public let after: Int
    /// Remarks of the pass, such as the errors of tables it rejected.
    public var remarks: [String] = []
  }

  struct Pass: Sendable {
    let name: String
    let run: @Sendable ([Stage], inout [String]) -> [Stage]
  }

  private(set) var records: [Record] = []

  /// The passes that define a plan's meaning: one resample in the right light. Every renderer runs at least these.
  static func requiredPasses(encoding: [TransferFunction]) -> [Pass] {
    [
      Pass(name: "join geometry") { stages, _ in joinGeometry(stages) },
      Pass(name: "split downsampling") { stages, _ in splitDownsample(stages, encoding: encoding) },
      Pass(name: "drop identity geometry") { stages, _ in dropIdentityGeometry(stages) },
    ]
  }

  /// The passes that determine how the samples of the input are resampled.
  ///
  /// - Parameter stored: the luma and colour differences of the output; nil for RGBA.
  static func samplingPasses(
    of input: PlanInput, _ interpolation: Interpolation, into stored: YCbCrStage? = nil
  ) -> [Pass] {
    [
      Pass(name: "keep stored samples") { stages, _ in keepStoredSamples(stages, as: stored) },
      Pass(name: "resample as stored") { stages, _ in resampleAsStored(stages) },
      Pass(name: "choose sampling") { stages, _ in chooseSampling(stages, of: input, interpolation) },
    ]
  }

  /// The passes that make a plan faster without changing its meaning.
  static let algebraicPasses: [Pass] = [
    Pass(name: "remove no-ops") { stages, _ in removeNoOps(stages) },
    Pass(name: "cancel inverses") { stages, _ in cancelInverses(stages) },
    Pass(name: "multiply matrices") { stages, _ in multiplyMatrices(stages) },
  ]

  /// Runs the passes until none of them changes anything.
  ///
  /// - Throws: `SafelightError` if they do not converge, such as when one pass undoes another. It shows the lists
  ///   of stages before and after the last change.
  mutating func run(_ passes: [Pass], on stages: [Stage]) throws -> [Stage] {
    var stages = stages
    // Except for a few that split or move geometry, passes remove stages, so most rounds leave fewer.
    let mostRounds = stages.count + Self.sparedRounds
    var changing: [String] = []
    var before: [Stage] = []
    for _ in 0...mostRounds {
      changing = []
      for pass in passes {
        var remarks: [String] = []
        let next = pass.run(stages, &remarks)
        // A pass that leaves the list unchanged may still explain why.
        guard next != stages || !remarks.isEmpty else { continue }
        records.append(Record(pass: pass.name, before: stages.count, after: next.count, remarks: remarks))
        guard next != stages else { continue }
        (before, stages) = (stages, next)
        changing.append(pass.name)
      }
      if changing.isEmpty { return stages }
    }
    throw SafelightError(
      .unsupported,
      "The plan swings between\n\(Self.text(before))\nand\n\(Self.text(stages))\nand does not settle: "
        + "after \(mostRounds) rounds the passes \(changing.joined(separator: ", ")) still change it",
      remedy: "simplify the recipe, and report this with it")
  }

  /// Returns one line per stage, as in plans.
  private static func text(_ stages: [Stage]) -> String {
    stages.isEmpty ? "  no stages" : stages.map { "  \($0)" }.joined(separator: "\n")
  }

  /// Extra rounds for passes that remove nothing.
  private static let sparedRounds = 8

  // MARK: Geometry

  /// Joins the resamples between two barriers into one and moves the colour stages between them, with which
  /// resamples commute, behind it; fields then take places in the resampled picture. Any other stage is a barrier, such
  /// as one that reads neighbouring pixels.
  static func joinGeometry(_ stages: [Stage]) -> [Stage] {
    var out: [Stage] = []
    var joined: Geometry?
    var colour: [Stage] = []
    func finishRun() {
      if let joined { out.append(.geometry(joined)) }
      out += colour
      (joined, colour) = (nil, [])
    }
    for stage in stages {
      if case .geometry(let geometry) = stage {
        let isStored = joined.map { !$0.isAffine } ?? false
        colour = colour.map { $0.behind(geometry, isStored: isStored) }
        joined = joined?.then(geometry) ?? geometry
      } else if stage.isColor {
        colour.append(stage)
      } else {
        finishRun()
        out.append(stage)
      }
    }
    finishRun()
    return out
  }

  /// Splits a resample that downsamples into an antialiased downsampling along the input's axes and a resample at scale
  /// 1. Beyond a factor of 1.5 the downsampling averages linear light, because averages of encoded samples are too
  /// dark.
  ///
  /// Only a resample of the input's own samples is split: the encoding behind other stages is unknown here.
  static func splitDownsample(_ stages: [Stage], encoding: [TransferFunction]) -> [Stage] {
    // Behind their stage, camera samples are RGB in the same encoding, as are samples without noise.
    let camera = stages.prefix { stage in
      switch stage {
      case .ycbcr, .denoise: true
      case .geometry, .downsample, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen,
        .channelTables, .baked:
        false
      }
    }
    guard case .geometry(let geometry)? = stages.dropFirst(camera.count).first else {
      return stages
    }
    // Projections sample RGB, which camera samples become in the picture that a downsampling makes, if only at scale 1.
    let isStored = if case .ycbcr? = camera.last { true } else { false }
    guard
      let (downsample, rest) = geometry.splittingDownsample(
        encoding: encoding, always: isStored && !geometry.isAffine)
    else { return stages }
    return camera + [.downsample(downsample), .geometry(rest)] + stages.dropFirst(camera.count + 1)
  }

  static func dropIdentityGeometry(_ stages: [Stage]) -> [Stage] {
    stages.filter { if case .geometry(let geometry) = $0 { !geometry.isIdentity } else { true } }
  }

  // MARK: Sampling

  /// Drops the conversion of camera samples to RGB if nothing follows it and the output can take them as they are.
  static func keepStoredSamples(_ stages: [Stage], as stored: YCbCrStage?) -> [Stage] {
    guard let stored, stages.count == 1, case .ycbcr(let camera) = stages[0], camera.isKept(as: stored) else {
      return stages
    }
    return []
  }

  /// Moves the resample of a camera picture ahead of its conversion to RGB, so that samples are resampled as
  /// stored, each plane at its own resolution. Both are linear and commute, except for the clipping to 0…1, which
  /// now comes last. Downsamplings in linear light need RGB first.
  static func resampleAsStored(_ stages: [Stage]) -> [Stage] {
    guard stages.count > 1, case .ycbcr = stages[0], case .geometry = stages[1] else { return stages }
    return [stages[1], stages[0]] + stages.dropFirst(2)
  }

  /// Chooses the interpolation and the order of weighting. 8-bit samples as stored are resampled in two passes if
  /// the rotation is small. Deeper samples and those with alpha spend their time elsewhere and are always
  /// resampled directly, as is the output of a downsampling, which is deeper. Where geometry is not affine, one kernel
  /// resamples all of them, and two passes are quicker unless edges are transparent.
  static func chooseSampling(
    _ stages: [Stage], of input: PlanInput, _ interpolation: Interpolation
  ) -> [Stage] {
    let isStored = input.format.bitsPerSample == 8 && input.alpha == .opaque
    return stages.enumerated().map { index, stage in
      // Moved whole pixels are copied from RGBA, but from camera samples only in the luma plane.
      guard case .geometry(var geometry) = stage, geometry.pixelMove == nil || input.ycbcr != nil else {
        return stage
      }
      geometry.interpolation = interpolation
      let isInTwoPasses = geometry.isAffine ? isStored && index == 0 : geometry.outside == .clamp
      geometry.order = isInTwoPasses ? geometry.orderInTwoPasses : .direct
      return .geometry(geometry)
    }
  }

  // MARK: Colour

  /// Drops stages that return their input.
  static func removeNoOps(_ stages: [Stage]) -> [Stage] {
    stages.filter { stage in
      switch stage {
      // Other passes drop geometry.
      case .geometry, .downsample, .ycbcr: true
      case .denoise(let denoising): !denoising.isNeutral
      case .matrix(let matrix): !matrix.isIdentity(within: 1e-9)
      case .curve(.decode(let functions)), .curve(.encode(let functions)):
        functions.contains { $0 != .linear }
      case .curve(.power(let exponent, _)): exponent != 1
      case .pointwise(.oklabChroma(let chroma, _)): chroma != 1
      case .pointwise(.oklabTurn(let degrees, _)): degrees != 0
      case .pointwise(.tone(let curve)): !curve.isNeutral
      // Filters append them only where they change something.
      case .pointwise(.curves), .pointwise(.hues), .pointwise(.gamut): true
      case .lut(let lookup): lookup.strength != 0
      case .field, .masked, .sharpen, .channelTables, .baked: true
      }
    }
  }

  /// Drops adjacent curves that undo each other.
  static func cancelInverses(_ stages: [Stage]) -> [Stage] {
    var out: [Stage] = []
    for stage in stages {
      if case .curve(let next) = stage, case .curve(let last)? = out.last, last.isInverse(of: next) {
        out.removeLast()
      } else {
        out.append(stage)
      }
    }
    return out
  }

  static func multiplyMatrices(_ stages: [Stage]) -> [Stage] {
    var out: [Stage] = []
    for stage in stages {
      if case .matrix(let next) = stage, case .matrix(let last)? = out.last, (next * last).isFinite {
        out[out.count - 1] = .matrix(next * last)
      } else {
        out.append(stage)
      }
    }
    return out
  }

  /// Fuses each run of colour stages into exact tables per channel, or into one or two proven 3D tables.
  static func fuseColor(_ stages: [Stage], baker: Baker, remarks: inout [String]) -> [Stage] {
    if let place = stages.firstIndex(where: \.isNeighbourhood) {
      return fuseColor(Array(stages[..<place]), baker: baker, remarks: &remarks) + stages[place...]
    }
    if let last = stages.lastIndex(where: { $0.isColor && $0.usesPosition }) {
      return fuseBehindField(stages, last: last, baker: baker, remarks: &remarks)
    }
    var out: [Stage] = []
    var rest = stages[...]
    while let stage = rest.first {
      guard stage.isPointwise else {
        out.append(stage)
        rest = rest.dropFirst()
        continue
      }
      let run = Array(rest.prefix { $0.isPointwise })
      rest = rest.dropFirst(run.count)
      out += fused(run, baker: baker, remarks: &remarks)
    }
    return out
  }

  /// Returns the tables for a run of colour stages, or the same stages if no table is accurate enough.
  private static func fused(_ run: [Stage], baker: Baker, remarks: inout [String]) -> [Stage] {
    let isFusedAlready = run.contains { stage in
      switch stage {
      case .baked, .channelTables: true
      case .geometry, .downsample, .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut,
        .sharpen:
        false
      }
    }
    guard !isFusedAlready else { return run }
    if run.allSatisfy(\.isPerChannel) { return [.channelTables(run)] }
    let entry = baker.tables(for: run)
    remarks += entry.remarks
    return entry.tables.isEmpty ? run : entry.tables.map(Stage.baked)
  }
}
