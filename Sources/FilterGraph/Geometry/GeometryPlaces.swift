import FrameCore
import Libc

// Where the places of a resample's output are in its input, with a projection and without.
extension Geometry {
  /// Returns the place in the input that a place in the output shows; both in pixels from the top left corner.
  public func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let straight = straightPlace(x, y)
    return lens?.apply(straight.x, straight.y) ?? straight
  }

  /// This resample, as if the lens had moved nothing.
  package var withoutLens: Geometry {
    var straight = self
    straight.lens = nil
    return straight
  }

  /// Where the lens's centre is shown; nil without one.
  var lensCentre: (x: Double, y: Double)? { lens.map { placeInOutput($0.centre.x, $0.centre.y) } }

  /// As `place`, without the lens.
  private func straightPlace(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let mapped = map.apply(x, y)
    return projection?.apply(mapped.x, mapped.y) ?? mapped
  }

  /// Whether one affine map leads to all places.
  package var isAffine: Bool { projection == nil && lens == nil }

  /// Makes `next` follow: places are then in what it makes of the input.
  mutating func append(_ next: AffineMap) {
    if let projection { self.projection = projection.then(next) } else { map = map.then(next) }
    lens = lens?.moved(by: next)
  }

  /// The affine map that touches this resample's at a place in the output; the map itself where that is affine.
  package func tangent(atX x: Double, y: Double) -> AffineMap {
    let straight = straightTangent(atX: x, y: y)
    guard let lens else { return straight }
    let place = straight.apply(x, y)
    return straight.then(lens.tangent(atX: place.x, y: place.y))
  }

  /// As `tangent`, without the lens.
  private func straightTangent(atX x: Double, y: Double) -> AffineMap {
    guard let projection else { return map }
    let mapped = map.apply(x, y)
    return map.then(projection.tangent(atX: mapped.x, y: mapped.y))
  }

  /// The number of input pixels that one output pixel covers, along the input's axes; above 1 the picture downsamples.
  /// Where this is not affine, where it covers least.
  package var downsampleFactors: (x: Double, y: Double) {
    guard !isAffine else { return map.coverage }
    return localFactors.reduce((x: .infinity, y: .infinity)) { (min($0.x, $1.x), min($0.y, $1.y)) }
  }

  /// As `downsampleFactors`, where an output pixel covers most.
  package var mostDownsampleFactors: (x: Double, y: Double) {
    guard !isAffine else { return map.coverage }
    return localFactors.reduce((x: 0, y: 0)) { (max($0.x, $1.x), max($0.y, $1.y)) }
  }

  /// How far from the input's own pixels a change of one output pixel leads, at places all over the output. Extremes lie
  /// near its edges, or in a lens's centre.
  private var localFactors: [(x: Double, y: Double)] { localMaps.map(\.coverage) }

  /// The affine maps that touch this one at places all over the output, its corners among them.
  var localMaps: [AffineMap] {
    let steps = 16
    let (w, h) = (Double(outputSize.width), Double(outputSize.height))
    return (0...steps).flatMap { row in
      (0...steps).map { column in
        tangent(atX: w * Double(column) / Double(steps), y: h * Double(row) / Double(steps))
      }
    }
  }

  /// Returns the place in the output at which a place in the input is shown; the inverse of `place`.
  package func placeInOutput(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let straight = lens?.inverse(x, y) ?? (x: x, y: y)
    let mapped = projection?.inverse.apply(straight.x, straight.y) ?? straight
    return map.inverse.apply(mapped.x, mapped.y)
  }

  /// Whether a place in the output shows anything, rather than what lies behind the horizon of a projection.
  package func isSeen(_ x: Double, _ y: Double) -> Bool {
    guard let projection else { return true }
    let mapped = map.apply(x, y)
    return projection.depth(mapped.x, mapped.y) > 0
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
  /// The resample from the picture as stored to the result.
  var wholeGeometry: Geometry {
    stages.reduce(Geometry(inputSize: input.size, outputSize: input.size, map: .identity)) { joined, stage in
      switch stage {
      case .downsample(let downsample):
        joined.then(
          Geometry(
            inputSize: joined.outputSize, outputSize: downsample.outputSize,
            map: .scale(downsample.factors.x, downsample.factors.y).then(
              .translation(downsample.x, downsample.y))))
      case .geometry(let geometry): joined.then(geometry)
      case .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables,
        .baked:
        joined
      }
    }
  }

  /// The same if it is not affine: fields and masks then have places in the picture as stored.
  package var projected: Geometry? {
    let geometry = wholeGeometry
    return geometry.isAffine ? nil : geometry
  }
}
