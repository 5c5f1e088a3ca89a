import FrameCore

/// Finds by how many whole samples one picture is shifted against another.
enum TranslationSearch {
  /// A shift counts only if it makes the mean absolute difference this much smaller: in a picture without
  /// structure the best of many shifts is chance.
  private static let leastGain: Float = 0.8

  /// The shift with the smallest mean absolute difference where both overlap, up to an eighth of each edge
  /// and at least two samples; zero if no shift is clearly better.
  static func shift(from reference: LumaPyramid.Level, to frame: LumaPyramid.Level) -> SIMD2<Double> {
    let (width, height) = (reference.size.width, reference.size.height)
    let (reachX, reachY) = (max(2, width / 8), max(2, height / 8))
    let still = difference(reference, frame, 0, 0)
    var best = (difference: still * leastGain, x: 0, y: 0)
    for y in -reachY...reachY {
      for x in -reachX...reachX where x != 0 || y != 0 {
        let difference = difference(reference, frame, x, y)
        if difference < best.difference { best = (difference, x, y) }
      }
    }
    return SIMD2(Double(best.x), Double(best.y))
  }

  private static func difference(
    _ reference: LumaPyramid.Level, _ frame: LumaPyramid.Level, _ x: Int, _ y: Int
  ) -> Float {
    let size = reference.size
    var sum: Float = 0
    let columns = max(0, -x)..<min(size.width, size.width - x)
    let rows = max(0, -y)..<min(size.height, size.height - y)
    for row in rows {
      let a = reference.samples + row * size.width
      let b = frame.samples + (row + y) * size.width + x
      for column in columns { sum += abs(a[column] - b[column]) }
    }
    return sum / Float(columns.count * rows.count)
  }
}
