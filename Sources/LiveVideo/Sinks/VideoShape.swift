import FilterGraph
import FrameCore

/// The sample aspect and field order of the pictures of a run, after the edit.
struct VideoShape {
  /// The sample aspect that sinks state. If the edit skews pictures no value is exact, and this is the nearest.
  private(set) var sampleAspect: SampleAspect
  /// Progressive if the edit mixes rows, since no field then shows a single moment.
  private(set) var fieldOrder: FieldOrder
  private let frame: (sampleAspect: SampleAspect, fieldOrder: FieldOrder)
  /// Whether non-square samples are rotated by less than a quarter turn, or may be.
  private(set) var isSkewed = false
  /// Whether rows of both fields are mixed, or may be.
  private(set) var mixesFields = false

  private static let tolerance = 1e-6

  /// - Parameters:
  ///   - frame: the first frame.
  ///   - plan: the plan that it goes through.
  ///   - mayTurn: whether later frames may be rotated by less than a quarter turn, which this plan does not show.
  init(of frame: Frame, through plan: Plan, mayTurn: Bool = false) {
    self.frame = (frame.sampleAspect, frame.fieldOrder)
    let map = plan.placesInInput
    func isNothing(_ steps: Double...) -> Bool { steps.allSatisfy { abs($0) < Self.tolerance } }
    let isUpright = isNothing(map.b, map.d)
    let liesDown = abs(map.b) + abs(map.d) > abs(map.a) + abs(map.e)
    sampleAspect = liesDown ? frame.sampleAspect.turned : frame.sampleAspect
    let turns = mayTurn || !isUpright && !isNothing(map.a, map.e)
    isSkewed = !frame.sampleAspect.isSquare && turns

    fieldOrder = frame.fieldOrder
    guard fieldOrder != .progressive else { return }
    // The row of the input that the first row of the output shows.
    let first = map.apply(0.5, 0.5).y - 0.5
    let row = first.rounded()
    guard !mayTurn, isUpright, isNothing(abs(map.e) - 1, first - row) else {
      (fieldOrder, mixesFields) = (.progressive, true)
      return
    }
    if !Int(row).isMultiple(of: 2) { fieldOrder = fieldOrder.exchanged }
  }

  /// Returns the properties that the edit makes untrue, or that sinks cannot state, one sentence each.
  func notes(for sinks: [any FrameSink]) -> [String] {
    let silent = sinks.filter { !($0 is any ShapedVideoSink) && !($0 is NullSink) }.map(\.name)
    let names = silent.joined(separator: ", ")
    var notes: [String] = []
    if isSkewed || (!silent.isEmpty && !frame.sampleAspect.isSquare) {
      let consequence =
        isSkewed
        ? "so turning the picture skews it"
        : "which \(names) cannot say, so that the picture looks squeezed or stretched there"
      notes.append(
        "The pixels of the video are not square (\(frame.sampleAspect)), \(consequence); "
          + "scale the video to square pixels first (FFmpeg: -vf scale=iw*sar:ih,setsar=1)")
    }
    if mixesFields || (!silent.isEmpty && frame.fieldOrder != .progressive) {
      let consequence =
        mixesFields
        ? "and the edit mixes rows of two moments"
        : "which \(names) cannot say, so that edges of moving objects look like combs there"
      notes.append(
        "The video is interlaced, \(consequence); deinterlace it first (FFmpeg: -vf bwdif)")
    }
    return notes
  }
}

extension Plan {
  /// The map from output coordinates to input coordinates; with a projection, that of the middle.
  fileprivate var placesInInput: AffineMap {
    var map = AffineMap.identity
    for stage in stages {
      switch stage {
      case .geometry(let geometry):
        let size = geometry.outputSize
        map = geometry.tangent(atX: Double(size.width) / 2, y: Double(size.height) / 2).then(map)
      case .downsample(let downsample):
        map = AffineMap.scale(downsample.factors.x, downsample.factors.y).then(
          .translation(downsample.x, downsample.y)
        )
        .then(map)
      case .ycbcr, .denoise, .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables,
        .baked:
        break
      }
    }
    return map
  }
}
