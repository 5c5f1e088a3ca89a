import ColorScience
import Dispatch
import FilterGraph
import FrameCore

/// Runs a plan's exact stages pixel by pixel in double precision, in the words of their definitions.
///
/// It is what every fast renderer is compared with, and is not meant to be fast.
public struct ReferenceRenderer: Renderer {
  public let name = "reference"
  public let evaluator: any ColorEvaluator = ExactEvaluator()
  /// Runs the optimized stages, tables included, instead of the exact ones.
  public let usesOptimizedStages: Bool

  public init(usesOptimizedStages: Bool = false) { self.usesOptimizedStages = usesOptimizedStages }

  public func prepare(_ plan: Plan) -> PreparedPlan { PreparedPlan(plan: plan, state: ()) }

  public func prepare(_ source: PixelBuffer, for prepared: PreparedPlan) throws -> PreparedSource {
    let plan = prepared.plan
    try plan.check(source)
    var picture: any ReferencePicture = BufferPicture(buffer: source)
    // Integer samples cannot hold what a resampling filter overshoots.
    let clips = plan.input.format.isInteger
    var isStored = plan.input.ycbcr != nil
    var storedGeometry: Geometry?
    for stage in stages(of: plan) {
      switch stage {
      case .ycbcr(let stage):
        picture = CameraPicture(buffer: source, stage: stage, geometry: storedGeometry)
        isStored = false
      case .geometry(let geometry) where isStored: storedGeometry = geometry
      case .shrink(let shrink): picture = ShrunkPicture(picture, shrink, clips: clips)
      case .geometry(let geometry):
        picture = ResampledPicture(source: picture, geometry: geometry, clips: clips)
      default: continue
      }
    }
    return PreparedSource(buffer: source, plan: plan, state: picture)
  }

  private func stages(of plan: Plan) -> [Stage] { usesOptimizedStages ? plan.stages : plan.exactStages }

  public func render(
    _ source: PreparedSource, through prepared: PreparedPlan, rows: Range<Int>, into output: PixelBuffer
  ) throws {
    let plan = prepared.plan
    guard let picture = source.state as? any ReferencePicture else {
      throw SafelightError(
        .invalidValue, "The picture was prepared by another renderer", remedy: "prepare it with this one")
    }
    try plan.check(source, rows: rows, output: output)
    let colour = stages(of: plan).filter(\.isPointwise)
    DispatchQueue.concurrentPerform(iterations: rows.count) { index in
      let y = rows.lowerBound + index
      for x in 0..<plan.outputSize.width {
        let pixel = picture.pixel(x, y)
        let rgb = colour.reduce(SIMD3(pixel.x, pixel.y, pixel.z)) { $1.evaluate($0) }
        let dither = plan.dithers ? Double(Dither.threshold(x: x, y: y)) : 0
        store(SIMD4(rgb, pixel.w), dither: dither, x: x, y: index, in: output)
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
