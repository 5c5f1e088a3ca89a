import FilterGraph
import FrameCore
import PixelKernels

/// Samples a tile of a projection's result, block by block.
struct ProjectedBlocks: Sendable {
  private let blocks: GeometryBlocks
  private let kernel: sl_kernel
  private let outside: sl_outside

  init(_ geometry: Geometry) {
    blocks = GeometryBlocks(geometry)
    kernel = geometry.interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR
    outside = geometry.outside == .transparent ? SL_OUTSIDE_TRANSPARENT : SL_OUTSIDE_CLAMP
  }

  /// Samples the pixels of `columns` and `rows` of the result.
  ///
  /// - Parameters:
  ///   - premultiplies: whether alpha weights colour.
  ///   - format: of the samples, `.rgba16` or `.rgbaF32`.
  /// - Returns: the pixels, row by row without gaps, in the scratch.
  func load(
    _ image: sl_image, columns: Range<Int>, rows: Range<Int>, premultiplies: Bool, format: PixelFormat,
    scratch: TileScratch
  ) -> UnsafeRawPointer {
    let pixelBytes = format.rgbaBytes
    let rowBytes = columns.count * pixelBytes
    let samples = scratch.sampled(rowBytes * rows.count)
    var image = image
    var top = rows.lowerBound
    while top < rows.upperBound {
      var left = columns.lowerBound
      var bottom = top
      while left < columns.upperBound {
        let region = blocks.block(x: left, y: top)
        let (right, end) = (
          min(region.columns.upperBound, columns.upperBound), min(region.rows.upperBound, rows.upperBound)
        )
        var block = block(region, premultiplies: premultiplies)
        sl_resample_block(
          &image, &block, Int32(left - region.columns.lowerBound), Int32(top - region.rows.lowerBound),
          Int32(right - left), Int32(end - top), scratch.blockMemory,
          samples + (top - rows.lowerBound) * rowBytes + (left - columns.lowerBound) * pixelBytes,
          format.kernelSample, rowBytes)
        (left, bottom) = (right, end)
      }
      top = bottom
    }
    return UnsafeRawPointer(samples)
  }

  private func block(_ region: Region, premultiplies: Bool) -> sl_block {
    var block = sl_block()
    let places = GeometryBlocks.places(of: region, blocks.geometry)
    withUnsafeMutableBytes(of: &block.x) { x in
      for (index, place) in places.enumerated() {
        x.storeBytes(of: place.x - 0.5, toByteOffset: index * MemoryLayout<Double>.stride, as: Double.self)
      }
    }
    withUnsafeMutableBytes(of: &block.y) { y in
      for (index, place) in places.enumerated() {
        y.storeBytes(of: place.y - 0.5, toByteOffset: index * MemoryLayout<Double>.stride, as: Double.self)
      }
    }
    (block.width, block.height) = (Int32(region.columns.count), Int32(region.rows.count))
    let cover = GeometryBlocks.coverage(of: region, blocks.geometry)
    block.cover_x = (Float(cover[0].x), Float(cover[1].x), Float(cover[2].x), Float(cover[3].x))
    block.cover_y = (Float(cover[0].y), Float(cover[1].y), Float(cover[2].y), Float(cover[3].y))
    block.order =
      switch blocks.geometry.order {
      case .direct: SL_ORDER_DIRECT
      case .rowsFirst: SL_ORDER_ROWS_FIRST
      case .columnsFirst: SL_ORDER_COLUMNS_FIRST
      }
    (block.kernel, block.outside, block.premultiplies) = (kernel, outside, premultiplies ? 1 : 0)
    return block
  }
}
