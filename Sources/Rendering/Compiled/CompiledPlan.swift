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
  /// Where a tile's samples come from.
  private enum Sampling {
    /// Whole pixels, moved.
    case move(Geometry.PixelMove)
    /// Interpolation through a map, for deep samples and samples with alpha.
    case resample(Geometry)
    /// 8-bit planes: those of cameras, and the channels of opaque pictures.
    case planar(PlanarSampler)
  }

  let downsample: CompiledDownsample?
  let memory = PlanMemory()
  private let plan: Plan
  private let sampling: Sampling
  private let coloring: CompiledColor
  /// The format of the samples before colour.
  private let sampledFormat: PixelFormat
  private let outputPixelBytes: Int
  /// Writes luma and colour differences; nil for RGBA.
  let planes: PlaneWriter?
  /// Nil unless the plan copies samples.
  let copy: StoredSamplesCopy?

  /// - Parameter colors: shares colour between plans that have the same; nil makes it anew.
  init(_ plan: Plan, sharing colors: CompiledColors? = nil) {
    self.plan = plan
    outputPixelBytes = plan.output.colorFormat.rgbaBytes
    let planes = plan.storedSamples.flatMap { PlaneWriter($0) }
    self.planes = planes
    copy = StoredSamplesCopy(plan)
    var downsample: CompiledDownsample?
    // Between a resample and the next step, integers are kept at 16 bits.
    let wide: PixelFormat = plan.input.format.isInteger ? .rgba16 : .rgbaF32
    var format = plan.input.format
    var sampling = Sampling.move(Geometry.PixelMove(orientation: .up, x: 0, y: 0))
    var geometry: Geometry?
    var camera: PlanarSampler?
    for stage in plan.stages {
      switch stage {
      case .ycbcr(let stage):
        camera = PlanarSampler(stage, size: plan.input.size, geometry: geometry)
        geometry = nil
        format = wide
      case .downsample(let stage):
        downsample = CompiledDownsample(stage, input: plan.input, camera: camera, outputFormat: wide)
        camera = nil
        format = wide
      case .geometry(let stage): geometry = stage
      // Handled by `CompiledColor`.
      case .matrix, .curve, .pointwise, .lut, .channelTables, .baked: break
      }
    }
    if let camera {
      sampling = .planar(camera)
    } else if let geometry {
      if let move = geometry.pixelMove {
        sampling = .move(move)
      } else {
        let isPlanar = format == .rgba8 && plan.input.alpha == .opaque
        sampling =
          isPlanar
          ? .planar(PlanarSampler(rgbaOf: plan.input.size, geometry: geometry)) : .resample(geometry)
        format = wide
      }
    }
    self.downsample = downsample
    self.sampling = sampling
    sampledFormat = format
    let color = CompiledColor.Key(
      stages: plan.stages.filter(\.isPointwise), sampledFormat: format, outputFormat: plan.output.colorFormat,
      dithers: plan.dithers, pixels: plan.outputSize.width * plan.outputSize.height)
    coloring = colors?.color(for: color) ?? CompiledColor(color)
    tile = Self.tile(of: plan.outputSize, sampling, rows: planes?.stepY ?? 1)
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

  /// Returns memory for the samples on the borders of tiles; nil if no sample depends on two tiles.
  func makeSeams() -> ChromaSeams? {
    guard let planes else { return nil }
    let borders = ChromaSeams.borders(planes, size: plan.outputSize, tile: tile)
    return borders == (0, 0) ? nil : ChromaSeams(planes, size: plan.outputSize, tile: tile)
  }

  /// Renders the tile of the output at `columns` and `rows`; the first row of `output` is `firstRow`.
  ///
  /// - Parameter seams: keep what samples on the borders of tiles are made of, once all tiles are rendered.
  func renderTile(
    _ source: PixelBuffer, columns: Range<Int>, rows: Range<Int>, into output: PixelBuffer, firstRow: Int,
    seams: ChromaSeams? = nil, scratch: TileScratch
  ) {
    coloring.withRows { coloring in
      let (plane, shown) = (output.planes[0], source.planes[0])
      let count = columns.count
      // Colours of one row at a time, which stay in the cache until their luma and differences are made.
      let written = planes.map {
        $0.begin(columns: columns, rows: rows, of: output, size: plan.outputSize, scratch: scratch)
      }
      func target(_ y: Int) -> UnsafeMutableRawPointer {
        written?.pixels ?? plane.row(y - firstRow) + columns.lowerBound * outputPixelBytes
      }
      func finish(_ y: Int) {
        guard let planes, let written else { return }
        planes.take(written.pixels, row: y, of: written, seams: seams)
        scratch.meter?.pointee.lap(.store)
      }
      guard case .planar(let sampler) = sampling else {
        // Rows read as they lie in memory are processed to the tile's end before the next row.
        let piece = tile.width > TileScratch.width && !usesScratch ? count : TileScratch.width
        for y in rows {
          for x in stride(from: columns.lowerBound, to: columns.upperBound, by: piece) {
            let n = min(piece, columns.upperBound - x)
            let samples = sample(source, shown, x: x, y: y, count: n, scratch: scratch)
            color(
              samples, coloring, to: target(y) + (x - columns.lowerBound) * outputPixelBytes, x: x, y: y,
              count: n,
              scratch: scratch)
          }
          finish(y)
        }
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
        if sampler.bakeRow(y, of: tile, coloring, scratch: scratch, to: bytes) { continue }
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

  /// Returns samples for output pixels x..<x + count of row y: in the source if they lie there unchanged, else in
  /// scratch.
  private func sample(
    _ source: PixelBuffer, _ plane: PixelBuffer.Plane, x: Int, y: Int, count: Int, scratch: TileScratch
  ) -> UnsafeRawPointer {
    switch sampling {
    case .planar: return UnsafeRawPointer(scratch.row)
    case .move(let move):
      let pixelBytes = sampledFormat.rgbaBytes
      let (column, row) = (move.columnStep, move.rowStep)
      let sx = move.x + column.x * x + row.x * y
      let sy = move.y + column.y * x + row.y * y
      let first = UnsafeRawPointer(plane.row(sy) + sx * pixelBytes)
      let step = column.x * pixelBytes + column.y * plane.rowBytes
      guard step != pixelBytes else { return first }
      sl_copy_strided(first, step, scratch.row, pixelBytes, count)
      scratch.meter?.pointee.lap(.geometry)
      return UnsafeRawPointer(scratch.row)
    case .resample(let geometry):
      var image = sl_image(
        base: UnsafeRawPointer(plane.base), row_bytes: plane.rowBytes, width: Int32(source.width),
        height: Int32(source.height), type: source.format.kernelSample,
        is_coarse: plan.input.format.bitsPerSample == 8 && plan.output.colorFormat == .rgba8 ? 1 : 0)
      let start = geometry.map.apply(Double(x) + 0.5, Double(y) + 0.5)
      let premultiplies = source.alpha == .straight
      sl_resample_line(
        &image, fixedPoint(start.x - 0.5), fixedPoint(start.y - 0.5), fixedPoint(geometry.map.a),
        fixedPoint(geometry.map.d),
        geometry.outside == .transparent ? SL_OUTSIDE_TRANSPARENT : SL_OUTSIDE_CLAMP, premultiplies ? 1 : 0,
        geometry.interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR, scratch.row,
        sampledFormat.kernelSample, count)
      scratch.meter?.pointee.lap(.geometry)
      return UnsafeRawPointer(scratch.row)
    }
  }

  private func color(
    _ samples: UnsafeRawPointer, _ coloring: CompiledColor.Rows, to target: UnsafeMutableRawPointer, x: Int,
    y: Int,
    count: Int, scratch: TileScratch
  ) {
    let input = sampledFormat.kernelSample
    let output = plan.output.colorFormat.kernelSample
    let bytes = target.assumingMemoryBound(to: UInt8.self)
    switch coloring {
    case .none where !plan.dithers:
      sl_convert(samples, input, target, output, count)
      scratch.meter?.pointee.lap(.store)
    case .tables(let entries):
      sl_apply_tables(samples, input, entries, target, output, count)
      scratch.meter?.pointee.lap(.color(0))
    case .baked(let lut):
      sl_apply_baked_lut(lut, samples, input, bytes, count)
      scratch.meter?.pointee.lap(.color(0))
    case .bakedPair(let first, let second, let slope):
      sl_apply_baked_pair(first, second, slope, samples, input, bytes, count)
      scratch.meter?.pointee.lap(.color(0))
    case .lookup(let table):
      sl_look_up_pixels(table, samples, target, input, count)
      scratch.meter?.pointee.lap(.color(0))
    case .none, .exact:
      sl_unpack(samples, input, scratch.r, scratch.g, scratch.b, count)
      scratch.meter?.pointee.lap(.load)
      if case .exact(let stages) = coloring {
        stages._withUnsafeGuaranteedRef {
          $0.run(scratch.r, scratch.g, scratch.b, count: count, meter: scratch.meter)
        }
      }
      if plan.dithers {
        for i in 0..<count { scratch.dither[i] = Dither.threshold(x: x + i, y: y) }
        scratch.meter?.pointee.lap(.dither)
      }
      sl_pack(
        scratch.r, scratch.g, scratch.b, samples, input, plan.dithers ? UnsafePointer(scratch.dither) : nil,
        target, output, count)
      scratch.meter?.pointee.lap(.store)
    }
  }
}
