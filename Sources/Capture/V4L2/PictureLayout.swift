import CV4L2
import FrameCore

/// Where the planes of a picture lie in a driver's buffer.
struct PictureLayout: Sendable, Hashable {
  struct Plane: Sendable, Hashable {
    /// Which of the buffer's regions of memory.
    var memory: Int
    /// From the region's beginning, in bytes.
    var offset: Int
    var rowBytes: Int
  }
  /// In the order of the pixel format's planes.
  var planes: [Plane]
  /// Bytes of each region that hold samples; a frame that fills fewer is incomplete.
  var requiredBytes: [Int]
  /// Bytes of a whole picture in one region, the last row's padding included.
  var pictureBytes: Int

  /// The layout of a format as V4L2 defines it: without room between planes, chroma rows of planar formats shorter
  /// than the luma's by their subsampling.
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
        // Bytes of one group against those of luma at as many columns.
        rowBytes = bytesPerLine[0] * shape.bytesPerGroup / (shape.columnsPerGroup * shapes[0].bytesPerGroup)
      }
      // 0 where a driver has nothing to say.
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
