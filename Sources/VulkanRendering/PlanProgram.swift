import FilterGraph
import FrameCore

/// Where the samples of a picture, or of a rectangle of it, lie in a device's buffer.
struct DeviceLayout: Sendable, Hashable {
  struct Plane: Sendable, Hashable {
    /// Of the rectangle's first sample, in bytes; a multiple of 4.
    var offset: Int
    /// From one row to the next, in bytes; a multiple of 4.
    var rowBytes: Int
  }
  /// Of the whole picture.
  var size: PixelSize
  var format: PixelFormat
  /// The part that is in the buffer; the whole picture, where it is. It begins with whole groups of samples.
  var columns: Range<Int>
  var rows: Range<Int>
  var planes: [Plane]
}

/// One call of a kernel. Buffers are what it reads (binding 0), what it writes (1) and the program's tables (2).
struct Dispatch: Sendable {
  /// Index into `PlanProgram.variants`.
  var variant: Int
  /// The push constants, at most 128 bytes.
  var parameters: [UInt32]
  var groups: (x: Int, y: Int)
}

/// A plan in the terms of the shaders: a value that no device is needed for.
struct PlanProgram: Sendable {
  /// What is ahead of the frame where the plan reduces: source → narrowed rows → reduced picture.
  struct Reduction: Sendable {
    /// As wide as the reduced picture and as high as the source.
    var narrowedSize: PixelSize
    var narrowedFormat: PixelFormat
    var reducedSize: PixelSize
    var reducedFormat: PixelFormat
  }

  let plan: Plan
  let variants: [ShaderVariant]
  /// What shaders read as binding 2.
  let tables: [UInt32]
  let reduction: Reduction?
}
