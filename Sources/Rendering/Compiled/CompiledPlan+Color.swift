import FilterGraph
import FrameCore
import PixelKernels

extension CompiledPlan {
  /// Colours and stores `count` sampled pixels of row `y`, from column `x` on.
  func color(
    _ samples: UnsafeRawPointer, _ coloring: CompiledColor.Rows, to target: UnsafeMutableRawPointer, x: Int,
    y: Int,
    count: Int, scratch: TileScratch
  ) {
    let input = sampledFormat.kernelSample
    let output = plan.output.colorFormat.kernelSample
    let bytes = target.assumingMemoryBound(to: UInt8.self)
    let codes = target.assumingMemoryBound(to: UInt16.self)
    switch coloring {
    case .none where !plan.dithers:
      sl_convert(samples, input, target, output, count)
      scratch.meter?.pointee.lap(.store)
    case .tables(let entries):
      sl_apply_tables(samples, input, entries, target, output, count)
      scratch.meter?.pointee.lap(.color(0))
    case .baked(let lut):
      if isDeep {
        sl_apply_baked_lut_16(lut, samples, input, codes, count)
      } else {
        sl_apply_baked_lut(lut, samples, input, bytes, count)
      }
      scratch.meter?.pointee.lap(.color(0))
    case .bakedPair(let first, let second, let slope):
      if isDeep {
        sl_apply_baked_pair_16(first, second, slope, samples, input, codes, count)
      } else {
        sl_apply_baked_pair(first, second, slope, samples, input, bytes, count)
      }
      scratch.meter?.pointee.lap(.color(0))
    case .lookup(let table):
      sl_look_up_pixels(table, samples, target, input, count)
      scratch.meter?.pointee.lap(.color(0))
    case .staged(let stages, let tables) where tables.rows != nil && splits:
      let (red, green, blue) = (scratch.red, scratch.green, scratch.blue)
      if input == SL_U8 {
        sl_split_rgba8(samples.assumingMemoryBound(to: UInt8.self), red, green, blue, count)
      } else {
        sl_split_rgba16(samples.assumingMemoryBound(to: UInt16.self), red, green, blue, count)
      }
      scratch.meter?.pointee.lap(.load)
      tables.color(scratch, to: target, isDeep: isDeep, x: x, y: y, count: count)
      scratch.meter?.pointee.lap(.color(stages._withUnsafeGuaranteedRef { $0.count }))
    case .staged(let stages, let tables):
      sl_unpack(samples, input, scratch.r, scratch.g, scratch.b, count)
      scratch.meter?.pointee.lap(.load)
      let kernels = stages._withUnsafeGuaranteedRef {
        $0.run(
          scratch.r, scratch.g, scratch.b, count: count, at: (x, y), in: scratch.places,
          meter: scratch.meter)
        return $0.count
      }
      sl_pack(scratch.r, scratch.g, scratch.b, samples, input, nil, scratch.placed, SL_U16, count)
      switch (tables.second, isDeep) {
      case (let second?, true):
        sl_apply_baked_pair_16(
          tables.first, second, tables.slopeOutside, scratch.placed, SL_U16, codes, count)
      case (let second?, false):
        sl_apply_baked_pair(tables.first, second, tables.slopeOutside, scratch.placed, SL_U16, bytes, count)
      case (nil, true): sl_apply_baked_lut_16(tables.first, scratch.placed, SL_U16, codes, count)
      case (nil, false):
        sl_apply_baked_lut(tables.first, scratch.placed, SL_U16, bytes, count)
      }
      scratch.meter?.pointee.lap(.color(kernels))
    case .none, .exact:
      sl_unpack(samples, input, scratch.r, scratch.g, scratch.b, count)
      scratch.meter?.pointee.lap(.load)
      if case .exact(let stages) = coloring {
        stages._withUnsafeGuaranteedRef {
          $0.run(
            scratch.r, scratch.g, scratch.b, count: count, at: (x, y), in: scratch.places,
            meter: scratch.meter)
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
