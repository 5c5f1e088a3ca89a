import PixelKernels

extension CompiledColor {
  /// The tables behind exact stages: one, or two in sequence.
  struct StagedTables {
    var first: UnsafePointer<sl_baked_lut>
    var second: UnsafePointer<sl_baked_lut>?
    var slopeOutside: Float = 0
    /// The exact stages as one kernel on rows of codes, if they have that form.
    var rows: UnsafePointer<sl_light_row>?

    /// Colours the scratch's planes of codes, which are those of `count` pixels from column x of row y on. Pixels
    /// become opaque.
    ///
    /// - Parameter target: RGBA of 8 bits, or of 16 if `isDeep`.
    func color(
      _ scratch: TileScratch, to target: UnsafeMutableRawPointer, isDeep: Bool, x: Int, y: Int, count: Int
    ) {
      let (r, g, b) = (scratch.red, scratch.green, scratch.blue)
      sl_multiply_light(rows, scratch.places.grids, Int32(x), Int32(y), r, g, b, count)
      scratch.meter?.pointee.lap(.color(0))
      let bytes = target.assumingMemoryBound(to: UInt8.self)
      let codes = target.assumingMemoryBound(to: UInt16.self)
      switch (second, isDeep) {
      case (let second?, true):
        sl_apply_baked_pair_planar_16(first, second, slopeOutside, r, g, b, codes, count)
      case (let second?, false):
        sl_apply_baked_pair_planar(first, second, slopeOutside, r, g, b, bytes, count)
      case (nil, true): sl_apply_baked_lut_planar_16(first, r, g, b, codes, count)
      case (nil, false): sl_apply_baked_lut_planar(first, r, g, b, bytes, count)
      }
    }
  }
}
