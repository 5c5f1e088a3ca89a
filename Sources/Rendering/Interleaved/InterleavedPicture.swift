import FilterGraph
import FrameCore
import PixelKernels

/// A picture in somebody's memory: rows at any distance, pixels of one (grey), three or four interleaved samples.
///
/// Several threads may read it, and write different parts of it, at once.
package struct InterleavedPicture: @unchecked Sendable {
  package let size: PixelSize
  /// The engine's format of such samples: RGBA.
  package let format: PixelFormat
  /// 1, 3 or 4.
  package let channels: Int
  private let base: UnsafeMutableRawPointer
  private let rowBytes: Int

  /// - Parameters:
  ///   - base: the first sample of the first row, at a multiple of a sample's bytes.
  ///   - rowBytes: from one row to the next; negative if the first row lies last.
  package init(
    _ base: UnsafeMutableRawPointer, rowBytes: Int, size: PixelSize, format: PixelFormat, channels: Int
  ) {
    precondition(format.isRGBA && [1, 3, 4].contains(channels), "no such picture")
    (self.base, self.rowBytes, self.size) = (base, rowBytes, size)
    (self.format, self.channels) = (format, channels)
  }

  private func place(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
    base + y * rowBytes + x * channels * (format.bitsPerSample / 8)
  }

  /// The picture as the engine sees it, on the same memory; nil if samples have to be repacked.
  ///
  /// - Precondition: the memory outlives the buffer.
  func shared(tags: ColorTags, alpha: AlphaMode) throws -> PixelBuffer? {
    guard channels == 4, rowBytes > 0 else { return nil }
    let picture = try PixelBuffer(
      wrapping: [(base, rowBytes)], size: size, format: format, tags: tags, release: {})
    return picture.retagged(tags, alpha: alpha)
  }

  /// The picture as the engine sees it: `shared(tags:alpha:)`, or else a copy.
  ///
  /// - Throws: `SafelightError` if memory is short.
  package func buffer(tags: ColorTags, alpha: AlphaMode) throws -> PixelBuffer {
    if let shared = try shared(tags: tags, alpha: alpha) { return shared }
    let copy = try PixelBuffer(size: size, format: format, tags: tags, alpha: alpha)
    self.copy(whole, into: copy)
    return copy
  }

  var whole: Region { Region(columns: 0..<size.width, rows: 0..<size.height) }

  /// Whether some of the bytes between the first and the last pixel are also between those of another picture.
  func overlaps(_ other: InterleavedPicture) -> Bool { bytes.overlaps(other.bytes) }

  private var bytes: Range<UnsafeMutableRawPointer> {
    let row = size.width * channels * (format.bitsPerSample / 8)
    let last = base + (size.height - 1) * rowBytes
    return min(base, last)..<max(base, last) + row
  }

  /// Copies a region into the first pixels of a buffer of the same format. Alpha becomes opaque where there is none.
  func copy(_ region: Region, into buffer: PixelBuffer) {
    let (plane, count, sample) = (buffer.planes[0], region.columns.count, format.kernelSample)
    for y in region.rows {
      let (source, target) = (place(region.columns.lowerBound, y), plane.row(y - region.rows.lowerBound))
      switch channels {
      case 1: sl_gray_to_rgba(source, sample, target, count)
      case 3: sl_rgb_to_rgba(source, sample, target, count)
      default: target.copyMemory(from: source, byteCount: count * format.rgbaBytes)
      }
    }
  }

  /// Writes a region from the first pixels of a buffer of the same format, without its alpha if there is none here.
  ///
  /// - Precondition: the picture is not grey.
  func write(_ region: Region, from buffer: PixelBuffer) {
    let (plane, count, sample) = (buffer.planes[0], region.columns.count, format.kernelSample)
    for y in region.rows {
      let (source, target) = (plane.row(y - region.rows.lowerBound), place(region.columns.lowerBound, y))
      if channels == 3 {
        sl_rgba_to_rgb(source, sample, target, count)
      } else {
        target.copyMemory(from: source, byteCount: count * format.rgbaBytes)
      }
    }
  }
}
