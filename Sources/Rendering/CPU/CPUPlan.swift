import FilterGraph
import FrameCore

/// A plan as prepared by a CPU renderer, whose threads it shares.
public final class CPUPlan: PreparedPlan, BandedPlan, RowTakingPlan {
  public let plan: Plan
  let pool: WorkerPool
  private let compiled: CompiledPlan

  init(_ plan: Plan, _ compiled: CompiledPlan, pool: WorkerPool) {
    (self.plan, self.compiled, self.pool) = (plan, compiled, pool)
  }

  /// Returns the plan with the same tables on another renderer's threads.
  package func on(_ renderer: CPURenderer) -> CPUPlan { CPUPlan(plan, compiled, pool: renderer.pool) }

  public var bands: (any BandedPlan)? { plan.rendersRows ? self : nil }
  public var rows: (any RowTakingPlan)? { plan.rendersRows ? self : nil }

  // MARK: Frames

  public func render(_ source: PixelBuffer, into output: PixelBuffer) throws {
    try render(source, into: output, probe: nil)
  }

  /// As `render(_:into:)`; `probe` records the time of each step.
  package func render(_ source: PixelBuffer, into output: PixelBuffer, probe: RenderProbe?) throws {
    try plan.check(source)
    let rows = 0..<plan.outputSize.height
    try plan.check(rows: rows, output: output)
    guard !plan.copiesSamples else { return copySamples(of: source, into: output, probe: probe) }
    guard compiled.downsample != nil else {
      run(.picture(source), rows: rows, into: output, probe: probe)
      probe?.endFrame()
      return
    }
    let downsampled = try compiled.takeDownsampledPicture(of: source)
    downsample(source, into: downsampled, probe: probe)
    run(.picture(downsampled), rows: rows, into: output, probe: probe)
    compiled.giveBack(downsampled)
    probe?.endFrame()
  }

  // MARK: Bands

  public func prepare(_ source: PixelBuffer) throws -> any PreparedPicture {
    try plan.checkRendersRows()
    return CPUPicture(plan: self, samples: .picture(try downsampled(source)))
  }

  public func prepare(_ window: RowWindow) throws -> any PreparedPicture {
    try plan.checkRendersRows()
    guard window.fits(plan), !plan.downsamples else {
      throw SafelightError(
        .invalidValue, "The window of rows was made for another plan", remedy: "make one for this plan")
    }
    return CPUPicture(plan: self, samples: .window(window))
  }

  public func beginDownsampling() throws -> (any RowDownsampling)? { try makeDownsampling() }

  func makeDownsampling() throws -> CPURowDownsampling? {
    try plan.checkRendersRows()
    guard let shrink = compiled.downsample, plan.input.format.isRGBA else { return nil }
    let downsampled = try PixelBuffer(
      size: shrink.outputSize, format: shrink.outputFormat, alpha: plan.input.alpha)
    return CPURowDownsampling(self, shrink, into: downsampled)
  }

  /// Returns the picture that tiles are rendered from: the downsampled one if the plan downsamples.
  func downsampled(_ source: PixelBuffer) throws -> PixelBuffer {
    try plan.check(source)
    guard compiled.downsample != nil else { return source }
    let downsampled = try compiled.makeDownsampledPicture(of: source)
    downsample(source, into: downsampled)
    return downsampled
  }

  // MARK: Work

  private func copySamples(of source: PixelBuffer, into output: PixelBuffer, probe: RenderProbe?) {
    guard let copy = compiled.copy else { return }
    let work = compiled.takeWork()
    work.copySamples(of: source, as: copy, into: output, probe: probe)
    pool.run(work)
    compiled.giveBack(work)
    probe?.endFrame()
  }

  private func downsample(_ source: PixelBuffer, into downsampled: PixelBuffer, probe: RenderProbe? = nil) {
    guard let shrink = compiled.downsample else { return }
    let work = compiled.takeWork()
    work.downsample(source, through: shrink, into: downsampled, probe: probe)
    pool.run(work)
    compiled.giveBack(work)
  }

  fileprivate func run(
    _ samples: CPUPicture.Samples, rows: Range<Int>, into output: PixelBuffer, probe: RenderProbe? = nil
  ) {
    let work = compiled.takeWork()
    work.render(samples, through: compiled, rows: rows, into: output, probe: probe)
    pool.run(work)
    work.finish()
    compiled.giveBack(work)
  }
}

/// A picture prepared for a CPU plan, downsampled if the plan downsamples.
struct CPUPicture: PreparedPicture {
  /// The source of the samples.
  enum Samples {
    case picture(PixelBuffer)
    case window(RowWindow)
  }
  let plan: CPUPlan
  let samples: Samples

  func render(rows: Range<Int>, into output: PixelBuffer) throws {
    try plan.plan.check(rows: rows, output: output)
    plan.run(samples, rows: rows, into: output)
  }
}
