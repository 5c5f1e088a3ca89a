import FilterGraph
import FrameCore
import PixelKernels

extension CompiledPlan {
  /// Where a tile's samples come from.
  enum Sampling {
    /// Whole pixels, moved.
    case move(Geometry.PixelMove)
    /// Interpolation through a map, for deep samples and samples with alpha.
    case resample(Geometry)
    /// The same through a projection, for all samples of RGB.
    case projected(ProjectedBlocks)
    /// 8-bit planes: those of cameras, and the channels of opaque pictures.
    case planar(PlanarSampler)
  }

  /// Returns samples for output pixels x..<x + count of row y: in the source if they lie there unchanged, else in
  /// scratch.
  func sample(
    _ source: PixelBuffer, _ plane: PixelBuffer.Plane, x: Int, y: Int, count: Int, scratch: TileScratch
  ) -> UnsafeRawPointer {
    switch sampling {
    // Tiles of these are sampled as a whole.
    case .planar, .projected: return UnsafeRawPointer(scratch.row)
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
      var image = image(of: source, plane)
      let start = geometry.map.apply(Double(x) + 0.5, Double(y) + 0.5)
      sl_resample_line(
        &image, fixedPoint(start.x - 0.5), fixedPoint(start.y - 0.5), fixedPoint(geometry.map.a),
        fixedPoint(geometry.map.d),
        geometry.outside == .transparent ? SL_OUTSIDE_TRANSPARENT : SL_OUTSIDE_CLAMP,
        source.alpha == .straight ? 1 : 0,
        geometry.interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR, scratch.row,
        sampledFormat.kernelSample, count)
      scratch.meter?.pointee.lap(.geometry)
      return UnsafeRawPointer(scratch.row)
    }
  }

  /// Samples a tile of a projection's result. Returns its pixels, row by row without gaps; nil without a projection.
  func loadProjected(
    _ source: PixelBuffer, _ plane: PixelBuffer.Plane, columns: Range<Int>, rows: Range<Int>,
    scratch: TileScratch
  ) -> UnsafeRawPointer? {
    guard case .projected(let blocks) = sampling else { return nil }
    defer { scratch.meter?.pointee.lap(.geometry) }
    return blocks.load(
      image(of: source, plane), columns: columns, rows: rows, premultiplies: source.alpha == .straight,
      format: sampledFormat, scratch: scratch)
  }

  private func image(of source: PixelBuffer, _ plane: PixelBuffer.Plane) -> sl_image {
    sl_image(
      base: UnsafeRawPointer(plane.base), row_bytes: plane.rowBytes, width: Int32(source.width),
      height: Int32(source.height), type: source.format.kernelSample, is_coarse: isCoarse ? 1 : 0)
  }
}
