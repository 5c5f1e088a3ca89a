import FrameCore
import Libc

// Where the places of a resample's output are in its input, with a projection and without.
extension Geometry {
  /// Returns the place in the input that a place in the output shows; both in pixels from the top left corner.
  public func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let mapped = map.apply(x, y)
    return projection?.apply(mapped.x, mapped.y) ?? mapped
  }

  /// The affine map that touches this resample's at a place in the output; the map itself without a projection.
  package func tangent(atX x: Double, y: Double) -> AffineMap {
    guard let projection else { return map }
    let mapped = map.apply(x, y)
    return map.then(projection.tangent(atX: mapped.x, y: mapped.y))
  }

  /// The number of input pixels that one output pixel covers, along the input's axes; above 1 the picture downsamples.
  /// With a projection, where it covers least.
  package var downsampleFactors: (x: Double, y: Double) {
    guard projection != nil else { return map.coverage }
    return localFactors.reduce((x: .infinity, y: .infinity)) { (min($0.x, $1.x), min($0.y, $1.y)) }
  }

  /// As `downsampleFactors`, where an output pixel covers most.
  package var mostDownsampleFactors: (x: Double, y: Double) {
    guard projection != nil else { return map.coverage }
    return localFactors.reduce((x: 0, y: 0)) { (max($0.x, $1.x), max($0.y, $1.y)) }
  }

  /// How far from the input's own pixels a change of one output pixel leads, at places all over the output. Extremes lie
  /// near its edges, where these are closest.
  private var localFactors: [(x: Double, y: Double)] {
    let steps = 16
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    return (0...steps).flatMap { row in
      (0...steps).map { column in
        tangent(atX: w * Double(column) / Double(steps), y: h * Double(row) / Double(steps)).coverage
      }
    }
  }

  /// Returns the place in the output at which a place in the input is shown; the inverse of `place`.
  package func placeInOutput(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let mapped = projection?.inverse.apply(x, y) ?? (x: x, y: y)
    return map.inverse.apply(mapped.x, mapped.y)
  }

  /// Whether a place in the output shows anything, rather than what lies behind the horizon of a projection.
  package func isSeen(_ x: Double, _ y: Double) -> Bool {
    guard let projection else { return true }
    let mapped = map.apply(x, y)
    return projection.depth(mapped.x, mapped.y) > 0
  }

  /// The most by which places along a row are wrong, in input pixels, if they are spaced evenly between the ends of a
  /// piece of `length` pixels.
  ///
  /// Along a row, x′ = (a − x·g) / w has the derivative −2g·x′ / w, and a chord is at most length² / 8 times the largest
  /// second derivative from its curve. Both factors are largest where w is least, which is in a corner.
  package func lineError(length: Int) -> Double {
    guard let projection else { return 0 }
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    // By how much w changes from one output pixel to the next.
    let slope = abs(projection.g * map.a + projection.h * map.d)
    return [(0, 0), (w, 0), (0, h), (w, h)].reduce(0) { most, corner in
      let mapped = map.apply(corner.0, corner.1)
      let tangent = tangent(atX: corner.0, y: corner.1)
      let bend = 2 * slope / abs(projection.depth(mapped.x, mapped.y)) * hypot(tangent.a, tangent.d)
      return max(most, bend * Double(length * length) / 8)
    }
  }

  /// The pixels of a row whose places fast renderers space evenly: as many as keep them within 1/256 of a pixel, close to
  /// what kernels round places to, and change what a pixel covers by less than 1 %.
  package var lineLength: Int {
    [64, 32, 16, 8, 4, 2].first { lineError(length: $0) <= 1.0 / 256 && coverageChange(over: $0) <= 0.01 }
      ?? 1
  }

  /// The largest part by which coverage, which is ∝ 1 / w², changes from the middle of a piece of a row to its ends.
  private func coverageChange(over length: Int) -> Double {
    guard let projection else { return 0 }
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    let slope = abs(projection.g * map.a + projection.h * map.d)
    let depths = [(0, 0), (w, 0), (0, h), (w, h)].map { corner in
      let mapped = map.apply(corner.0, corner.1)
      return abs(projection.depth(mapped.x, mapped.y))
    }
    return slope * Double(length) / (depths.min() ?? 1)
  }

  /// Why nothing can be shown of some places, as the end of a sentence; nil if all are within reach.
  var unreachable: String? {
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    if let projection {
      let depths = [(0, 0), (w, 0), (0, h), (w, h)].map { corner in
        let mapped = map.apply(corner.0, corner.1)
        return projection.depth(mapped.x, mapped.y)
      }
      let (least, most) = (depths.min() ?? 0, depths.max() ?? 0)
      guard projection.isFinite, least > 1e-3 * most, most > 0 else {
        return "looks, with the filters before it, beyond the horizon of the plane that it turns"
      }
      guard projection.inverse.isFinite else {
        return "draws a line or a point of the picture out to an area"
      }
    }
    let bounds = inputBounds
    let furthest = [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY].map(abs).max() ?? 0
    guard furthest <= Self.furthestPlace else {
      return "shows, with the filters before it, places too far from the picture"
    }
    return map.inverse.isFinite ? nil : "draws a line or a point of the picture out to an area"
  }

  /// Places further away than any picture is large are unlikely to be intended, and too coarse to compute with.
  private static let furthestPlace = 0x1p31
}

extension AffineMap {
  /// How many units along each axis a step of one covers.
  package var coverage: (x: Double, y: Double) { (hypot(a, b), hypot(d, e)) }
}

extension Plan {
  /// The resample from the picture as stored to the result, if it has a projection: fields and masks then have places
  /// in the picture as stored.
  package var projected: Geometry? {
    var toInput = AffineMap.identity
    for stage in stages {
      switch stage {
      case .downsample(let downsample):
        toInput = .scale(downsample.factors.x, downsample.factors.y).then(
          .translation(downsample.x, downsample.y))
      case .geometry(var geometry):
        guard let projection = geometry.projection else { return nil }
        geometry.projection = projection.then(toInput)
        geometry.inputSize = input.size
        return geometry
      case .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables,
        .baked:
        continue
      }
    }
    return nil
  }
}
