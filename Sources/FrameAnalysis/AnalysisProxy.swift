import AnalysisKernels
import FrameCore

/// A small picture of a frame, made once and read by every analysis.
///
/// Holds luma, averaged over areas and turned for display, and a grid of single pixels as R, G, B: averages would
/// hide small clipped areas, as they do if the input picture was already shrunk. Both have a fixed size, so that
/// results do not depend on the frame's resolution.
///
/// Pixels that are less than half opaque are omitted from the colours, so that a subject cut out of its background
/// is measured alone. Luma ignores alpha: edges are found in the colours stored in the file, visible or not.
///
/// A proxy belongs to one thread at a time. It keeps its memory from frame to frame.
public final class AnalysisProxy {
  /// The long edge of luma in samples, unless the frame is smaller.
  public static let longEdge = 640
  /// The long edge of the colour grid in samples, unless the frame is smaller.
  package static let colorLongEdge = 320

  /// The minimum alpha, 0…1, of pixels whose colour counts.
  static let leastAlpha: Float = 0.5

  /// Columns and rows of luma, as displayed; 0×0 before the first frame.
  public private(set) var size = PixelSize(width: 0, height: 0)
  /// Columns and rows of the frame, as displayed.
  package private(set) var sourceSize = PixelSize(width: 0, height: 0)
  /// The number of single pixels taken: the visible ones of the grid.
  package private(set) var colorCount = 0

  private var lumaSamples = SampleBuffer<Float>(capacity: longEdge * longEdge)
  private var colorSamples = SampleBuffer<Float>(capacity: 3 * colorLongEdge * colorLongEdge)
  private var lightnessSamples = SampleBuffer<Float>(capacity: colorLongEdge * colorLongEdge)
  private var areaSamples = SampleBuffer<Float>(capacity: 5 * 4096)
  private var areaColumns = SampleBuffer<Int32>(capacity: 4096)
  private var lightnessTable: LightnessTable?
  /// Alpha at each position of the grid, followed by two equal planes; used for pictures with alpha.
  private var alphaSamples = SampleBuffer<Float>(capacity: 0)
  /// The number of alpha samples: the grid's, or 0.
  private var alphaCount = 0

  public init() {}

  /// Reads a frame.
  ///
  /// - Throws: `SafelightError` if the frame's ICC profile is damaged or is not a matrix with curves.
  public func update(from frame: Frame) throws {
    try update(from: frame.buffer, orientation: frame.orientation)
  }

  /// Reads a picture.
  ///
  /// - Parameter orientation: how the samples must be turned for display.
  /// - Throws: `SafelightError` if the picture's ICC profile is damaged or is not a matrix with curves.
  public func update(from buffer: PixelBuffer, orientation: Orientation = .up) throws {
    try updateLuma(from: buffer, orientation: orientation)
    guard let lightnessTable else { return }
    pickColors(of: buffer)
    lightnessTable.lightness(of: colorSamples.base, count: colorCount, into: lightnessSamples.base)
  }

  /// Reads the luma of a picture alone, for what needs no colours; there are none then.
  ///
  /// - Throws: as `update(from:orientation:)`.
  package func updateLuma(from buffer: PixelBuffer, orientation: Orientation) throws {
    if lightnessTable?.tags != buffer.tags { lightnessTable = try LightnessTable(buffer.tags) }
    sourceSize = orientation.applied(to: buffer.size)
    (colorCount, alphaCount) = (0, 0)
    shrinkLuma(of: buffer, orientation: orientation)
    if lightnessTable?.isLinear == true { sla_square_root(lumaSamples.base, size.pixelCount) }
  }

  private func shrinkLuma(of buffer: PixelBuffer, orientation: Orientation) {
    let stored = Self.fit(buffer.size, longEdge: Self.longEdge)
    size = orientation.applied(to: stored)
    areaSamples.reserve(5 * buffer.width)
    areaColumns.reserve(buffer.width)
    var scratch = sla_area_scratch(samples: areaSamples.base, columns: areaColumns.base)
    var plane = OrientedPlane(stored, orientation: orientation).plane(at: lumaSamples.base)
    var picture = sla_luma_picture(
      base: buffer.planes[0].base, row_bytes: buffer.planes[0].rowBytes, width: Int32(buffer.width),
      height: Int32(buffer.height), source: buffer.format.lumaSource)
    // H.273: 8-bit luma of limited range has black at 16 and white at 235.
    let isLimited = buffer.format.isYCbCr && buffer.tags.range == .limited
    sla_area_average(
      &picture, &plane, isLimited ? 16.0 / 255 : 0, isLimited ? 255.0 / 219 : 1, &scratch)
  }

  private func pickColors(of buffer: PixelBuffer) {
    let grid = Self.fit(buffer.size, longEdge: Self.colorLongEdge)
    colorCount = grid.pixelCount
    var picture = sla_color_picture(samplesOf: buffer)
    sla_sample_colors(&picture, Int32(grid.width), Int32(grid.height), colorSamples.base)
    alphaCount = 0
    guard var alpha = sla_color_picture(alphaOf: buffer) else { return }
    alphaSamples.reserve(3 * grid.pixelCount)
    // The same pixels as the colours': their positions depend only on the grid.
    sla_sample_colors(&alpha, Int32(grid.width), Int32(grid.height), alphaSamples.base)
    alphaCount = grid.pixelCount
    leaveOutInvisible()
  }

  /// Compacts the colours of visible pixels.
  private func leaveOutInvisible() {
    let (colors, alpha, all) = (colorSamples.base, alphaSamples.base, alphaCount)
    // Samples move only towards the start of the first plane, so none is overwritten before it has moved.
    var next = 0
    for channel in 0..<3 {
      for place in 0..<all where alpha[place] >= Self.leastAlpha {
        colors[next] = colors[channel * all + place]
        next += 1
      }
    }
    colorCount = next / 3
  }

  /// `size`, shrunk so that its long edge is at most `longEdge`; never empty.
  static func fit(_ size: PixelSize, longEdge: Int) -> PixelSize {
    guard size.longEdge > longEdge else { return size }
    let scale = Double(longEdge) / Double(size.longEdge)
    func shrunk(_ edge: Int) -> Int { max(1, Int((Double(edge) * scale).rounded())) }
    return PixelSize(width: shrunk(size.width), height: shrunk(size.height))
  }
}

// MARK: Samples

// Views are valid until the next update; they are for analyses and tests, which read them at once.
extension AnalysisProxy {
  /// Luma 0…1, rows from top to bottom without gaps, in the frame's own encoding (the square root of linear
  /// light).
  package var luma: UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: lumaSamples.base, count: size.pixelCount)
  }

  /// Encoded R, G, B, 0…1: three planes of `colorCount` samples, one after another, in stored order, without
  /// invisible pixels.
  var colors: UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: colorSamples.base, count: 3 * colorCount)
  }

  /// Alpha, 0…1, at each position of the grid that `colors` were taken from, in stored order; empty if all count.
  var alpha: UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: alphaSamples.base, count: alphaCount)
  }

  /// OKLab L, 0…1, of the samples in `colors`.
  var lightness: UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: lightnessSamples.base, count: colorCount)
  }
}

/// Maps the samples of a stored picture to their displayed positions.
private struct OrientedPlane {
  let stored: PixelSize
  let first: Int
  let columnStep: Int
  let rowStep: Int

  init(_ stored: PixelSize, orientation: Orientation) {
    let displayed = orientation.applied(to: stored)
    func position(_ storedX: Int, _ y: Int) -> Int {
      let x = orientation.isMirrored ? stored.width - 1 - storedX : storedX
      return switch orientation.quarterTurns {
      case 0: y * displayed.width + x
      case 1: x * displayed.width + (stored.height - 1 - y)
      case 2: (stored.height - 1 - y) * displayed.width + (stored.width - 1 - x)
      default: (stored.width - 1 - x) * displayed.width + y
      }
    }
    self.stored = stored
    first = position(0, 0)
    columnStep = position(1, 0) - first
    rowStep = position(0, 1) - first
  }

  func plane(at base: UnsafeMutablePointer<Float>) -> sla_oriented_plane {
    sla_oriented_plane(
      base: base + first, column_step: columnStep, row_step: rowStep, width: Int32(stored.width),
      height: Int32(stored.height))
  }
}
