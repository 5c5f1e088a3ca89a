import FrameCore
import Libc

/// Pages that are laid before the camera of a live scene, one after another: each slides in, turning, lies still, and is
/// taken away again. They cover the scene, and its light does not change them.
final class LivePages {
  /// Seconds from one page to the next: it slides in, lies still until `leaves`, slides out, and is away.
  private static let (period, rests, leaves, isAway) = (6.0, 1.6, 4.2, 5.2)
  /// A4, in pixels; for pictures of up to about 1080 rows one sample to a pixel.
  private static let (columns, rows) = (420, 594)
  /// The page's half height and the camera's focal length in long edges of the picture, and how the page is turned and
  /// tilted when it lies still, in radians.
  private static let (halfHeight, focal, roll, tilt) = (0.215, 0.9, 0.06, 0.35)
  private static let (paper, ink): (Float, Float) = (228, 45)
  private static let count = 3
  /// How much of the light around it a page takes away, and how far out, in its own pixels.
  private static let shadow: (depth: Float, width: Float) = (0.45, 14)

  private let size: PixelSize
  private let pages: [[Float]]
  /// The number of the page in the frame, and the map from the picture's pixels to its own; nil if there is none.
  private var present: (number: Int, map: PageMap, x: Range<Int>, y: Range<Int>)?

  init(size: PixelSize) {
    self.size = size
    pages = (0..<Self.count).map(Self.drawn)
  }

  /// The corners of the page at a time after the start, clockwise from its own top left, in fractions of the picture;
  /// nil if there is none.
  static func corners(at seconds: Double, in size: PixelSize) -> [SIMD2<Double>]? {
    let time = max(seconds, 0).truncatingRemainder(dividingBy: period)
    guard time < isAway else { return nil }
    let (coming, going) = (ease(1 - time / rests), ease((time - leaves) / (isAway - leaves)))
    let turn = roll - 0.5 * coming + 0.3 * going
    let shift = SIMD2(0.8 * coming - 0.8 * going, 0.05 * coming)
    let (width, height) = (Double(size.width), Double(size.height))
    let half = SIMD2(halfHeight * Double(columns) / Double(rows), halfHeight)
    return [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { corner in
      let p = SIMD2(corner.0, corner.1) * half
      let (x, y) = (p.x * cos(turn) - p.y * sin(turn), p.x * sin(turn) + p.y * cos(turn))
      // The upper edge is farther away.
      let distance = focal - y * sin(tilt)
      let place = (SIMD2(x, y * cos(tilt)) * focal / distance + shift) * max(width, height)
      return place / SIMD2(width, height) + 0.5
    }
  }

  /// From 0 to 1 without a jerk.
  private static func ease(_ t: Double) -> Double {
    let t = min(max(t, 0), 1)
    return t * t * (3 - 2 * t)
  }

  /// Places the page for a frame.
  func place(at seconds: Double) {
    present = nil
    let scale = SIMD2(Double(size.width), Double(size.height))
    guard let corners = Self.corners(at: seconds, in: size)?.map({ $0 * scale }),
      let map = PageMap(corners)
    else { return }
    let margin = Int(Self.shadow.width) + 1
    func range(_ values: [Double], _ end: Int) -> Range<Int> {
      let low = min(max(Int((values.min() ?? 0).rounded(.down)) - margin, 0), end)
      return low..<max(low, min(Int((values.max() ?? 0).rounded(.up)) + margin, end))
    }
    present = (
      Int(max(seconds, 0) / Self.period) % Self.count, map, range(corners.map(\.x), size.width),
      range(corners.map(\.y), size.height)
    )
  }

  /// Paints over row `y`, in limited range. A pair of pixels has the chroma of paper if either is of the page.
  func paint(row y: Int, luma: UnsafeMutablePointer<UInt8>, chroma: UnsafeMutablePointer<UInt8>) {
    guard let (number, map, columns, rows) = present, rows.contains(y) else { return }
    pages[number].withUnsafeBufferPointer { page in
      for x in columns {
        let place = map(Float(x) + 0.5, Float(y) + 0.5)
        let (u, v) = (place.x * Float(Self.columns), place.y * Float(Self.rows))
        // Samples of the page are about as large as pixels, so that its edge is about a pixel wide.
        let inside = min(min(u, Float(Self.columns) - u), min(v, Float(Self.rows) - v)) + 0.5
        guard inside > 0 else {
          // Its shadow.
          let shade = Self.shadow.depth * max(1 + inside / Self.shadow.width, 0)
          luma[x] = UInt8(Float(luma[x]) - max(Float(luma[x]) - 16, 0) * shade + 0.5)
          continue
        }
        let cover = min(inside, 1)
        // A lamp on the left: light falls off across the page.
        let light = (1 - 0.16 * place.x - 0.08 * place.y) * Self.sample(page, u, v)
        luma[x] = UInt8(min(max(Float(luma[x]) + (light - Float(luma[x])) * cover, 16), 235) + 0.5)
        if cover > 0.5 { chroma[x] = 128 }
      }
    }
  }

  private static func sample(_ page: UnsafeBufferPointer<Float>, _ u: Float, _ v: Float) -> Float {
    let x = min(max(u - 0.5, 0), Float(columns) - 1.01)
    let y = min(max(v - 0.5, 0), Float(rows) - 1.01)
    let (i, j) = (Int(x), Int(y))
    let (a, b) = (x - Float(i), y - Float(j))
    let at = j * columns + i
    let top = page[at] + (page[at + 1] - page[at]) * a
    let bottom = page[at + columns] + (page[at + columns + 1] - page[at + columns]) * a
    return top + (bottom - top) * b
  }

  // MARK: The pages

  /// A panel of a storyboard: a drawing, and lines of writing below.
  private static func drawn(_ number: Int) -> [Float] {
    var page = [Float](repeating: paper, count: columns * rows)
    func fill(_ x: Range<Int>, _ y: Range<Int>, _ level: Float) {
      for row in y { for column in x { page[row * columns + column] = level } }
    }
    // Strokes without a frame: four straight edges are the page's alone.
    let (sunX, sunY) = (110 + 90 * number, 120 - 15 * number)
    for x in 40..<380 {
      let hill = 235 - 45 * sin(Float(x) / (35 + 12 * Float(number)) + Float(number))
      for y in 50..<300 {
        let (dx, dy) = (Float(x - sunX), Float(y - sunY))
        let isStroke = abs(Float(y) - hill) < 3.5 || abs((dx * dx + dy * dy).squareRoot() - 30) < 3
        let isShade = Float(y) > hill && (x + y) % 9 < 2
        if isStroke || isShade { page[y * columns + x] = isStroke ? ink : 120 }
      }
    }
    var random = UInt64(number + 1) &* 0x9e37_79b9_7f4a_7c15
    func next(_ count: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((random >> 33) % UInt64(count))
    }
    for line in 0..<8 {
      var x = 44
      let (top, end) = (335 + 26 * line, line == 7 ? 200 : 376)
      while x < end {
        let word = min(18 + next(40), end - x)
        // Letters: strokes with gaps.
        for stroke in stride(from: x, to: x + word, by: 6) {
          fill(stroke..<min(stroke + 3, end), top..<top + 7 + next(5), ink)
        }
        x += word + 9
      }
    }
    return page
  }
}

/// The map from places in a picture to those of a page in it, as fractions.
///
/// Source: P. Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3.
private struct PageMap {
  private let x, y, w: SIMD3<Float>

  /// Nil if three corners are in a line.
  init?(_ corners: [SIMD2<Double>]) {
    let (p0, p1, p2, p3) = (corners[0], corners[1], corners[2], corners[3])
    let sum = p0 - p1 + p2 - p3
    let (d1, d2) = (p1 - p2, p3 - p2)
    func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }
    let area = cross(d1, d2)
    guard abs(area) > 1e-6 else { return nil }
    let (g, h) = (cross(sum, d2) / area, cross(d1, sum) / area)
    let (a, b) = (p1 - p0 + g * p1, p3 - p0 + h * p3)
    // The adjugate is the inverse, but for a factor that cancels.
    let rows = [
      SIMD3(b.y - p0.y * h, p0.x * h - b.x, b.x * p0.y - p0.x * b.y),
      SIMD3(p0.y * g - a.y, a.x - p0.x * g, p0.x * a.y - a.x * p0.y),
      SIMD3(a.y * h - b.y * g, b.x * g - a.x * h, a.x * b.y - b.x * a.y),
    ]
    (x, y, w) = (SIMD3<Float>(rows[0]), SIMD3<Float>(rows[1]), SIMD3<Float>(rows[2]))
  }

  @inline(__always)
  func callAsFunction(_ column: Float, _ row: Float) -> SIMD2<Float> {
    let p = SIMD3(column, row, 1)
    return SIMD2((x * p).sum(), (y * p).sum()) / (w * p).sum()
  }
}
