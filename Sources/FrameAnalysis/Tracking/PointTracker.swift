import Libc

/// Follows points from one frame to the next, and back again: a point that does not return to where it was is lost.
///
/// Finds the shift at which a window around the point agrees best, from coarse to fine levels, by Gauss-Newton steps
/// with the gradients of the first frame. A difference in brightness that is the same in the whole window does not
/// count.
///
/// Sources: B. Lucas, T. Kanade, An iterative image registration technique, IJCAI 1981; J.-Y. Bouguet, Pyramidal
/// implementation of the Lucas Kanade feature tracker, 2000; S. Baker, I. Matthews, Lucas-Kanade 20 years on, 2004
/// (inverse composition); Z. Kalal and others, Forward-backward error, ICPR 2010.
struct PointTracker: ~Copyable {
  private typealias Row = SIMD8<Float>

  /// Rows and columns of the window, around the point.
  private static let edge = 8
  private static let mostSteps = 6
  /// Steps below this, in samples, end the search.
  private static let smallestStep: Float = 0.03
  /// How far from its place a point may return, in samples of the finest level.
  private static let agreement: Float = 0.6
  /// The smaller eigenvalue of the mean gradient tensor, in luma² per sample²: below, the window says nothing.
  private static let leastTexture: Float = 6e-6

  /// The smaller eigenvalue to the mean of both: below, the window may slide along an edge.
  private static let leastCorner: Float = 0.015

  /// The window's rows in the first frame, and their gradients.
  private var window = SampleBuffer<Row>(capacity: 3 * edge)

  /// The level from which points with a guess are searched: it is off by few samples there.
  private static let guessedLevel = 2

  /// The place in the second frame of a point of the first, in samples of the finest level; nil if it is lost.
  ///
  /// - Parameter guess: about how far it has moved.
  func follow(
    _ point: SIMD2<Float>, guess: SIMD2<Float>, from first: borrowing LumaLevels,
    to second: borrowing LumaLevels
  ) -> SIMD2<Float>? {
    let top = min(Self.guessedLevel, first.count - 1)
    guard let shift = search(point, guess, from: first, to: second, top: top, down: 0),
      Self.isInside(point + shift, second[0], margin: 2),
      let back = search(point + shift, -guess, from: second, to: first, top: top, down: 0)
    else { return nil }
    let off = back + shift
    return (off * off).sum() <= Self.agreement * Self.agreement ? point + shift : nil
  }

  /// How far a point has moved, roughly, without a guess; nil if that cannot be told.
  func coarseShift(
    of point: SIMD2<Float>, from first: borrowing LumaLevels, to second: borrowing LumaLevels
  ) -> SIMD2<Float>? {
    search(point, .zero, from: first, to: second, top: first.count - 1, down: min(1, first.count - 1))
  }

  /// The shift of a point in samples of the finest level, from `start`, searched from level `top` down to level `down`.
  private func search(
    _ point: SIMD2<Float>, _ start: SIMD2<Float>, from first: borrowing LumaLevels,
    to second: borrowing LumaLevels,
    top: Int, down: Int
  ) -> SIMD2<Float>? {
    var shift = start
    for level in stride(from: top, through: down, by: -1) {
      let scale = Float(1 << level)
      if let found = shifted(point / scale, shift / scale, first[level], second[level]) {
        shift = found * scale
      } else if level == down {
        // Only coarse levels may have nothing to hold on to.
        return nil
      }
    }
    return shift
  }

  @inline(__always)
  private static func isInside(_ p: SIMD2<Float>, _ level: LumaLevels.Level, margin: Float) -> Bool {
    p.x >= margin && p.y >= margin && p.x <= Float(level.size.width) - margin
      && p.y <= Float(level.size.height) - margin
  }

  /// Eight columns of a level between samples, in one row: `at` is the sample to the upper left of the first.
  @inline(__always)
  private static func row(_ at: UnsafePointer<Float>, _ stride: Int, _ x: Float, _ y: Float) -> Row {
    @inline(__always)
    func load(_ offset: Int) -> Row { UnsafeRawPointer(at + offset).loadUnaligned(as: Row.self) }
    let top = load(0) + (load(1) - load(0)) * x
    let bottom = load(stride) + (load(stride + 1) - load(stride)) * x
    return top + (bottom - top) * y
  }

  /// The first sample of the window around a point, and how far beyond it the window begins.
  @inline(__always)
  private static func corner(_ p: SIMD2<Float>, _ level: LumaLevels.Level) -> (
    UnsafePointer<Float>, Float, Float
  ) {
    let below = Float(LumaLevels.border)
    // Windows lie evenly around the point; the centre of the first sample is at 0.5.
    let start = p - Float(edge) / 2
    // Down, also of negative values: Int(_:) is toward zero, and much faster than a call of floor().
    let (x, y) = (Int(start.x + below) - Int(below), Int(start.y + below) - Int(below))
    return (level.base + y * level.stride + x, start.x - Float(x), start.y - Float(y))
  }

  /// The shift of the window around `p`, starting from `start`; nil if it cannot be told.
  @inline(__always)
  private func shifted(
    _ p: SIMD2<Float>, _ start: SIMD2<Float>, _ a: LumaLevels.Level, _ b: LumaLevels.Level
  ) -> SIMD2<Float>? {
    guard Self.isInside(p, a, margin: 0) else { return nil }
    let (values, gx, gy) = (window.base, window.base + Self.edge, window.base + 2 * Self.edge)
    let (at, fx, fy) = Self.corner(p, a)
    var (sumX, sumY) = (Row.zero, Row.zero)
    for j in 0..<Self.edge {
      let line = at + j * a.stride
      values[j] = Self.row(line, a.stride, fx, fy)
      gx[j] = (Self.row(line + 1, a.stride, fx, fy) - Self.row(line - 1, a.stride, fx, fy)) * 0.5
      gy[j] =
        (Self.row(line + a.stride, a.stride, fx, fy) - Self.row(line - a.stride, a.stride, fx, fy)) * 0.5
      sumX += gx[j]
      sumY += gy[j]
    }
    let n = Float(Self.edge * Self.edge)
    let (meanX, meanY) = (sumX.sum() / n, sumY.sum() / n)
    var (sumXX, sumXY, sumYY) = (Row.zero, Row.zero, Row.zero)
    for j in 0..<Self.edge {
      // Centred gradients leave out a common difference of brightness.
      gx[j] -= meanX
      gy[j] -= meanY
      sumXX += gx[j] * gx[j]
      sumXY += gx[j] * gy[j]
      sumYY += gy[j] * gy[j]
    }
    let (xx, xy, yy) = (sumXX.sum(), sumXY.sum(), sumYY.sum())
    let determinant = xx * yy - xy * xy
    let half = (xx + yy) / 2
    let least = half - max(half * half - determinant, 0).squareRoot()
    guard least > Self.leastTexture * n, least > Self.leastCorner * half else { return nil }
    var shift = start
    for _ in 0..<Self.mostSteps {
      guard Self.isInside(p + shift, b, margin: 0) else { return nil }
      let (other, ox, oy) = Self.corner(p + shift, b)
      var (errorX, errorY) = (Row.zero, Row.zero)
      for j in 0..<Self.edge {
        let difference = Self.row(other + j * b.stride, b.stride, ox, oy) - values[j]
        errorX += gx[j] * difference
        errorY += gy[j] * difference
      }
      let (ex, ey) = (errorX.sum(), errorY.sum())
      let move = SIMD2((yy * ex - xy * ey) / determinant, (xx * ey - xy * ex) / determinant)
      shift -= move
      let square = (move * move).sum()
      guard square < Float(Self.edge * Self.edge) else { return nil }
      if square < Self.smallestStep * Self.smallestStep { break }
    }
    return shift
  }

  /// The place of the strongest corner in some columns and rows of a level; nil if there is none.
  ///
  /// Source: J. Shi, C. Tomasi, Good features to track, CVPR 1994.
  static func corner(in level: LumaLevels.Level, columns: Range<Int>, rows: Range<Int>) -> SIMD2<Float>? {
    var best: (least: Float, x: Int, y: Int) = (2 * leastTexture, -1, -1)
    let (reach, inner) = (3, 4)
    for y in Swift.stride(
      from: max(rows.lowerBound, inner), to: min(rows.upperBound, level.size.height - inner), by: 2)
    {
      for x in Swift.stride(
        from: max(columns.lowerBound, inner), to: min(columns.upperBound, level.size.width - inner), by: 2)
      {
        var (xx, xy, yy): (Float, Float, Float) = (0, 0, 0)
        for j in Swift.stride(from: y - reach, through: y + reach, by: 2) {
          let row = level.base + j * level.stride
          for i in Swift.stride(from: x - reach, through: x + reach, by: 2) {
            let (dx, dy) = (
              (row[i + 1] - row[i - 1]) / 2, (row[i + level.stride] - row[i - level.stride]) / 2
            )
            xx += dx * dx
            xy += dx * dy
            yy += dy * dy
          }
        }
        let half = (xx + yy) / 2
        let least = (half - max(half * half - (xx * yy - xy * xy), 0).squareRoot()) / 16
        // Twice what following asks for: points live for many frames.
        if least > best.least, least > 2 * leastCorner * half / 16 { best = (least, x, y) }
      }
    }
    guard best.x >= 0 else { return nil }
    return SIMD2(Float(best.x) + 0.5, Float(best.y) + 0.5)
  }
}
