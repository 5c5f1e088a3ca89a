import ColorScience
import FilterGraph
import FrameCore
import PixelKernels

extension PixelFormat {
  /// The kernels' name for the samples of an RGBA format.
  var kernelSample: sl_sample {
    switch self {
    case .rgba16: SL_U16
    case .rgbaF32: SL_F32
    default: SL_U8
    }
  }

  /// Bytes of an RGBA pixel; without the array that `planes` makes.
  var rgbaBytes: Int {
    switch self {
    case .rgba16: 8
    case .rgbaF32: 16
    default: 4
    }
  }
}

extension BakedLUT {
  /// The table in the kernels' terms.
  func withKernel(_ body: (UnsafePointer<sl_baked_lut>) -> Void) {
    nodes.codes.withUnsafeBufferPointer { nodes in
      let steps = Double(size - 1)
      var kernel = sl_baked_lut(
        nodes: nodes.baseAddress, size: Int32(size), steep: Float(spacing.steep * steps),
        gentle: Float(spacing.gentle * steps), offset: Float(spacing.offset * steps))
      body(&kernel)
    }
  }
}

/// A plan in the CPU's terms: how to sample, how to colour, how to store.
final class CompiledPlan: Sendable {
  /// Where a tile's samples come from.
  private enum Sampling {
    /// Whole pixels, moved.
    case move(Geometry.PixelMove)
    /// Interpolation through a map: deep samples, and those with alpha.
    case resample(Geometry)
    /// Planes of 8 bit: of cameras, and the colours of opaque pictures.
    case planar(PlanarSampler)
  }

  private enum Coloring: Sendable {
    case none
    /// Only plans from 8 bit to 8 bit, which do not dither, have tables of either kind.
    case tables(ChannelTables)
    case baked(BakedLUT)
    case exact(KernelStages)
  }

  let shrink: CompiledShrink?
  let memory = PlanMemory()
  private let plan: Plan
  private let sampling: Sampling
  private let coloring: Coloring
  /// The format of samples ahead of colour: as sampled.
  private let sampledFormat: PixelFormat
  private let outputPixelBytes: Int

  init(_ plan: Plan) {
    self.plan = plan
    outputPixelBytes = plan.output.format.rgbaBytes
    var shrink: CompiledShrink?
    // Between a resample and what follows, integers are kept at 16 bit.
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
      case .shrink(let stage):
        shrink = CompiledShrink(stage, input: plan.input, camera: camera, outputFormat: wide)
        camera = nil
        format = wide
      case .geometry(let stage): geometry = stage
      default: break
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
    self.shrink = shrink
    self.sampling = sampling
    sampledFormat = format
    let colour = plan.stages.filter(\.isPointwise)
    switch colour.first {
    case nil: coloring = .none
    case .channelTables(let stages)?: coloring = .tables(ChannelTables(stages, input: format))
    case .baked(let lut)?: coloring = .baked(lut)
    default: coloring = .exact(KernelStages(colour))
    }
  }

  /// Renders a tile of the output: `columns` and `rows` of it, the first row of `output` being `firstRow`.
  func renderTile(
    _ source: PixelBuffer, columns: Range<Int>, rows: Range<Int>, into output: PixelBuffer, firstRow: Int,
    scratch: TileScratch
  ) {
    let plane = output.planes[0]
    func target(_ y: Int) -> UnsafeMutableRawPointer {
      plane.row(y - firstRow) + columns.lowerBound * outputPixelBytes
    }
    guard case .planar(let sampler) = sampling else {
      for y in rows {
        let samples = sample(source, x: columns.lowerBound, y: y, count: columns.count, scratch: scratch)
        color(samples, to: target(y), x: columns.lowerBound, y: y, count: columns.count, scratch: scratch)
      }
      return
    }
    let tile = sampler.load(source, columns: columns, rows: rows, scratch: scratch)
    for y in rows {
      if case .none = coloring, sampler.isColour, plan.output.format == .rgba8 {
        sampler.packRow(y, of: tile, scratch: scratch, to: target(y).assumingMemoryBound(to: UInt8.self))
        continue
      }
      sampler.makeRow(y, of: tile, scratch: scratch)
      if case .baked(let lut) = coloring, !sampler.hasAlpha {
        lut.withKernel { kernel in
          sl_apply_baked_lut_planar(
            kernel, scratch.red, scratch.green, scratch.blue, target(y).assumingMemoryBound(to: UInt8.self),
            columns.count)
        }
      } else {
        sl_interleave_rgba16(
          scratch.red, scratch.green, scratch.blue, sampler.hasAlpha ? scratch.alpha : nil,
          scratch.row.assumingMemoryBound(to: UInt16.self), columns.count)
        color(scratch.row, to: target(y), x: columns.lowerBound, y: y, count: columns.count, scratch: scratch)
      }
    }
  }

  /// Samples of output pixels x…x+count of row y: in the source where they lie there as they are, else in scratch.
  private func sample(_ source: PixelBuffer, x: Int, y: Int, count: Int, scratch: TileScratch)
    -> UnsafeRawPointer
  {
    let plane = source.planes[0]
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
      return UnsafeRawPointer(scratch.row)
    case .resample(let geometry):
      var image = sl_image(
        base: UnsafeRawPointer(plane.base), row_bytes: plane.rowBytes, width: Int32(source.width),
        height: Int32(source.height), type: source.format.kernelSample,
        is_coarse: plan.input.format.bitsPerSample == 8 && plan.output.format == .rgba8 ? 1 : 0)
      let start = geometry.map.apply(Double(x) + 0.5, Double(y) + 0.5)
      func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }
      let premultiplies = source.alpha == .straight
      sl_resample_line(
        &image, fixed(start.x - 0.5), fixed(start.y - 0.5), fixed(geometry.map.a), fixed(geometry.map.d),
        geometry.outside == .transparent ? SL_OUTSIDE_TRANSPARENT : SL_OUTSIDE_CLAMP, premultiplies ? 1 : 0,
        geometry.interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR, scratch.row,
        sampledFormat.kernelSample, count)
      return UnsafeRawPointer(scratch.row)
    }
  }

  private func color(
    _ samples: UnsafeRawPointer, to target: UnsafeMutableRawPointer, x: Int, y: Int, count: Int,
    scratch: TileScratch
  ) {
    let input = sampledFormat.kernelSample
    let output = plan.output.format.kernelSample
    switch coloring {
    case .none where !plan.dithers:
      sl_convert(samples, input, target, output, count)
    case .tables(let tables):
      sl_apply_tables(samples, input, tables.entries, target, output, count)
    case .baked(let lut):
      lut.withKernel {
        sl_apply_baked_lut($0, samples, input, target.assumingMemoryBound(to: UInt8.self), count)
      }
    case .none, .exact:
      sl_unpack(samples, input, scratch.r, scratch.g, scratch.b, count)
      if case .exact(let stages) = coloring { stages.run(scratch.r, scratch.g, scratch.b, count: count) }
      if plan.dithers {
        for i in 0..<count { scratch.dither[i] = Dither.threshold(x: x + i, y: y) }
      }
      sl_pack(
        scratch.r, scratch.g, scratch.b, samples, input, plan.dithers ? UnsafePointer(scratch.dither) : nil,
        target,
        output, count)
    }
  }
}
