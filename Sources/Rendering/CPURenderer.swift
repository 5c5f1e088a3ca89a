import ColorScience
import FilterGraph
import FrameCore
import PixelKernels
import Synchronization
import Libc

/// Runs a plan's optimized stages with SIMD kernels on all cores, in tiles that stay in the second-level cache.
///
/// The threads start with the first picture and then wait for the next; copies of a renderer share them. After the
/// first frame `renderFrame` allocates nothing.
public struct CPURenderer: Renderer {
  public let name = "cpu"
  /// Bakes on all of the renderer's threads.
  public let evaluator: any ColorEvaluator
  /// Bakes on the caller's thread alone, for plans made while frames are rendered: a table may be ready a little
  /// later.
  public let serialEvaluator: any ColorEvaluator = KernelEvaluator()
  /// The maximum number of threads; nil uses every core.
  public let threads: Int?
  let pool: WorkerPool
  /// Shares colours between the plans in use.
  let colors = CompiledColors()

  public init(threads: Int? = nil) {
    self.threads = threads
    pool = WorkerPool(threads: threads)
    evaluator = KernelEvaluator(pool: pool)
  }

  /// The instruction set that the kernels use, for example `AVX3`.
  public static var instructionSet: String { String(cString: sl_instruction_set()) }

  public func prepare(_ plan: Plan) -> PreparedPlan {
    PreparedPlan(plan: plan, state: CompiledPlan(plan, sharing: colors))
  }

  public func prepare(_ source: PixelBuffer, for prepared: PreparedPlan) throws -> PreparedSource {
    try prepared.plan.check(source)
    let compiled = try compiled(prepared)
    guard compiled.downsample != nil else {
      return PreparedSource(buffer: source, plan: prepared.plan, state: Self.preparedHere)
    }
    let downsampled = try compiled.makeDownsampledPicture(of: source)
    downsample(source, through: compiled, into: downsampled)
    return PreparedSource(buffer: downsampled, plan: prepared.plan, state: Self.preparedHere)
  }

  public var takesRows: Bool { true }

  public func prepare(_ window: RowWindow, for prepared: PreparedPlan) throws -> PreparedSource {
    let plan = prepared.plan
    guard window.fits(plan), !plan.downsamples else {
      throw SafelightError(
        .invalidValue, "The window of rows was made for another plan", remedy: "make one for this plan")
    }
    return PreparedSource(samples: .window(window), plan: plan, state: Self.preparedHere)
  }

  public func beginDownsampling(for prepared: PreparedPlan) throws -> RowDownsampling? {
    let compiled = try compiled(prepared)
    guard let downsample = compiled.downsample, prepared.plan.input.format.isRGBA else { return nil }
    let downsampled = try PixelBuffer(
      size: downsample.outputSize, format: downsample.outputFormat, alpha: prepared.plan.input.alpha)
    return RowDownsampling(prepared, downsample, pool: pool, into: downsampled) {
      PreparedSource(buffer: $0, plan: prepared.plan, state: Self.preparedHere)
    }
  }

  public func render(
    _ source: PreparedSource, through prepared: PreparedPlan, rows: Range<Int>, into output: PixelBuffer
  ) throws {
    let compiled = try compiled(prepared)
    guard source.state is PreparedHere else {
      throw SafelightError(
        .invalidValue, "The picture was prepared by another renderer", remedy: "prepare it with this one")
    }
    try prepared.plan.check(source, rows: rows, output: output)
    render(source.samples, through: compiled, rows: rows, into: output)
  }

  public func renderFrame(_ source: PixelBuffer, through prepared: PreparedPlan, into output: PixelBuffer)
    throws
  {
    try renderFrame(source, through: prepared, into: output, probe: nil)
  }

  /// As `renderFrame(_:through:into:)`; `probe` records the time of each step.
  public func renderFrame(
    _ source: PixelBuffer, through prepared: PreparedPlan, into output: PixelBuffer, probe: RenderProbe?
  ) throws {
    let plan = prepared.plan
    try plan.check(source)
    let rows = 0..<plan.outputSize.height
    try plan.check(rows: rows, output: output)
    let compiled = try compiled(prepared)
    guard compiled.downsample != nil else {
      render(.picture(source), through: compiled, rows: rows, into: output, probe: probe)
      probe?.endFrame()
      return
    }
    let downsampled = try compiled.takeDownsampledPicture(of: source)
    downsample(source, through: compiled, into: downsampled, probe: probe)
    render(.picture(downsampled), through: compiled, rows: rows, into: output, probe: probe)
    compiled.giveBack(downsampled)
    probe?.endFrame()
  }

  private func compiled(_ prepared: PreparedPlan) throws -> CompiledPlan {
    guard let compiled = prepared.state as? CompiledPlan else {
      throw SafelightError(
        .invalidValue, "The plan was prepared by another renderer", remedy: "prepare it with this one")
    }
    return compiled
  }

  private func downsample(
    _ source: PixelBuffer, through compiled: CompiledPlan, into downsampled: PixelBuffer,
    probe: RenderProbe? = nil
  ) {
    guard let downsample = compiled.downsample else { return }
    let work = compiled.takeWork()
    work.downsample(source, through: downsample, into: downsampled, probe: probe)
    pool.run(work)
    compiled.giveBack(work)
  }

  private func render(
    _ source: PreparedSource.Samples, through compiled: CompiledPlan, rows: Range<Int>,
    into output: PixelBuffer, probe: RenderProbe? = nil
  ) {
    let work = compiled.takeWork()
    work.render(source, through: compiled, rows: rows, into: output, probe: probe)
    pool.run(work)
    compiled.giveBack(work)
  }

  /// Marks pictures that a CPU renderer prepared.
  private final class PreparedHere: Sendable {}
  private static let preparedHere = PreparedHere()
}

extension Renderer where Self == CPURenderer {
  /// The default: the CPU renderer on all cores.
  public static var automatic: CPURenderer { CPURenderer() }
}

extension Renderer where Self == ReferenceRenderer {
  public static var reference: ReferenceRenderer { ReferenceRenderer() }
}

extension CPURenderer {
  /// Throws if `SAFELIGHT_SIMD` names no instruction set.
  public static func checkEnvironment() throws {
    guard sl_limit_instruction_set(nil) == 0 else { return }
    let requested = getenv("SAFELIGHT_SIMD").map { String(cString: $0) } ?? ""
    throw SafelightError(
      .invalidValue, "SAFELIGHT_SIMD is “\(requested)”, which names no instruction set",
      remedy: "use \(InstructionSet.names), or unset it")
  }
}
