import ColorScience
import FilterGraph
import FrameCore
import Rendering

/// Where the samples of a picture, or of a rectangle of it, lie in a device's buffer.
struct DeviceLayout: Sendable, Hashable {
  struct Plane: Sendable, Hashable {
    /// Of the rectangle's first sample, in bytes; a multiple of 4.
    var offset: Int
    /// From one row to the next, in bytes; a multiple of 4.
    var rowBytes: Int
  }
  /// Of the whole picture.
  var size: PixelSize
  var format: PixelFormat
  /// The part that is in the buffer; the whole picture, where it is. It begins with whole groups of samples.
  var columns: Range<Int>
  var rows: Range<Int>
  var planes: [Plane]
}

/// One call of a kernel. Buffers are what it reads (binding 0), what it writes (1) and the program's tables (2).
struct Dispatch: Sendable {
  /// Index into `PlanProgram.variants`.
  var variant: Int
  /// The push constants, at most 128 bytes.
  var parameters: [UInt32]
  var groups: (x: Int, y: Int)
}

/// A plan in the terms of the shaders: a value that no device is needed for.
struct PlanProgram: Sendable {
  /// What is ahead of the frame where the plan reduces: source → narrowed rows → reduced picture.
  struct Reduction: Sendable {
    /// As wide as the reduced picture and as high as the source.
    var narrowedSize: PixelSize
    var narrowedFormat: PixelFormat
    var reducedSize: PixelSize
    var reducedFormat: PixelFormat
  }

  let plan: Plan
  /// `Variant` are the indices.
  let variants: [ShaderVariant]
  /// What shaders read as binding 2.
  let tables: [UInt32]
  let reduction: Reduction?
  /// From pixels of the output to those of the source, or of the reduced picture.
  let geometry: Geometry?
  /// Pixels that a work group of the frame writes.
  let frameGroup: PixelSize

  enum Variant {
    static let frame = 0
    static let narrow = 1
    static let blend = 2
  }

  /// - Throws: `SafelightError` where the plan's tables have more words than a shader can count.
  init(_ plan: Plan) throws {
    self.plan = plan
    var geometry: Geometry?
    var camera: YCbCrStage?
    var shrink: Shrink?
    for stage in plan.stages {
      switch stage {
      case .geometry(let stage): geometry = stage
      case .ycbcr(let stage): camera = stage
      case .shrink(let stage): shrink = stage
      // Below, in their order.
      case .matrix, .curve, .pointwise, .lut, .channelTables, .baked: continue
      }
    }
    self.geometry = geometry

    let colour = plan.stages.filter(\.isPointwise).flatMap(StageForm.forms)
    var tables = ProgramTables(stages: colour.count)
    if let camera { tables.setCamera(camera) }
    for (index, form) in colour.enumerated() { tables.set(form, as: .colour(index)) }

    var frame = FrameConstants(plan, geometry: geometry, camera: camera)
    frame.setStages(colour.map(\.kind), first: .colour(0))
    frameGroup = frame.group
    guard let shrink else {
      reduction = nil
      variants = [ShaderVariant(shader: .frame, constants: frame.words)]
      self.tables = try tables.finished()
      return
    }

    // Between a reduction and what follows, integers are kept at 16 bit.
    let wide: PixelFormat = plan.input.format.isInteger ? .rgba16 : .rgbaF32
    let reduction = Reduction(
      narrowedSize: PixelSize(width: shrink.outputSize.width, height: shrink.inputSize.height),
      narrowedFormat: .rgbaF32, reducedSize: shrink.outputSize, reducedFormat: wide)
    tables.setTaps(columns: shrink.columnTaps, rows: shrink.rowTaps)
    func curve(_ curve: ([TransferFunction]) -> Curve) -> [StageForm] {
      shrink.linearLight.map { StageForm.forms(of: .curve(curve($0))) } ?? []
    }
    let (decode, encode) = (curve(Curve.decode), curve(Curve.encode))
    for form in decode { tables.set(form, as: .decode) }
    for form in encode { tables.set(form, as: .encode) }

    // The reduction reads pixels in their place; what is turned is its result.
    var narrow = FrameConstants(plan, geometry: nil, camera: camera)
    narrow.output = reduction.narrowedFormat
    narrow.dithers = false
    narrow.setStages(decode.map(\.kind), first: .decode)
    var blend = FrameConstants(plan, geometry: nil, camera: nil)
    (blend.input, blend.output) = (reduction.narrowedFormat, wide)
    blend.dithers = false
    blend.setStages(encode.map(\.kind), first: .encode)
    frame.input = wide
    frame.chromaSampling = .whole

    self.reduction = reduction
    variants = [
      ShaderVariant(shader: .frame, constants: frame.words),
      ShaderVariant(shader: .narrow, constants: narrow.words),
      ShaderVariant(shader: .blend, constants: blend.words),
    ]
    self.tables = try tables.finished()
  }
}
