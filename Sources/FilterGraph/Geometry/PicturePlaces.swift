import FrameCore

/// The way from places in a result to those in the photo that masks are drawn on: turned upright and not cropped. Both are
/// 0…1 from the top left corner.
package struct PicturePlaces: Sendable, Hashable {
  /// From the result to the photo without what its lens did; to the photo itself where no lens is corrected.
  package let projection: Projection
  /// From the photo without what its lens did to the photo; nil where no lens is corrected.
  package let lens: LensWarp?

  /// Returns the place in the photo that a place in the result shows.
  package func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let straight = projection.apply(x, y)
    return lens?.apply(straight.x, straight.y) ?? straight
  }

  /// Returns the place in the result at which a place in the photo is shown.
  package func inverse(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    let straight = lens?.inverse(x, y) ?? (x: x, y: y)
    return projection.inverse.apply(straight.x, straight.y)
  }
}

extension Plan {
  /// Where the places of the result are in the photo.
  package var places: PicturePlaces {
    var joined = wholeGeometry
    let upright = Geometry(orientation: input.orientation, size: input.size)
    joined.append(
      upright.map.inverse.then(
        .scale(1 / Double(upright.outputSize.width), 1 / Double(upright.outputSize.height))))
    let toPixels = AffineMap.scale(Double(outputSize.width), Double(outputSize.height)).then(joined.map)
    return PicturePlaces(
      projection: joined.projection.map { Projection(toPixels).then($0) } ?? Projection(toPixels),
      lens: joined.lens)
  }
}
