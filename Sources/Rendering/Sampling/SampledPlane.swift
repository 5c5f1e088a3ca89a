import FilterGraph
import PixelKernels

/// The positions of output pixels among the samples of one plane, in the kernels' format: 0 is the centre of the
/// first sample.
struct SampledPlane: Sendable {
  private let grid: SampleGrid
  /// From output pixels to samples. With columns first the plane is transposed before anything else, and so is
  /// this map.
  private let map: AffineMap
  /// The plane's size in samples, as stored.
  let width, height: Int
  let kernel: sl_kernel

  var order: SamplingOrder { grid.order }
  /// The sample shown by the first output pixel, if every pixel shows a sample of its own row unchanged.
  var copied: (x: Int, y: Int)? { grid.copied }

  /// - Parameter grid: positions among the samples as stored.
  init(_ grid: SampleGrid, width: Int, height: Int) {
    self.grid = grid
    let map = grid.map
    self.map =
      grid.order == .columnsFirst
      ? AffineMap(a: map.d, b: map.e, c: map.f, d: map.a, e: map.b, f: map.c) : map
    (self.width, self.height) = (width, height)
    kernel = grid.interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR
  }

  /// A rectangle of samples, as copied.
  struct Window {
    var x, y, width, height: Int
    /// Includes room for the kernels' read-ahead.
    var rowBytes: Int { (width + Int(SL_PLANAR_READ_AHEAD) + 63) & ~63 }
    /// The transposed window.
    var turned: Window { Window(x: y, y: x, width: height, height: width) }
  }

  /// The number of columns rounded up to the kernels' sixteen.
  static func padded(_ count: Int) -> Int { (count + 15) & ~15 }

  /// Whether output rows map to the rows of both planes in the same way.
  func sharesRows(with other: SampledPlane) -> Bool {
    (map.d, map.e, map.f) == (other.map.d, other.map.e, other.map.f) && order == other.order
      && order != .direct && copied == nil && other.copied == nil
  }

  /// Without columns ahead: tiles are padded in `window`, where the vectors' width is known.
  private static let margin: ReadMargin = {
    var margin = ReadMargin.processor
    margin.columnsAhead = 0
    return margin
  }()

  /// Returns the samples that kernels read for the given output pixels.
  func window(columns: Range<Int>, rows: Range<Int>) -> Window {
    let padding = copied == nil ? Self.padded(columns.count) : columns.count
    let samples = grid.samples(
      of: Region(columns: columns.lowerBound..<columns.lowerBound + padding, rows: rows),
      margin: Self.margin)
    let window = Window(
      x: samples.columns.lowerBound, y: samples.rows.lowerBound, width: samples.columns.count,
      height: samples.rows.count)
    return order == .columnsFirst && copied == nil ? window.turned : window
  }

  /// Returns the line of output pixels from (x, y) on, in samples of `window`.
  func line(x: Int, y: Int, in window: Window) -> sl_line {
    let start = map.apply(Double(x) + 0.5, Double(y) + 0.5)
    return sl_line(
      x: fixedPoint(start.x - Double(window.x)), y: fixedPoint(start.y - Double(window.y)),
      dx: fixedPoint(map.a), dy: fixedPoint(map.d))
  }

  /// Returns the positions of a tile from (x, y) on, in samples of `window`: along rows where columns cross them,
  /// and down columns.
  func axes(x: Int, y: Int, in window: Window) -> (x: sl_axis, y: sl_axis) {
    let start = map.apply(Double(x) + 0.5, Double(y) + 0.5)
    let (px, py) = (start.x - Double(window.x), start.y - Double(window.y))
    let shear = grid.shear
    return (
      sl_axis(
        start: fixedPoint(px - shear * py), column: fixedPoint(map.a - shear * map.d), row: fixedPoint(shear)),
      sl_axis(start: fixedPoint(py), column: fixedPoint(map.d), row: fixedPoint(map.e))
    )
  }
}

/// Returns a position or a step as kernels take it: in units of 2⁻³², rounded to the nearest.
func fixedPoint(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }
