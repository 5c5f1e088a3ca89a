import FilterGraph
import FrameAnalysis
import FrameCore

/// Where places of a frame are in the picture that a plan makes of it.
struct OverlayPlacement: Sendable, Hashable {
  /// From fractions of the frame as displayed to pixels of the picture or, with a projection, of the frame as stored.
  private let map: AffineMap
  /// The resample from the frame as stored to the picture, if it has a projection.
  private let projected: Geometry?

  init(_ frame: Frame, through plan: Plan) {
    let stored = frame.buffer.size
    let upright = Geometry(orientation: frame.orientation, size: stored)
    let toStored = AffineMap.scale(Double(upright.outputSize.width), Double(upright.outputSize.height))
      .then(upright.map)
    projected = plan.projected
    if projected != nil {
      map = toStored
      return
    }
    let fractions = toStored.then(.scale(1 / Double(stored.width), 1 / Double(stored.height)))
    // Its input may have been shrunk before, so that its size is not the frame's.
    guard let geometry = plan.geometry else {
      map = fractions.then(.scale(Double(plan.outputSize.width), Double(plan.outputSize.height)))
      return
    }
    map =
      fractions
      .then(.scale(Double(geometry.inputSize.width), Double(geometry.inputSize.height)))
      .then(geometry.map.inverse)
  }

  /// Returns the place in pixels from the top left corner; nil if it is nowhere.
  func place(_ point: NormalizedPoint) -> SIMD2<Double>? {
    var (x, y) = map.apply(point.x, point.y)
    if let projected { (x, y) = projected.placeInOutput(x, y) }
    guard x.isFinite, y.isFinite, abs(x) < 1e6, abs(y) < 1e6 else { return nil }
    return SIMD2(x, y)
  }
}
