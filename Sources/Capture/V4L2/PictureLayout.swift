import CV4L2
import FrameCore

/// The positions of a picture's planes in a driver's buffer.
struct PictureLayout: Sendable, Hashable {
  struct Plane: Sendable, Hashable {
    /// The index of the buffer's memory region.
    var memory: Int
    /// The offset from the start of the region, in bytes.
    var offset: Int
    var rowBytes: Int
  }
  /// Planes in the order of the pixel format.
  var planes: [Plane]
  /// The number of bytes with samples in each region; a frame with fewer is incomplete.
  var requiredBytes: [Int]
  /// The size of a whole picture in one region, including the last row's padding.
  var pictureBytes: Int

  /// The layout of a format as defined by V4L2: no gaps between planes, and chroma rows of planar formats are
  /// shorter than luma rows by their subsampling.
  ///
  /// Source: the kernel's documentation, "YUV formats", on `bytesperline`.
  init(_ format: cv4l2_format, pixelFormat: PixelFormat, memoryPlanes: Int, swapsChroma: Bool) {
    let size = PixelSize(width: Int(format.width), height: Int(format.height))
    let shapes = pixelFormat.planes
    let bytesPerLine = withUnsafeBytes(of: format.bytes_per_line) {
      Array($0.bindMemory(to: UInt32.self)).map(Int.init)
    }
    var planes: [Plane] = []
    var end = 0
    for (index, shape) in shapes.enumerated() {
      let tight = shape.rowBytes(width: size.width)
      let rowBytes: Int
      if memoryPlanes > 1 {
        rowBytes = bytesPerLine[min(index, bytesPerLine.count - 1)]
      } else if index == 0 {
        rowBytes = bytesPerLine[0]
      } else {
        // Bytes per group relative to luma bytes for the same number of columns.
        rowBytes = bytesPerLine[0] * shape.bytesPerGroup / (shape.columnsPerGroup * shapes[0].bytesPerGroup)
      }
      // Some drivers report 0.
      let used = rowBytes == 0 ? tight : rowBytes
      planes.append(
        Plane(memory: memoryPlanes > 1 ? index : 0, offset: memoryPlanes > 1 ? 0 : end, rowBytes: used))
      end += used * shape.rows(height: size.height)
    }
    if swapsChroma, planes.count == 3 { planes.swapAt(1, 2) }
    var required = [Int](repeating: 0, count: memoryPlanes)
    for (plane, shape) in zip(planes, shapes) {
      let rows = shape.rows(height: size.height)
      let bytes = plane.offset + (rows - 1) * plane.rowBytes + shape.rowBytes(width: size.width)
      required[plane.memory] = max(required[plane.memory], bytes)
    }
    self.planes = planes
    requiredBytes = required
    pictureBytes = end
  }

  /// The layout of packed RGB.
  init(_ format: cv4l2_format, packed: PackedRGB) {
    let tight = Int(format.width) * packed.bytesPerPixel
    let rowBytes = format.bytes_per_line.0 == 0 ? tight : Int(format.bytes_per_line.0)
    planes = [Plane(memory: 0, offset: 0, rowBytes: rowBytes)]
    requiredBytes = [(Int(format.height) - 1) * rowBytes + tight]
    pictureBytes = Int(format.height) * rowBytes
  }
}
