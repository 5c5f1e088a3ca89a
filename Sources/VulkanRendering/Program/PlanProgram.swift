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
  /// The steps before the frame if the plan downsamples: source → horizontally downsampled rows → downsampled picture.
  struct Downsampling: Sendable {
    /// As wide as the downsampled picture and as high as the source.
    var horizontalSize: PixelSize
    var horizontalFormat: PixelFormat
    var downsampledSize: PixelSize
    var downsampledFormat: PixelFormat
  }

  let plan: Plan
  /// Indexed by `Variant`.
  let variants: [ShaderVariant]
  /// The tables that shaders read as binding 2.
  let tables: [UInt32]
  let denoised: Denoised?
  let downsampling: Downsampling?
  let sharpened: Sharpened?
  /// From output pixels to those of the source, or of the downsampled picture.
  let geometry: Geometry?
  /// The pixels that one work group of the frame writes.
  let frameGroup: PixelSize

  enum Variant {
    static let frame = 0
    static let horizontal = 1
    static let vertical = 2
  }

  /// - Throws: `SafelightError` if the plan's tables have more words than a shader can address.
  init(_ plan: Plan) throws {
    self.plan = plan
    var geometry: Geometry?
    // That of the picture that is downsampled or sampled; a noise reduction converts a camera's samples itself.
    var camera: YCbCrStage?
    var noisyCamera: YCbCrStage?
    var denoising: Denoising?
    var downsample: Downsample?
    for stage in plan.stages {
      switch stage {
      case .geometry(let stage): geometry = stage
      case .ycbcr(let stage): camera = stage
      case .downsample(let stage): downsample = stage
      case .denoise(let stage): (denoising, noisyCamera, camera) = (stage, camera, nil)
      // Handled below, in their order.
      case .matrix, .curve, .pointwise, .field, .masked, .lut, .sharpen, .channelTables, .baked: continue
      }
    }
    self.geometry = geometry

    let colour = plan.stages.filter(\.isColor).flatMap(StageForm.forms)
    var tables = ProgramTables(stages: colour.count)
    if let camera = camera ?? noisyCamera { tables.setCamera(camera) }
    if let denoising { tables.setDenoising(denoising) }
    if let stored = plan.storedSamples { tables.setTarget(stored.encoding) }
    if let geometry, !geometry.isAffine {
      tables.setProjection(geometry, behind: downsample)
    }
    for (index, form) in colour.enumerated() { tables.set(form, as: .colour(index)) }

    // Between steps, integers are kept at 16 bits.
    let wide = plan.sampledFormat
    var frame = FrameConstants(plan, geometry: geometry, camera: camera)
    if denoising != nil { frame.input = wide }
    frame.setStages(colour.map(\.kind), first: .colour(0))
    frameGroup = frame.group
    frame.reach = plan.reach.x | plan.reach.y << 1
    var shader: Shader = plan.output.format.isRGBA ? .frame : .planes
    var further: [ShaderVariant] = []
    if let downsample {
      let downsampling = Downsampling(
        horizontalSize: PixelSize(width: downsample.outputSize.width, height: downsample.inputSize.height),
        horizontalFormat: .rgbaF32, downsampledSize: downsample.outputSize, downsampledFormat: wide)
      let curves = tables.setDownsampling(downsample)

      // The downsampling reads pixels in place; only its result is transformed.
      var horizontal = FrameConstants(plan, geometry: nil, camera: camera)
      if denoising != nil { horizontal.input = wide }
      horizontal.output = downsampling.horizontalFormat
      horizontal.dithers = false
      horizontal.setStages(curves.decode, first: .decode)
      var vertical = FrameConstants(plan, geometry: nil, camera: nil)
      (vertical.input, vertical.output) = (downsampling.horizontalFormat, wide)
      vertical.dithers = false
      vertical.setStages(curves.encode, first: .encode)
      frame.input = wide
      frame.chromaSampling = .whole
      self.downsampling = downsampling
      further = [
        ShaderVariant(shader: .horizontal, constants: horizontal.words),
        ShaderVariant(shader: .vertical, constants: vertical.words),
      ]
    } else {
      downsampling = nil
    }
    if let sharpening = plan.sharpening {
      tables.setSharpening(sharpening)
      var constants = FrameConstants(plan, geometry: nil, camera: nil)
      constants.input = plan.formatInBetween
      constants.hasAlpha = plan.hasTransparency
      constants.reach = frame.reach
      (shader, frame.output, frame.dithers, frame.reach) = (.frame, plan.formatInBetween, false, 0)
      further.append(ShaderVariant(shader: .sharpen, constants: constants.words))
      sharpened = Sharpened(format: plan.formatInBetween, halo: sharpening.halo, variant: further.count)
    } else {
      sharpened = nil
    }
    if denoising != nil {
      var constants = FrameConstants(plan, geometry: nil, camera: noisyCamera)
      (constants.output, constants.dithers) = (wide, false)
      denoised = Denoised(format: wide, guideVariant: further.count + 1, variant: further.count + 2)
      var guide = constants
      guide.output = .rgbaF32
      further += [
        ShaderVariant(shader: .denoiseGuide, constants: guide.words),
        ShaderVariant(shader: .denoise, constants: constants.words),
      ]
    } else {
      denoised = nil
    }
    variants = [ShaderVariant(shader: shader, constants: frame.words)] + further
    self.tables = try tables.finished()
  }
}

extension ProgramTables {
  /// Sets the taps and curves of a downsampling.
  ///
  /// - Returns: the kinds of the stages into linear light and back.
  fileprivate mutating func setDownsampling(_ downsample: Downsample) -> (
    decode: [StageForm.Kind], encode: [StageForm.Kind]
  ) {
    setTaps(columns: downsample.columnTaps, rows: downsample.rowTaps)
    func curve(_ curve: ([TransferFunction]) -> Curve) -> [StageForm] {
      downsample.linearLight.map { StageForm.forms(of: .curve(curve($0))) } ?? []
    }
    let (decode, encode) = (curve(Curve.decode), curve(Curve.encode))
    for form in decode { set(form, as: .decode) }
    for form in encode { set(form, as: .encode) }
    return (decode.map(\.kind), encode.map(\.kind))
  }
}

extension Plan {
  /// The columns and rows before a pixel of the output on which its colour differences depend; each 0 or 1.
  var reach: (x: UInt32, y: UInt32) {
    guard let stored = storedSamples else { return (0, 0) }
    let place = stored.chroma
    return (place.stepX == 2 && place.offsetX == 0 ? 1 : 0, place.stepY == 2 && place.offsetY == 0 ? 1 : 0)
  }
}
