import Libc

/// The smallest upright rectangle around an outline, in fractions of the picture.
struct OutlineBounds: Sendable, Hashable {
  var left, top, right, bottom: Double

  /// - Parameter outline: not empty; of nothing, the bounds are a point at the top left.
  init(_ outline: [NormalizedPoint]) {
    guard let first = outline.first else {
      (left, top, right, bottom) = (0, 0, 0, 0)
      return
    }
    (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
    for point in outline.dropFirst() {
      (left, right) = (min(left, point.x), max(right, point.x))
      (top, bottom) = (min(top, point.y), max(bottom, point.y))
    }
  }

  var area: Double { (right - left) * (bottom - top) }
  var centre: NormalizedPoint { NormalizedPoint((left + right) / 2, (top + bottom) / 2) }
  var diagonal: Double { hypot(right - left, bottom - top) }

  /// The area of what both have, over the area of what either has (the Jaccard index), 0…1.
  func overlap(_ other: OutlineBounds) -> Double {
    let width = min(right, other.right) - max(left, other.left)
    let height = min(bottom, other.bottom) - max(top, other.top)
    guard width > 0, height > 0 else { return 0 }
    return width * height / (area + other.area - width * height)
  }

  /// How far the edge that moved most is from its place in `other`.
  func distance(to other: OutlineBounds) -> Double {
    max(
      max(abs(left - other.left), abs(right - other.right)),
      max(abs(top - other.top), abs(bottom - other.bottom)))
  }
}

extension Detection {
  var bounds: OutlineBounds { OutlineBounds(outline) }

  /// The point that decides which zones something is in: for what moves its foot, the middle of the lower edge of the
  /// upright rectangle around it; for everything else the middle of that rectangle.
  public var place: NormalizedPoint {
    let bounds = bounds
    return kind == .motion ? NormalizedPoint(bounds.centre.x, bounds.bottom) : bounds.centre
  }
}
