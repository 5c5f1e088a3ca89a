import FilterGraph
import FrameCore

/// The specialization constants of the kernels, as numbered in `shaders/parameters.glsl`.
struct FrameConstants {
  enum Sampling: UInt32 {
    case whole, bilinear, sharp

    init(_ interpolation: Interpolation) { self = interpolation == .sharp ? .sharp : .bilinear }
  }

  /// The constants that are the kinds of stages; the kinds of a longer chain's remaining stages are read at run time.
  static let kindConstants = 11..<23
  /// The constant that is the number of stages.
  static let stageCount = 9

  var input: PixelFormat
  var output: PixelFormat
  var sampling: Sampling
  var chromaSampling: Sampling
  var order: SamplingOrder
  var isOpen: Bool
  var hasAlpha: Bool
  var clips: Bool
  var dithers: Bool
  /// The neighbours on which colour differences of the output depend: the column before (1), the row above (2).
  var reach: UInt32 = 0
  var isProjected: Bool
  private var kinds: [StageForm.Kind] = []
  private var firstStage = ProgramTables.Slot.colour(0)

  /// Samples a plan's source.
  ///
  /// - Parameters:
  ///   - geometry: nil if every pixel stays in place.
  ///   - camera: nil for RGBA.
  init(_ plan: Plan, geometry: Geometry?, camera: YCbCrStage?) {
    let moves = geometry.map { $0.pixelMove != nil } ?? true
    input = plan.input.format
    output = plan.output.format
    sampling = moves ? .whole : Sampling(geometry?.interpolation ?? .sharp)
    if let camera {
      // Luma and chroma are sampled with one kernel.
      chromaSampling = Sampling(camera.interpolation)
      if !moves { sampling = chromaSampling }
    } else {
      chromaSampling = .whole
    }
    order = moves ? .direct : geometry?.order ?? .direct
    isProjected = geometry.map { !$0.isAffine } ?? false
    isOpen = !moves && geometry?.outside == .transparent
    hasAlpha = plan.input.alpha == .straight
    clips = plan.input.format.isInteger
    dithers = plan.dithers
  }

  mutating func setStages(_ kinds: [StageForm.Kind], first: ProgramTables.Slot) {
    self.kinds = kinds
    firstStage = first
  }

  /// The pixels that one work group of the frame writes: depends on whether it shares lines, as in
  /// `shaders/frame.comp`.
  var group: PixelSize {
    sampling == .sharp && order != .direct && !isProjected
      ? PixelSize(width: 16, height: 32) : PixelSize(width: 32, height: 8)
  }

  var words: [UInt32] {
    let constant = (0..<Self.kindConstants.count).map { $0 < kinds.count ? kinds[$0].rawValue : 0 }
    return [
      input.shaderCode, output.shaderCode, sampling.rawValue, chromaSampling.rawValue, order.shaderCode,
      isOpen ? 1 : 0, hasAlpha ? 1 : 0, clips ? 1 : 0, dithers ? 1 : 0, UInt32(kinds.count),
      UInt32(firstStage.word),
    ] + constant + [reach, isProjected ? 1 : 0]
  }
}

extension PixelFormat {
  fileprivate var shaderCode: UInt32 {
    switch self {
    case .rgba8: 0
    case .rgba16: 1
    case .rgbaF32: 2
    case .gray8: 3
    case .yuyv422: 4
    case .uyvy422: 5
    case .nv12: 6
    case .nv21: 7
    case .nv16: 8
    case .i420: 9
    case .i422: 10
    case .i444: 11
    }
  }
}

extension SamplingOrder {
  fileprivate var shaderCode: UInt32 {
    switch self {
    case .direct: 0
    case .rowsFirst: 1
    case .columnsFirst: 2
    }
  }
}
