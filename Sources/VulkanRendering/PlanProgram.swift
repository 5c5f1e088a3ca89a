import ColorScience
import FilterGraph
import FrameCore
import Rendering

/// The layout of a picture's samples, or of a rectangle of it, in a device's buffer.
struct DeviceLayout: Sendable, Hashable {
  struct Plane: Sendable, Hashable {
    /// The position of the rectangle's first sample, in bytes; a multiple of 4.
    var offset: Int
    /// The distance between rows, in bytes; a multiple of 4.
    var rowBytes: Int
  }
  /// The size of the whole picture.
  var size: PixelSize
  var format: PixelFormat
  /// The columns in the buffer, possibly all; they begin with a whole group of samples. `rows` likewise.
  var columns: Range<Int>
  var rows: Range<Int>
  var planes: [Plane]
}

/// One call of a kernel. Its buffers are the input (binding 0), the output (1) and the program's tables (2).
struct Dispatch: Sendable {
  /// Index into `PlanProgram.variants`.
  var variant: Int
  /// The push constants, at most 128 bytes.
  var parameters: [UInt32]
  var groups: (x: Int, y: Int)
}

/// A plan in the shaders' form: a value that needs no device.
struct PlanProgram: Sendable {
  /// The steps before the frame if the plan reduces: source → narrowed rows → reduced picture.
  struct Reduction: Sendable {
    /// As wide as the reduced picture and as high as the source.
    var narrowedSize: PixelSize
    var narrowedFormat: PixelFormat
    var reducedSize: PixelSize
    var reducedFormat: PixelFormat
  }

  let plan: Plan
  /// Indexed by `Variant`.
  let variants: [ShaderVariant]
  /// The tables that shaders read as binding 2.
  let tables: [UInt32]
  let reduction: Reduction?
  /// From output pixels to those of the source, or of the reduced picture.
  let geometry: Geometry?
  /// The pixels that one work group of the frame writes.
  let frameGroup: PixelSize

  enum Variant {
    static let frame = 0
    static let narrow = 1
    static let blend = 2
  }

  /// - Throws: `SafelightError` if the plan's tables have more words than a shader can address.
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
      // Handled below, in their order.
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

    // Between a reduction and the next step, integers are kept at 16 bits.
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

    // The reduction reads pixels in place; only its result is transformed.
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
