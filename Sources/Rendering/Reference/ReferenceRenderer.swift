import ColorScience
import Dispatch
import FilterGraph
import FrameCore

/// Runs a plan's exact stages pixel by pixel in double precision, following their definitions.
///
/// Every fast renderer is compared with it; it is not meant to be fast.
public struct ReferenceRenderer: Renderer {
  /// Selects which of a plan's lists of stages is run.
  public enum Stages: Sendable, Hashable, CaseIterable {
    /// The stages that the filters lowered to, before any optimizer pass: each resample by itself, in its place.
    /// One that downsamples by a factor above 1.5 averages light, as the whole plan's downsampling does.
    case lowered
    /// The meaning of the plan.
    case exact
    /// The stages that fast renderers run, tables included.
    case optimized
  }

  public let name = "reference"
  public let stages: Stages

  public init(_ stages: Stages = .exact) { self.stages = stages }

  public func prepare(_ plan: Plan) -> some PreparedPlan { ReferencePlan(plan: plan, list: stages) }

  public func optimize(_ draft: Plan, options: PlanOptions) throws -> Plan {
    try draft.optimized(evaluator: ExactEvaluator(), bakes: options.bakes)
  }
}

/// A plan as the reference renderer runs it.
private struct ReferencePlan: PreparedPlan, BandedPlan {
  let plan: Plan
  let list: ReferenceRenderer.Stages
  /// The grids of the one picture that is rendered; nil if each picture has its own.
  var light: [LightGrid]?

  func lit(by proxy: LightProxy) throws -> any PreparedPlan {
    try plan.check(proxy)
    var own = self
    own.light = ReferenceLight.grids(of: proxy, for: plan)
    return own
  }

  var bands: (any BandedPlan)? { plan.rendersRows ? self : nil }

  func render(_ source: PixelBuffer, into output: PixelBuffer) throws {
    try plan.check(source, into: output)
    let rows = 0..<plan.outputSize.height
    guard let stored = plan.storedSamples else { return picture(of: source).fill(rows, of: output) }
    guard let encoding = plan.input.ycbcr, plan.copiesSamples else {
      let colours = try PixelBuffer(size: plan.outputSize, format: plan.output.colorFormat)
      picture(of: source).fill(rows, of: colours)
      let planes = ReferencePlanes(stored, size: plan.outputSize) { x, y in
        let row = colours.row(y, as: UInt8.self)
        return SIMD3(Double(row[4 * x]), Double(row[4 * x + 1]), Double(row[4 * x + 2]))
      }
      for y in rows { planes.store(row: y, in: output) }
      return
    }
    let own = CameraPicture(
      buffer: source, stage: YCbCrStage(format: source.format, encoding: encoding), geometry: nil)
    let planes = ReferencePlanes(stored, own: own)
    for y in rows { planes.store(row: y, in: output) }
  }

  func prepare(_ source: PixelBuffer) throws -> any PreparedPicture {
    try plan.check(source)
    try plan.checkRendersRows()
    return picture(of: source)
  }

  private func picture(of source: PixelBuffer) -> PreparedReferencePicture {
    let light = light ?? ReferenceLight.grids(of: source, for: plan)
    let picture: any ReferencePicture =
      switch list {
      case .lowered: LoweredPictures.picture(of: source, through: plan, light)
      case .exact: Self.picture(of: source, through: plan, plan.exactStages, light)
      case .optimized: Self.picture(of: source, through: plan, plan.stages, light)
      }
    return PreparedReferencePicture(plan: plan, picture: picture)
  }

  private static func picture(
    of source: PixelBuffer, through plan: Plan, _ stages: [Stage], _ light: [LightGrid]
  ) -> any ReferencePicture {
    var light = light[...]
    var picture: any ReferencePicture = BufferPicture(buffer: source)
    // Integer samples cannot hold a resampling filter's overshoot.
    let clips = plan.input.format.isInteger
    var isStored = plan.input.ycbcr != nil
    var storedGeometry: Geometry?
    for stage in stages {
      switch stage {
      case .ycbcr(let stage):
        picture = CameraPicture(buffer: source, stage: stage, geometry: storedGeometry)
        isStored = false
      case .denoise(let denoising): picture = DenoisedPicture(picture, denoising, clips: clips)
      case .geometry(let geometry) where isStored: storedGeometry = geometry
      case .downsample(let downsample): picture = DownsampledPicture(picture, downsample, clips: clips)
      case .geometry(let geometry):
        picture = ResampledPicture(source: picture, geometry: geometry, clips: clips)
      case .sharpen(let sharpening):
        picture = SharpenedPicture(picture, sharpening, clips: plan.output.colorFormat.isInteger)
      case .matrix, .curve, .pointwise, .field, .masked, .lut, .channelTables, .baked:
        picture = picture.colored(
          by: stage, in: stage.gridField == nil ? nil : light.popFirst(), plan.projected)
      }
    }
    return picture
  }
}

/// A picture whose pixels are computed when they are rendered.
private struct PreparedReferencePicture: PreparedPicture {
  let plan: Plan
  let picture: any ReferencePicture

  func render(rows: Range<Int>, into output: PixelBuffer) throws {
    try plan.check(rows: rows, output: output)
    fill(rows, of: output)
  }

  /// Stores rows in RGBA, in a buffer of the output's format or, for luma and colour differences, of the format that
  /// they are made of.
  func fill(_ rows: Range<Int>, of output: PixelBuffer) {
    DispatchQueue.concurrentPerform(iterations: rows.count) { index in
      let y = rows.lowerBound + index
      for x in 0..<plan.outputSize.width {
        let dither = plan.dithers ? Double(Dither.threshold(x: x, y: y)) : 0
        store(picture.pixel(x, y), dither: dither, x: x, y: index, in: output)
      }
    }
  }

  private func store(_ pixel: SIMD4<Double>, dither: Double, x: Int, y: Int, in output: PixelBuffer) {
    func code(_ channel: Int, _ full: Double) -> Double {
      let value = pixel[channel] * full + (channel < 3 ? dither : 0)
      return value.isNaN ? 0 : min(max(value, 0), full).rounded()
    }
    for channel in 0..<4 {
      switch output.format {
      case .rgba8: output.row(y, as: UInt8.self)[4 * x + channel] = UInt8(code(channel, 255))
      case .rgba16: output.row(y, as: UInt16.self)[4 * x + channel] = UInt16(code(channel, 65_535))
      default: output.row(y, as: Float.self)[4 * x + channel] = Float(pixel[channel])
      }
    }
  }
}
