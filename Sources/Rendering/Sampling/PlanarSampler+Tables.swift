import PixelKernels

extension PlanarSampler {
  /// Stores one row of the loaded tile as RGBA8, or RGBA16 if `isDeep`, coloured by baked tables. Luma and colour
  /// differences become R'G'B' on their way into the table, in registers: rows of it would cost as much as half the
  /// table.
  ///
  /// - Returns: false, and nothing is stored, if the colours are not of tables or the pixels have alpha.
  func bakeRow(
    _ y: Int, of tile: Tile, _ coloring: CompiledColor.Rows, scratch: TileScratch,
    to target: UnsafeMutablePointer<UInt8>, isDeep: Bool
  ) -> Bool {
    guard !hasAlpha else { return false }
    let (row, count) = (y - tile.rows.lowerBound, tile.columns.count)
    let luma = scratch.sums(0, row: row)
    let (cb, cr) = hasChroma ? (scratch.sums(1, row: row), scratch.sums(2, row: row)) : (luma, luma)
    guard !isDeep else {
      guard bakeDeepRow(luma, cb, cr, y, of: tile, coloring, scratch: scratch, to: target) else {
        return false
      }
      scratch.meter?.pointee.lap(.color(0))
      return true
    }
    switch coloring {
    case .baked(let lut):
      if isCamera {
        sl_apply_baked_lut_camera(lut, scratch.matrix, luma, cb, cr, target, count)
      } else {
        makeRow(y, of: tile, scratch: scratch)
        sl_apply_baked_lut_planar(lut, scratch.red, scratch.green, scratch.blue, target, count)
      }
    case .bakedPair(let first, let second, let slope):
      if isCamera {
        sl_apply_baked_pair_camera(first, second, slope, scratch.matrix, luma, cb, cr, target, count)
      } else {
        makeRow(y, of: tile, scratch: scratch)
        sl_apply_baked_pair_planar(
          first, second, slope, scratch.red, scratch.green, scratch.blue, target, count)
      }
    case .staged(let stages, let tables):
      guard tables.rows != nil else { return false }
      makeRow(y, of: tile, scratch: scratch)
      tables.color(scratch, to: target, isDeep: false, x: tile.columns.lowerBound, y: y, count: count)
      scratch.meter?.pointee.lap(.color(stages._withUnsafeGuaranteedRef { $0.count }))
      return true
    case .none, .tables, .lookup, .exact: return false
    }
    scratch.meter?.pointee.lap(.color(0))
    return true
  }

  /// As `bakeRow`, with 16-bit results.
  private func bakeDeepRow(
    _ luma: UnsafePointer<Int16>, _ cb: UnsafePointer<Int16>, _ cr: UnsafePointer<Int16>, _ y: Int,
    of tile: Tile, _ coloring: CompiledColor.Rows, scratch: TileScratch,
    to target: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let count = tile.columns.count
    let codes = UnsafeMutableRawPointer(target).assumingMemoryBound(to: UInt16.self)
    switch coloring {
    case .baked(let lut):
      if isCamera {
        sl_apply_baked_lut_camera_16(lut, scratch.matrix, luma, cb, cr, codes, count)
      } else {
        makeRow(y, of: tile, scratch: scratch)
        sl_apply_baked_lut_planar_16(lut, scratch.red, scratch.green, scratch.blue, codes, count)
      }
    case .bakedPair(let first, let second, let slope):
      if isCamera {
        sl_apply_baked_pair_camera_16(first, second, slope, scratch.matrix, luma, cb, cr, codes, count)
      } else {
        makeRow(y, of: tile, scratch: scratch)
        sl_apply_baked_pair_planar_16(
          first, second, slope, scratch.red, scratch.green, scratch.blue, codes, count)
      }
    case .staged(_, let tables):
      guard tables.rows != nil else { return false }
      makeRow(y, of: tile, scratch: scratch)
      tables.color(scratch, to: target, isDeep: true, x: tile.columns.lowerBound, y: y, count: count)
    case .none, .tables, .lookup, .exact: return false
    }
    return true
  }
}
