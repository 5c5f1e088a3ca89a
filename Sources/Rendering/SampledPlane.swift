import FilterGraph
import PixelKernels

/// Where output pixels lie among the samples of one plane, 0 being the centre of the first sample.
struct SampledPlane: Sendable {
  /// From output pixels to samples. With columns first the plane is turned about its diagonal before all else, and so
  /// is this map.
  let map: AffineMap
  /// Samples of the plane as stored.
  let width, height: Int
  let order: SamplingOrder
  let kernel: sl_kernel
  /// The sample that the first output pixel shows, where every pixel shows a sample of its own row as it is.
  let copied: (x: Int, y: Int)?

  /// - Parameter map: to samples as stored.
  init(_ map: AffineMap, width: Int, height: Int, order: SamplingOrder, interpolation: Interpolation) {
    self.map =
      order == .columnsFirst
      ? AffineMap(a: map.d, b: map.e, c: map.f, d: map.a, e: map.b, f: map.c) : map
    (self.width, self.height) = (width, height)
    self.order = order
    kernel = interpolation == .sharp ? SL_KERNEL_SHARP : SL_KERNEL_BILINEAR
    let first = map.apply(0.5, 0.5)
    let isWhole = first.x == first.x.rounded() && first.y == first.y.rounded()
    let steps = (map.a, map.b, map.d, map.e) == (1, 0, 0, 1)
    copied = steps && isWhole ? (Int(first.x), Int(first.y)) : nil
  }

  /// A rectangle of samples, as copied.
  struct Window {
    var x, y, width, height: Int
    /// With room for what the kernels read ahead.
    var rowBytes: Int { (width + Int(SL_PLANAR_READ_AHEAD) + 63) & ~63 }
    /// The same about the plane's diagonal.
    var turned: Window { Window(x: y, y: x, width: height, height: width) }
  }

  /// Columns rounded up to the kernels' sixteen.
  static func padded(_ count: Int) -> Int { (count + 15) & ~15 }

  /// Samples by which the kernel of two passes moves from one row to the next.
  private var shear: Double { order == .direct ? 0 : map.b / map.e }

  /// Whether the rows of output pixels lie alike among the rows of both planes.
  func sharesRows(with other: SampledPlane) -> Bool {
    (map.d, map.e, map.f) == (other.map.d, other.map.e, other.map.f) && order == other.order
      && order != .direct && copied == nil && other.copied == nil
  }

  /// The samples that output pixels show, with the reach of the kernel.
  func window(columns: Range<Int>, rows: Range<Int>) -> Window {
    if let copied {
      return Window(
        x: copied.x + columns.lowerBound, y: copied.y + rows.lowerBound, width: columns.count,
        height: rows.count)
    }
    let last = Double(columns.lowerBound + Self.padded(columns.count)) - 0.5
    let (left, top, bottom) = (
      Double(columns.lowerBound) + 0.5, Double(rows.lowerBound) + 0.5, Double(rows.upperBound) - 0.5
    )
    let corners = (
      map.apply(left, top), map.apply(last, top), map.apply(left, bottom), map.apply(last, bottom)
    )
    func bounds(_ a: Double, _ b: Double, _ c: Double, _ d: Double, reach: Double) -> (first: Int, last: Int)
    {
      // Two by two: of more, `min` makes an array.
      let (low, high) = (min(min(a, b), min(c, d)), max(max(a, b), max(c, d)))
      return (Int((low - reach).rounded(.down)), Int((high + reach).rounded(.down)))
    }
    // Positions are rounded to a part of a sample before their whole part is taken. In two passes, a pixel whose first
    // neighbour lies between two nodes of the kernels' tables has the taps that it has at the lower one.
    let rounding = 1.0 / 512 + (order == .direct ? 0 : 1.0 / 64)
    let sheared = SamplingOrder.reach(ofShear: shear, climb: map.d)
    let x = bounds(corners.0.x, corners.1.x, corners.2.x, corners.3.x, reach: sheared + rounding)
    let y = bounds(corners.0.y, corners.1.y, corners.2.y, corners.3.y, reach: rounding)
    // Two taps before, three behind; the kernels read one row more.
    return Window(
      x: x.first - 2, y: y.first - 2, width: x.last - x.first + 6, height: y.last - y.first + 7)
  }

  /// The line of output pixels from (x, y) on, in samples of `window`.
  func line(x: Int, y: Int, in window: Window) -> sl_line {
    let start = map.apply(Double(x) + 0.5, Double(y) + 0.5)
    return sl_line(
      x: Self.fixed(start.x - Double(window.x)), y: Self.fixed(start.y - Double(window.y)),
      dx: Self.fixed(map.a), dy: Self.fixed(map.d))
  }

  /// The places of a tile from (x, y) on, in samples of `window`: along rows where columns cross them, and down columns.
  func axes(x: Int, y: Int, in window: Window) -> (x: sl_axis, y: sl_axis) {
    let start = map.apply(Double(x) + 0.5, Double(y) + 0.5)
    let (px, py) = (start.x - Double(window.x), start.y - Double(window.y))
    return (
      sl_axis(
        start: Self.fixed(px - shear * py), column: Self.fixed(map.a - shear * map.d), row: Self.fixed(shear)),
      sl_axis(start: Self.fixed(py), column: Self.fixed(map.d), row: Self.fixed(map.e))
    )
  }

  private static func fixed(_ value: Double) -> Int64 { Int64((value * 4_294_967_296).rounded()) }
}
