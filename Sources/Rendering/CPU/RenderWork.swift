import FilterGraph
import FrameCore

/// The rendering of a picture through a compiled plan, in tiles; reused for the next picture.
final class RenderWork: PoolWork, @unchecked Sendable {
  private enum Task {
    case none
    case render(CompiledPlan, Region)
    case downsample(CompiledDownsample)
    case denoise(CompiledDenoising, tiles: [Int])
    case copy(StoredSamplesCopy)
  }
  private var task = Task.none
  private var source: CPUPicture.Samples?
  private var output: PixelBuffer?
  /// The light around the pixels of the picture, for local tone.
  private var light: LightMemory?
  private var tilesAcross = 1
  private var probe: RenderProbe?
  /// Kept for later frames; nil until a plan needs it.
  private var seams: ChromaSeams?

  /// Sets up rendering a region of the plan's output, whose first pixel is that of `output`. A work renders through one
  /// plan only, and `finish` must follow it.
  func render(
    _ source: CPUPicture.Samples, through plan: CompiledPlan, light: LightMemory?, _ region: Region,
    into output: PixelBuffer, probe: RenderProbe? = nil
  ) {
    self.light = light
    self.probe = probe
    task = .render(plan, region)
    self.source = source
    self.output = output
    if seams == nil { seams = plan.makeSeams() }
    tilesAcross = (region.columns.count + plan.tile.width - 1) / plan.tile.width
    pieces = tilesAcross * ((region.rows.count + plan.tile.height - 1) / plan.tile.height)
  }

  /// Sets up making the whole downsampled picture.
  func downsample(
    _ source: PixelBuffer, through downsample: CompiledDownsample, into output: PixelBuffer,
    probe: RenderProbe? = nil
  ) {
    self.probe = probe
    task = .downsample(downsample)
    self.source = .picture(source)
    self.output = output
    pieces = downsample.bands
  }

  /// Sets up removing the noise of a picture.
  ///
  /// - Parameter tiles: nil for all.
  func denoise(
    _ source: PixelBuffer, through denoising: CompiledDenoising, tiles: [Int]? = nil,
    into output: PixelBuffer, probe: RenderProbe? = nil
  ) {
    self.probe = probe
    let tiles = tiles ?? Array(0..<denoising.tiles)
    task = .denoise(denoising, tiles: tiles)
    self.source = .picture(source)
    self.output = output
    pieces = tiles.count
  }

  /// Sets up copying the samples of a whole picture.
  func copySamples(
    of source: PixelBuffer, as copy: StoredSamplesCopy, into output: PixelBuffer, probe: RenderProbe? = nil
  ) {
    self.probe = probe
    task = .copy(copy)
    self.source = .picture(source)
    self.output = output
    pieces = copy.bands
  }

  /// Stores what depends on several tiles, once all are rendered.
  func finish() {
    guard case .render = task, let output else { return }
    seams?.finish(output)
  }

  /// Releases the pictures, which may be another owner's buffers.
  func clear() {
    task = .none
    source = nil
    output = nil
    light = nil
    probe = nil
  }

  override func perform(_ piece: Int, scratch: TileScratch) {
    guard let probe, let meter = probe.meter(ofThread: scratch.thread) else {
      return performUnmeasured(piece, scratch: scratch)
    }
    scratch.meter = meter
    meter.pointee.begin()
    performUnmeasured(piece, scratch: scratch)
    var isDownsampling: Bool { if case .downsample = task { true } else { false } }
    meter.pointee.end(piece: piece, isDownsampling: isDownsampling)
    scratch.meter = nil
  }

  private func performUnmeasured(_ piece: Int, scratch: TileScratch) {
    guard let source, let output else { return }
    switch task {
    case .none: break
    case .downsample(let downsample):
      guard case .picture(let picture) = source else { return }
      downsample.runBand(piece, of: picture, into: output, scratch: scratch)
    case .denoise(let denoising, let tiles):
      guard case .picture(let picture) = source else { return }
      denoising.runTile(tiles[piece], of: picture, into: output, scratch: scratch)
    case .copy(let copy):
      guard case .picture(let picture) = source else { return }
      copy.runBand(piece, of: picture, into: output, scratch: scratch)
    case .render(let plan, let region):
      let left = region.columns.lowerBound + piece % tilesAcross * plan.tile.width
      let top = region.rows.lowerBound + piece / tilesAcross * plan.tile.height
      let tile = (
        columns: left..<min(left + plan.tile.width, region.columns.upperBound),
        rows: top..<min(top + plan.tile.height, region.rows.upperBound)
      )
      let picture =
        switch source {
        case .picture(let picture): picture
        case .window(let window): window.picture(columns: tile.columns, rows: tile.rows)
        }
      plan.renderTile(
        picture, columns: tile.columns, rows: tile.rows, light: light?.kernels, into: output,
        first: (region.columns.lowerBound, region.rows.lowerBound), seams: seams, scratch: scratch)
    }
  }
}
