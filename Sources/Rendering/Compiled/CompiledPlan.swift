import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

extension PixelFormat {
  /// The kernels' sample type for an RGBA format.
  var kernelSample: sl_sample {
    switch self {
    case .rgba16: SL_U16
    case .rgbaF32: SL_F32
    default: SL_U8
    }
  }

  /// The bytes of an RGBA pixel, without allocating the array that `planes` makes.
  var rgbaBytes: Int {
    switch self {
    case .rgba16: 8
    case .rgbaF32: 16
    default: 4
    }
  }
}

/// A plan in the CPU's form: how to sample, colour and store.
final class CompiledPlan: Sendable {
  /// Makes the picture that all else begins with.
  let denoising: CompiledDenoising?
  private let downsampling: OnDemand<CompiledDownsample>?
  var downsample: CompiledDownsample? { downsampling?.value }
  /// Makes the grids of local tone; nil if there is none.
  let light: CompiledLight?
  let memory = PlanMemory()
  let plan: Plan
  let sampling: Sampling
  private let coloring: CompiledColor
  /// Of fields and masks behind a projection; nil if there are none.
  private let projectedPlaces: ProjectedPlaces?
  /// The format of the samples before colour.
  let sampledFormat: PixelFormat
  /// Whether its pixels can be split into planes of codes, which have no alpha.
  let splits: Bool
  private let outputPixelBytes: Int
  /// Writes luma and colour differences; nil for RGBA.
  let planes: PlaneWriter?
  /// Nil unless the plan copies samples.
  let copy: StoredSamplesCopy?
  /// Renders the tiles of a plan that ends with a neighbourhood; nil for all others.
  private let sharpened: SharpenedTiles?
  /// Where this shares its colours with other plans.
  let colors: CompiledColors?
  /// Whether interpolated samples are precise enough for 8 bits only.
  let isCoarse: Bool

  /// - Parameters:
  ///   - colors: shares colour between plans that have the same; nil makes it anew.
  ///   - isSampled: whether the pictures given are those of `Plan.samplingOnly`, which only need their colours.
  ///   - isCoarse: whether samples are precise enough for 8 bits; nil if that follows from the plan.
  init(
    _ plan: Plan, sharing colors: CompiledColors? = nil, isSampled: Bool = false, isCoarse: Bool? = nil
  ) {
    self.plan = plan
    self.isCoarse = isCoarse ?? plan.samplesCoarsely
    self.colors = colors
    outputPixelBytes = plan.output.colorFormat.rgbaBytes
    let planes = plan.storedSamples.flatMap { PlaneWriter($0) }
    self.planes = planes
    copy = StoredSamplesCopy(plan)
    let sharpened = plan.sharpening.map {
      SharpenedTiles(
        plan, $0, inner: CompiledPlan(plan.aheadOfNeighbourhood, sharing: colors, isSampled: isSampled))
    }
    self.sharpened = sharpened
    light = sharpened.map(\.inner.light) ?? CompiledLight(plan)
    // The plan ahead of the neighbourhood samples and colours.
    let stages = sharpened == nil ? plan.stages : []
    var denoising = sharpened?.inner.denoising
    var downsampling = sharpened?.inner.downsampling
    // Of the picture at this point: the source, until its noise is removed.
    var input = plan.input
    // Between a resample and the next step, integers are kept at 16 bits.
    let wide = plan.sampledFormat
    var format = isSampled ? wide : plan.input.format
    var sampling = Sampling.move(Geometry.PixelMove(orientation: .up, x: 0, y: 0))
    var geometry: Geometry?
    var camera: PlanarSampler?
    for stage in stages where !isSampled || stage.isColor {
      switch stage {
      case .ycbcr(let stage):
        camera = PlanarSampler(stage, size: plan.input.size, geometry: geometry)
        geometry = nil
        format = wide
      case .denoise(let stage):
        denoising = CompiledDenoising(stage, input: plan.input, camera: camera, outputFormat: wide)
        camera = nil
        format = wide
        input.format = wide
      case .downsample(let stage):
        downsampling = OnDemand { [input, camera] in
          CompiledDownsample(stage, input: input, camera: camera, outputFormat: wide)
        }
        camera = nil
        format = wide
      case .geometry(let stage): geometry = stage
      // Handled by `CompiledColor`.
      case .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables, .baked: break
      }
    }
    if let camera {
      sampling = .planar(camera)
    } else if let geometry {
      if let move = geometry.pixelMove {
        sampling = .move(move)
      } else if !geometry.isAffine {
        sampling = .projected(ProjectedBlocks(geometry))
        format = wide
      } else {
        let isPlanar = format == .rgba8 && plan.input.alpha == .opaque
        sampling =
          isPlanar
          ? .planar(PlanarSampler(rgbaOf: plan.input.size, geometry: geometry)) : .resample(geometry)
        format = wide
      }
    }
    self.denoising = denoising
    self.downsampling = downsampling
    self.sampling = sampling
    sampledFormat = format
    splits = !plan.hasTransparency && format.isInteger
    let color = CompiledColor.Key(
      stages: stages.filter(\.isColor).map(\.unplaced), sampledFormat: format,
      outputFormat: plan.output.colorFormat,
      dithers: plan.dithers, pixels: plan.outputSize.width * plan.outputSize.height)
    coloring = colors?.color(for: color) ?? CompiledColor(color)
    projectedPlaces = sharpened == nil ? ProjectedPlaces(plan, light: light) : nil
    tile = sharpened?.tile ?? Self.tile(of: plan.outputSize, sampling, rows: planes?.stepY ?? 1)
    usesScratch = coloring.usesScratch
  }

  /// Returns the tile's size. All tiles have about as many pixels, so that threads share them evenly, and a multiple
  /// of `group` rows.
  private static func tile(of size: PixelSize, _ sampling: Sampling, rows group: Int) -> PixelSize {
    guard case .move(let move) = sampling, move.columnStep == (1, 0) else {
      return PixelSize(width: TileScratch.width, height: TileScratch.height)
    }
    let width = min(size.width, 4096)
    let height = TileScratch.width * TileScratch.height / width
    let rows = min(max(1, height), TileScratch.height)
    return PixelSize(width: width, height: (rows + group - 1) / group * group)
  }

  /// Output pixels of a tile: short and wide if each row is read as it lies in memory, which suits prefetching.
  let tile: PixelSize
  private let usesScratch: Bool
  /// Whether tables have 16-bit results.
  var isDeep: Bool { plan.output.colorFormat == .rgba16 }

  /// Returns memory for the samples on the borders of tiles; nil if no sample depends on two tiles.
  func makeSeams() -> ChromaSeams? {
    guard let planes else { return nil }
    let borders = ChromaSeams.borders(planes, size: plan.outputSize, tile: tile)
    return borders == (0, 0) ? nil : ChromaSeams(planes, size: plan.outputSize, tile: tile)
  }

  /// Renders the tile of the output at `columns` and `rows`.
  ///
  /// - Parameters:
  ///   - first: the column and row of the plan's output that the first pixel of `output` is.
  ///   - light: the grids of the picture, one for each field with local tone.
  ///   - seams: keep what samples on the borders of tiles are made of, once all tiles are rendered.
  func renderTile(
    _ source: PixelBuffer, columns: Range<Int>, rows: Range<Int>, light: UnsafePointer<sl_light_grid>? = nil,
    into output: PixelBuffer, first: (column: Int, row: Int), seams: ChromaSeams? = nil, scratch: TileScratch
  ) {
    scratch.light = light
    let plane = output.planes[0]
    // Colours of one row at a time, which stay in the cache until their luma and differences are made.
    let written = planes.map {
      $0.begin(columns: columns, rows: rows, of: output, size: plan.outputSize, scratch: scratch)
    }
    func target(_ y: Int) -> UnsafeMutableRawPointer {
      written?.pixels
        ?? plane.row(y - first.row) + (columns.lowerBound - first.column) * outputPixelBytes
    }
    func finish(_ y: Int) {
      guard let planes, let written else { return }
      planes.take(written.pixels, row: y, of: written, seams: seams)
      scratch.meter?.pointee.lap(.store)
    }
    if let sharpened {
      sharpened.renderTile(
        source, columns: columns, rows: rows, scratch: scratch, target: target, finish: finish)
    } else {
      renderRows(source, columns: columns, rows: rows, scratch: scratch, target: target, finish: finish)
    }
  }

  /// Renders rows of a tile of the output in RGBA, from top to bottom.
  ///
  /// - Parameters:
  ///   - target: where row y goes.
  ///   - finish: called once row y is there.
  func renderRows(
    _ source: PixelBuffer, columns: Range<Int>, rows: Range<Int>, scratch: TileScratch,
    target: (_ y: Int) -> UnsafeMutableRawPointer, finish: (_ y: Int) -> Void
  ) {
    coloring.withRows { coloring in
      let shown = source.planes[0]
      let count = columns.count
      guard case .planar(let sampler) = sampling else {
        // Rows read as they lie in memory are processed to the tile's end before the next row.
        let piece = tile.width > TileScratch.width && !usesScratch ? count : TileScratch.width
        let loaded = loadProjected(source, shown, columns: columns, rows: rows, scratch: scratch)
        for y in rows {
          var x = columns.lowerBound
          while x < columns.upperBound {
            let n = min(projectedPlaces?.count(from: x) ?? piece, columns.upperBound - x)
            projectedPlaces?.enter(x: x, y: y, scratch)
            let samples =
              loaded.map {
                $0 + ((y - rows.lowerBound) * count + x - columns.lowerBound) * sampledFormat.rgbaBytes
              } ?? sample(source, shown, x: x, y: y, count: n, scratch: scratch)
            color(
              samples, coloring, to: target(y) + (x - columns.lowerBound) * outputPixelBytes, x: x, y: y,
              count: n,
              scratch: scratch)
            x += n
          }
          finish(y)
        }
        scratch.placing.leave()
        return
      }
      let tile = sampler.load(source, columns: columns, rows: rows, scratch: scratch)
      for y in rows {
        defer { finish(y) }
        let bytes = target(y).assumingMemoryBound(to: UInt8.self)
        if case .none = coloring, sampler.isColour, plan.output.colorFormat == .rgba8 {
          sampler.packRow(y, of: tile, scratch: scratch, to: bytes)
          continue
        }
        if sampler.bakeRow(y, of: tile, coloring, scratch: scratch, to: bytes, isDeep: isDeep) { continue }
        sampler.makeRow(y, of: tile, scratch: scratch)
        sl_interleave_rgba16(
          scratch.red, scratch.green, scratch.blue, sampler.hasAlpha ? scratch.alpha : nil,
          scratch.row.assumingMemoryBound(to: UInt16.self), count)
        scratch.meter?.pointee.lap(.load)
        color(
          scratch.row, coloring, to: target(y), x: columns.lowerBound, y: y, count: count, scratch: scratch)
      }
    }
  }
}

extension Plan {
  /// Whether samples between a resample and the colours need no more than the precision of 8 bits: sharpening amplifies
  /// what rounding adds.
  var samplesCoarsely: Bool {
    input.format.bitsPerSample == 8 && output.colorFormat == .rgba8 && sharpening == nil
  }
}
