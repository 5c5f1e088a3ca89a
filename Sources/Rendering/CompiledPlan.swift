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
}

/// A plan in the CPU's terms: how to sample, how to colour, how to store.
final class CompiledPlan: Sendable {
  /// Where a tile's samples come from.
  private enum Sampling {
    /// Whole pixels, moved.
    case move(Geometry.PixelMove)
    /// Lanczos-3 through a map.
    case resample(Geometry)
  }

  private enum Coloring: Sendable {
    case none
    case tables(ChannelTables)
    case baked(BakedLUT)
    case exact(KernelStages)
  }

  let shrink: CompiledShrink?
  private let plan: Plan
  private let sampling: Sampling
  private let coloring: Coloring
  /// The format of samples ahead of colour: as sampled.
  private let sampledFormat: PixelFormat
  private let kernelTable: ResampleTable

  init(_ plan: Plan) {
    self.plan = plan
    kernelTable = .shared
    var shrink: CompiledShrink?
    // Between a resample and what follows, integers are kept at 16 bit.
    let wide: PixelFormat = plan.input.format.isInteger ? .rgba16 : .rgbaF32
    var format = plan.input.format
    var sampling = Sampling.move(Geometry.PixelMove(orientation: .up, x: 0, y: 0))
    for stage in plan.stages {
      switch stage {
      case .shrink(let stage):
        shrink = CompiledShrink(stage, alpha: plan.input.alpha, outputFormat: wide)
        format = wide
      case .geometry(let geometry):
        if let move = geometry.pixelMove {
          sampling = .move(move)
        } else {
          sampling = .resample(geometry)
          format = wide
        }
      default: break
      }
    }
    self.shrink = shrink
    self.sampling = sampling
    sampledFormat = format
    let colour = plan.stages.filter(\.isPointwise)
    switch colour.first {
    case nil: coloring = .none
    case .channelTables(let stages)? where format.isInteger:
      coloring = .tables(ChannelTables(stages, input: format, output: plan.output.format))
    case .baked(let lut)?: coloring = .baked(lut)
    default: coloring = .exact(KernelStages(colour))
    }
  }

  /// Renders `rows` of the output, in tiles from left to right.
  func renderBand(
    _ source: PixelBuffer, rows: Range<Int>, into output: PixelBuffer, outputRow: Int, scratch: TileScratch
  ) {
    let width = plan.outputSize.width
    for left in stride(from: 0, to: width, by: TileScratch.width) {
      let count = min(TileScratch.width, width - left)
      for y in rows {
        let samples = sample(source, x: left, y: y, count: count, scratch: scratch)
        let target =
          output.planes[0].row(outputRow + y - rows.lowerBound) + left
          * plan.output.format.planes[0].bytesPerGroup
        color(samples, to: target, x: left, y: y, count: count, scratch: scratch)
      }
    }
  }

  /// Samples of output pixels x…x+count of row y: in the source where they lie there as they are, else in scratch.
  private func sample(_ source: PixelBuffer, x: Int, y: Int, count: Int, scratch: TileScratch)
    -> UnsafeRawPointer
  {
    let plane = source.planes[0]
    let pixelBytes = source.format.planes[0].bytesPerGroup
    switch sampling {
    case .move(let move):
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
        height: Int32(source.height), type: source.format.kernelSample)
      let start = geometry.map.apply(Double(x) + 0.5, Double(y) + 0.5)
      func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }
      let premultiplies = source.alpha == .straight
      sl_resample_line(
        &image, fixed(start.x - 0.5), fixed(start.y - 0.5), fixed(geometry.map.a), fixed(geometry.map.d),
        geometry.outside == .transparent ? SL_OUTSIDE_TRANSPARENT : SL_OUTSIDE_CLAMP, premultiplies ? 1 : 0,
        kernelTable.weights, scratch.row, sampledFormat.kernelSample, count)
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
    case .tables(let tables) where !plan.dithers:
      sl_apply_tables(samples, input, tables.entries, target, output, count)
    case .baked(let lut):
      lut.nodes.codes.withUnsafeBufferPointer { nodes in
        let steps = Double(lut.size - 1)
        var kernel = sl_baked_lut(
          nodes: nodes.baseAddress, size: Int32(lut.size), steep: Float(lut.spacing.steep * steps),
          gentle: Float(lut.spacing.gentle * steps), offset: Float(lut.spacing.offset * steps))
        sl_apply_baked_lut(&kernel, samples, input, target.assumingMemoryBound(to: UInt8.self), count)
      }
    default:
      sl_unpack(samples, input, scratch.r, scratch.g, scratch.b, count)
      if case .exact(let stages) = coloring { stages.run(scratch.r, scratch.g, scratch.b, count: count) }
      if case .tables(let tables) = coloring {
        tables.stages.run(scratch.r, scratch.g, scratch.b, count: count)
      }
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

/// The phases of the resampling filter, computed once.
final class ResampleTable: @unchecked Sendable {
  static let shared = ResampleTable()
  let weights: UnsafeMutablePointer<Float>

  private init() {
    // The kernels load whole vectors, a little past the last phase.
    weights = .allocate(capacity: 8 * (Int(SL_KERNEL_PHASES) + 1) + 16)
    weights.initialize(repeating: 0, count: 8 * (Int(SL_KERNEL_PHASES) + 1) + 16)
    sl_lanczos3_table(weights)
  }

  deinit { weights.deallocate() }
}

/// One exact table per channel: every code of the input with the code it becomes.
final class ChannelTables: @unchecked Sendable {
  let entries: UnsafeMutableRawPointer
  let stages: KernelStages

  init(_ stages: [Stage], input: PixelFormat, output: PixelFormat) {
    self.stages = KernelStages(stages)
    let count = input == .rgba16 ? 65_536 : 256
    let bytes = output == .rgba8 ? 1 : output == .rgba16 ? 2 : 4
    entries = .allocate(byteCount: 3 * count * bytes, alignment: 64)
    for code in 0..<count {
      let x = Double(code) / Double(count - 1)
      let out = stages.reduce(SIMD3(repeating: x)) { $1.evaluate($0) }
      for channel in 0..<3 {
        let index = channel * count + code
        let value = out[channel].isNaN ? 0 : out[channel]
        switch output {
        case .rgba8:
          entries.storeBytes(
            of: UInt8(min(max(value * 255, 0), 255).rounded()), toByteOffset: index, as: UInt8.self)
        case .rgba16:
          entries.storeBytes(
            of: UInt16(min(max(value * 65_535, 0), 65_535).rounded()), toByteOffset: 2 * index,
            as: UInt16.self)
        default: entries.storeBytes(of: Float(value), toByteOffset: 4 * index, as: Float.self)
        }
      }
    }
  }

  deinit { entries.deallocate() }
}
