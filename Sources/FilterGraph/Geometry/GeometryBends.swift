import FrameCore
import Libc

// How far places of a resample that is not affine are from straight lines, and what follows from that.
extension Geometry {
  /// The most by which places along a row are wrong, in input pixels, if they are spaced evenly between the ends of a
  /// piece of `length` pixels: a chord is at most length² / 8 times the largest second derivative from its curve.
  package func lineError(length: Int) -> Double {
    bend(along: (1, 0)) * Double(length * length) / 8
  }

  /// A bound of the second derivative of places, in input pixels, by the distance along a direction in the output.
  ///
  /// Of a projection, x′ = (a − x·g) / w, it is −2g·x′ / w, whose factors are largest where w is least, which is in a
  /// corner. A lens behind it bends what comes out straight by at most `LensWarp.bend` times the square of the speed, and
  /// stretches what is bent already.
  private func bend(along step: (x: Double, y: Double)) -> Double {
    guard !isAffine else { return 0 }
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    var (speed, bend) = (hypot(map.a * step.x + map.b * step.y, map.d * step.x + map.e * step.y), 0.0)
    if let projection {
      // By how much w changes from one output pixel to the next.
      let slope = abs(
        projection.g * (map.a * step.x + map.b * step.y) + projection.h * (map.d * step.x + map.e * step.y))
      speed = 0
      for corner in [(0, 0), (w, 0), (0, h), (w, h)] {
        let mapped = map.apply(corner.0, corner.1)
        let tangent = map.then(projection.tangent(atX: mapped.x, y: mapped.y))
        let moved = hypot(
          tangent.a * step.x + tangent.b * step.y, tangent.d * step.x + tangent.e * step.y)
        speed = max(speed, moved)
        bend = max(bend, 2 * slope / abs(projection.depth(mapped.x, mapped.y)) * moved)
      }
    }
    guard let lens else { return bend }
    let (toLens, fromLens) = lens.scales
    (speed, bend) = (speed * toLens, bend * toLens)
    return fromLens * (lens.bend * speed * speed + lens.stretch * bend)
  }

  /// The pixels of a row whose places fast renderers space evenly: as many as keep them within 1/256 of a pixel, close to
  /// what kernels round places to, and change what a pixel covers by less than 1 %.
  package var lineLength: Int {
    [64, 32, 16, 8, 4, 2].first {
      lineError(length: $0) <= 1.0 / 256 && coverageChange(over: $0, along: (1, 0)) <= 0.01
    }
      ?? 1
  }

  /// The largest part by which coverage changes from the middle of a line of `length` pixels, along a direction in the
  /// output, to its ends: ∝ 1 / w² with a projection, and with a lens as its slopes do.
  func coverageChange(over length: Int, along step: (x: Double, y: Double)) -> Double {
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    let along = (x: map.a * step.x + map.b * step.y, y: map.d * step.x + map.e * step.y)
    var (change, speed) = (0.0, hypot(along.x, along.y))
    if let projection {
      let slope = abs(projection.g * along.x + projection.h * along.y)
      let depths = [(0, 0), (w, 0), (0, h), (w, h)].map { corner in
        let mapped = map.apply(corner.0, corner.1)
        let tangent = map.then(projection.tangent(atX: mapped.x, y: mapped.y))
        speed = max(
          speed, hypot(tangent.a * step.x + tangent.b * step.y, tangent.d * step.x + tangent.e * step.y))
        return abs(projection.depth(mapped.x, mapped.y))
      }
      change = slope * Double(length) / (depths.min() ?? 1)
    }
    guard let lens else { return change }
    return change + lens.change * lens.scales.toLens * speed * Double(length) / 2
  }

  /// The smallest rectangle of the input that contains what a rectangle of the output shows; with a lens, a little more.
  func bounds(left: Double, top: Double, right: Double, bottom: Double) -> (
    minX: Double, minY: Double, maxX: Double, maxY: Double
  ) {
    var places = [place(left, top), place(right, top), place(left, bottom), place(right, bottom)]
    var slack = 0.0
    if lens != nil {
      // Straight lines do not stay straight, but what is inside stays inside. Between places on an edge, it is at most as
      // far from their chord as it bends.
      let pieces = 8
      for piece in 1..<pieces {
        let part = Double(piece) / Double(pieces)
        let (x, y) = (left + part * (right - left), top + part * (bottom - top))
        places += [place(x, top), place(x, bottom), place(left, y), place(right, y)]
      }
      let (across, down) = ((right - left) / Double(pieces), (bottom - top) / Double(pieces))
      slack = max(bend(along: (1, 0)) * across * across, bend(along: (0, 1)) * down * down) / 8
    }
    let (xs, ys) = (places.map(\.x), places.map(\.y))
    return (
      (xs.min() ?? 0) - slack, (ys.min() ?? 0) - slack, (xs.max() ?? 0) + slack, (ys.max() ?? 0) + slack
    )
  }
}
