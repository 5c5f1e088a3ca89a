import FilterGraph
import FrameCore

/// A plan as prepared by a CPU renderer, whose threads it shares.
public final class CPUPlan: PreparedPlan, BandedPlan, RowTakingPlan {
  public let plan: Plan
  let pool: WorkerPool
  let compiled: CompiledPlan
  /// The grids of the one picture that the plan renders; nil if each picture has its own.
  private let light: LightMemory?
  /// Of the live run whose frames are rendered.
  private let history: LightHistory?

  init(
    _ plan: Plan, _ compiled: CompiledPlan, pool: WorkerPool, light: LightMemory? = nil,
    history: LightHistory? = nil
  ) {
    (self.plan, self.compiled, self.pool, self.light) = (plan, compiled, pool, light)
    self.history = history
  }

  public func following(_ history: LightHistory) -> any PreparedPlan { cpuPlan(following: history) }

  /// As `following(_:)`.
  package func cpuPlan(following history: LightHistory) -> CPUPlan {
    compiled.light == nil ? self : CPUPlan(plan, compiled, pool: pool, history: history)
  }

  public func lit(by proxy: LightProxy) throws -> any PreparedPlan {
    guard let maker = compiled.light, maker.needsPicture else { return self }
    try plan.check(proxy)
    let light = LightMemory(maker)
    maker.make(light, of: proxy, on: pool)
    return CPUPlan(plan, compiled, pool: pool, light: light)
  }

  /// Returns the plan with the same tables on another renderer's threads.
  package func on(_ renderer: CPURenderer) -> CPUPlan {
    CPUPlan(plan, compiled, pool: renderer.pool, light: light, history: history)
  }

  public var bands: (any BandedPlan)? { plan.rendersRows ? self : nil }
  /// Noise is removed from the whole picture.
  public var rows: (any RowTakingPlan)? { plan.rendersRows && plan.denoising == nil ? self : nil }

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
    defer { probe?.endFrame() }
    // Of the picture as it is stored, noise included.
    let own = light == nil ? compiled.takeLight(of: source, history: history, on: pool) : nil
    defer { if let own { compiled.giveBack(own) } }
    let whole = Region(columns: 0..<plan.outputSize.width, rows: rows)
    try withSampledPicture(of: source, probe: probe) {
      run(.picture($0), light: light ?? own, whole, into: output, probe: probe)
    }
  }

  /// Calls `body` with the picture that tiles are rendered from: without noise if the plan removes it, and the downsampled
  /// one if the plan downsamples. Its memory is reused afterwards.
  func withSampledPicture(
    of source: PixelBuffer, probe: RenderProbe? = nil, _ body: (PixelBuffer) throws -> Void
  ) throws {
    var picture = source
    var clean, small: PixelBuffer?
    defer {
      if let clean { compiled.giveBackDenoised(clean) }
      if let small { compiled.giveBack(small) }
    }
    if let denoising = compiled.denoising {
      let denoised = try compiled.takeDenoisedPicture(of: source)
      clean = denoised
      denoise(source, through: denoising, into: denoised, probe: probe)
      picture = denoised
    }
    if compiled.downsample != nil {
      let downsampled = try compiled.takeDownsampledPicture(of: source)
      small = downsampled
      downsample(picture, into: downsampled, probe: probe)
      picture = downsampled
    }
    try body(picture)
  }

  // MARK: Bands

  public func prepare(_ source: PixelBuffer) throws -> any PreparedPicture {
    try plan.checkRendersRows()
    return CPUPicture(
      plan: self, samples: .picture(try downsampled(source)),
      light: light ?? compiled.makeLight(of: source, on: pool))
  }

  public func prepare(_ source: PixelBuffer, keeping kept: SampledPictures) throws -> any PreparedPicture {
    try plan.checkRendersRows()
    try plan.check(source)
    let light = light ?? compiled.makeLight(of: source, on: pool)
    if let denoising = compiled.denoising, !plan.downsamples {
      let tiles = try denoisedTiles(of: source, keeping: kept)
      return CPUPicture(
        plan: self, samples: .picture(source), light: light,
        denoised: CPUPicture.Denoised(tiles: tiles, through: denoising))
    }
    let sampling = plan.samplingOnly
    let isResampled = plan.geometry.map { $0.pixelMove == nil } ?? false
    guard plan.downsamples, isResampled else {
      return CPUPicture(plan: self, samples: .picture(try downsampled(source, keeping: kept)), light: light)
    }
    let sampled = try kept.picture(of: sampling.stages) {
      let sampler = CPUPlan(
        sampling, CompiledPlan(sampling, isCoarse: plan.samplesCoarsely), pool: pool)
      let picture = try sampling.makeOutput()
      try CPUPicture(
        plan: sampler, samples: .picture(try sampler.downsampled(source, keeping: kept)), light: nil
      ).render(rows: 0..<sampling.outputSize.height, into: picture)
      return picture
    }
    let colored = CompiledPlan(plan, sharing: compiled.colors, isSampled: true)
    return CPUPicture(
      plan: CPUPlan(plan, colored, pool: pool, light: light), samples: .picture(sampled), light: light)
  }

  public func prepare(_ window: RowWindow) throws -> any PreparedPicture {
    try plan.checkRendersRows()
    guard window.fits(plan), !plan.downsamples, plan.denoising == nil else {
      throw SafelightError(
        .invalidValue, "The window of rows was made for another plan", remedy: "make one for this plan")
    }
    try checkLight()
    return CPUPicture(plan: self, samples: .window(window), light: light)
  }

  public func beginDownsampling() throws -> (any RowDownsampling)? { try makeDownsampling() }

  func makeDownsampling() throws -> CPURowDownsampling? {
    try plan.checkRendersRows()
    guard let shrink = compiled.downsample, plan.input.format.isRGBA, plan.denoising == nil else {
      return nil
    }
    try checkLight()
    let downsampled = try PixelBuffer(
      size: shrink.outputSize, format: shrink.outputFormat, alpha: plan.input.alpha)
    return CPURowDownsampling(self, shrink, into: downsampled)
  }

  /// Returns the picture that tiles are rendered from: without noise if the plan removes it, and the downsampled one if
  /// the plan downsamples.
  ///
  /// - Parameter kept: where both are kept for other plans of the same picture; nil keeps nothing.
  func downsampled(_ source: PixelBuffer, keeping kept: SampledPictures? = nil) throws -> PixelBuffer {
    try plan.check(source)
    guard plan.downsamples else { return try denoised(source, keeping: kept) }
    let stages = plan.stages.filter { stage in
      switch stage {
      case .denoise, .downsample: true
      case .geometry, .ycbcr, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables,
        .baked:
        false
      }
    }
    func make() throws -> PixelBuffer {
      let picture = try denoised(source, keeping: kept)
      let downsampled = try compiled.makeDownsampledPicture(of: source)
      downsample(picture, into: downsampled)
      return downsampled
    }
    return try kept?.picture(of: stages, make) ?? make()
  }

  /// Returns the picture without its noise; the picture itself if the plan leaves it.
  private func denoised(_ source: PixelBuffer, keeping kept: SampledPictures?) throws -> PixelBuffer {
    guard let denoising = compiled.denoising else { return source }
    guard let kept else {
      let denoised = try compiled.takeDenoisedPicture(of: source)
      denoise(source, through: denoising, into: denoised)
      return denoised
    }
    let whole = Region(columns: 0..<source.width, rows: 0..<source.height)
    return try denoisedTiles(of: source, keeping: kept).picture(showing: whole, through: denoising) {
      denoise(source, through: denoising, tiles: $0, into: $1)
    }
  }

  private func denoisedTiles(of source: PixelBuffer, keeping kept: SampledPictures) throws -> DenoisedTiles {
    try kept.tiles(of: plan.denoising.map { [.denoise($0)] } ?? []) {
      try compiled.takeDenoisedPicture(of: source)
    }
  }

  /// Throws if local tone would need rows that are not there.
  private func checkLight() throws {
    guard compiled.light?.needsPicture == true, light == nil else { return }
    throw SafelightError(
      .invalidValue, "The plan needs the light of the whole picture before its rows",
      remedy: "give it a proxy of the picture with lit(by:)")
  }

  /// The picture of downsampled rows.
  func prepared(_ downsampled: PixelBuffer) -> CPUPicture {
    CPUPicture(plan: self, samples: .picture(downsampled), light: light)
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

  func denoise(
    _ source: PixelBuffer, through denoising: CompiledDenoising, tiles: [Int]? = nil,
    into denoised: PixelBuffer, probe: RenderProbe? = nil
  ) {
    let work = compiled.takeWork()
    work.denoise(source, through: denoising, tiles: tiles, into: denoised, probe: probe)
    pool.run(work)
    compiled.giveBack(work)
  }

  private func downsample(_ source: PixelBuffer, into downsampled: PixelBuffer, probe: RenderProbe? = nil) {
    guard let shrink = compiled.downsample else { return }
    let work = compiled.takeWork()
    work.downsample(source, through: shrink, into: downsampled, probe: probe)
    pool.run(work)
    compiled.giveBack(work)
  }

  func run(
    _ samples: CPUPicture.Samples, light: LightMemory?, _ region: Region, into output: PixelBuffer,
    probe: RenderProbe? = nil
  ) {
    let work = compiled.takeWork()
    work.render(samples, through: compiled, light: light, region, into: output, probe: probe)
    pool.run(work)
    work.finish()
    compiled.giveBack(work)
  }
}
