import FilterGraph
import FrameAnalysis
import FrameCore

/// Where places of a frame are in the picture that a plan makes of it.
struct OverlayPlacement: Sendable, Hashable {
  /// What moves pixels, one after another.
  private enum Step: Sendable, Hashable {
    case shrunk(AffineMap)
    case resampled(Geometry)
  }

  /// From fractions of the frame as displayed to pixels of the plan's input, which may have been shrunk before.
  private let toInput: AffineMap
  private let steps: [Step]

  init(_ frame: Frame, through plan: Plan) {
    let (stored, input) = (frame.buffer.size, plan.input.size)
    let upright = Geometry(orientation: frame.orientation, size: stored)
    toInput = AffineMap.scale(Double(upright.outputSize.width), Double(upright.outputSize.height))
      .then(upright.map)
      .then(
        .scale(Double(input.width) / Double(stored.width), Double(input.height) / Double(stored.height)))
    steps = plan.stages.compactMap { stage in
      switch stage {
      case .geometry(let geometry): .resampled(geometry)
      case .downsample(let downsample):
        .shrunk(
          AffineMap.translation(-downsample.x, -downsample.y)
            .then(.scale(1 / downsample.factors.x, 1 / downsample.factors.y)))
      case .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables,
        .baked:
        nil
      }
    }
  }

  /// Returns the place in pixels from the top left corner; nil if it is nowhere.
  func place(_ point: NormalizedPoint) -> SIMD2<Double>? {
    var place = toInput.apply(point.x, point.y)
    for step in steps {
      switch step {
      case .shrunk(let map): place = map.apply(place.x, place.y)
      case .resampled(let geometry):
        place = geometry.placeInOutput(place.x, place.y)
        guard geometry.isSeen(place.x, place.y) else { return nil }
      }
    }
    guard place.x.isFinite, place.y.isFinite, abs(place.x) < 1e6, abs(place.y) < 1e6 else { return nil }
    return SIMD2(place.x, place.y)
  }
}
