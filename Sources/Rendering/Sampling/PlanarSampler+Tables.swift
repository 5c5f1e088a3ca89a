import PixelKernels

extension PlanarSampler {
  /// Stores one row of the loaded tile as RGBA8, coloured by baked tables. Luma and colour differences become
  /// R'G'B' on their way into the table, in registers: rows of it would cost as much as half the table.
  ///
  /// - Returns: false, and nothing is stored, if the colours are not of tables or the pixels have alpha.
  func bakeRow(
    _ y: Int, of tile: Tile, _ coloring: CompiledColor.Rows, scratch: TileScratch,
    to target: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard !hasAlpha else { return false }
    let (row, count) = (y - tile.rows.lowerBound, tile.columns.count)
    let luma = scratch.sums(0, row: row)
    let (cb, cr) = hasChroma ? (scratch.sums(1, row: row), scratch.sums(2, row: row)) : (luma, luma)
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
    case .none, .tables, .lookup, .exact: return false
    }
    scratch.meter?.pointee.lap(.color(0))
    return true
  }
}
