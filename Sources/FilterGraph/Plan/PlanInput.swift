import ColorScience
import FrameCore

/// What a plan is made for: the picture that goes in.
public struct PlanInput: Sendable, Hashable {
  public var size: PixelSize
  public var format: PixelFormat
  /// The space of RGB samples, or of those that camera samples stand for.
  public var space: ColorSpace
  /// How camera samples stand for RGB; of grey only the range counts. Nil for RGBA.
  public var ycbcr: YCbCrEncoding?
  /// How the stored samples must be turned for display; the plan does it.
  public var orientation: Orientation
  public var alpha: AlphaMode

  /// - Parameter ycbcr: for formats that are not RGBA; nil stands for untagged video: limited range, and the
  ///   matrix of `YCbCrEncoding.Matrix.assumed(at:)`.
  public init(
    size: PixelSize, format: PixelFormat = .rgba8, space: ColorSpace = .sRGB, ycbcr: YCbCrEncoding? = nil,
    orientation: Orientation = .up, alpha: AlphaMode = .opaque
  ) {
    self.size = size
    self.format = format
    self.space = space
    self.ycbcr =
      format.isRGBA
      ? nil
      : ycbcr
        ?? YCbCrEncoding(matrix: .assumed(at: size), range: .limited)
    self.orientation = orientation
    self.alpha = alpha
  }

  /// What the tags of `buffer` say; what they leave open follows the rules of `YCbCrEncoding.init(tags:size:)` and
  /// `ColorSpace.init(videoTags:)`.
  ///
  /// - Throws: `SafelightError` where the tags contradict the format, or hold a profile of another kind than a
  ///   matrix with curves.
  public init(_ buffer: PixelBuffer, orientation: Orientation = .up) throws {
    try self.init(
      size: buffer.size, format: buffer.format, tags: buffer.tags, orientation: orientation,
      alpha: buffer.alpha)
  }

  /// As `init(_:orientation:)`, for buffers that are still to come.
  public init(
    size: PixelSize, format: PixelFormat, tags: ColorTags, orientation: Orientation = .up,
    alpha: AlphaMode = .opaque
  ) throws {
    guard !format.isRGBA else {
      self.init(
        size: size, format: format, space: try ColorSpace(tags: tags), orientation: orientation, alpha: alpha)
      return
    }
    let ycbcr =
      try format == .gray8 ? YCbCrEncoding(grey: tags) : YCbCrEncoding(tags: tags, size: size)
    self.init(
      size: size, format: format, space: try ColorSpace(videoTags: tags), ycbcr: ycbcr,
      orientation: orientation, alpha: alpha)
  }
}

extension Frame {
  /// What a plan for this frame is made for.
  ///
  /// - Throws: as `PlanInput.init(_:orientation:)`.
  public var planInput: PlanInput {
    get throws { try PlanInput(buffer, orientation: orientation) }
  }
}

/// The place of camera samples in a plan: from luma and colour differences, or grey, to R'G'B' of 0…1.
public struct YCbCrStage: Sendable, Hashable {
  public var format: PixelFormat
  public var encoding: YCbCrEncoding
  /// What lies between samples of colour differences, and of luma where the picture is turned.
  public var interpolation: Interpolation

  public init(format: PixelFormat, encoding: YCbCrEncoding, interpolation: Interpolation = .sharp) {
    self.format = format
    self.encoding = encoding
    self.interpolation = interpolation
  }

  /// Codes of 0…255, not necessarily whole → R'G'B', clipped to 0…1. Grey is luma alone.
  public func evaluate(_ codes: SIMD3<Double>) -> SIMD3<Double> {
    let neutral = encoding.codes.neutral
    let rgb = encoding.decode(format == .gray8 ? SIMD3(codes.x, neutral, neutral) : codes)
    return rgb.clamped(lowerBound: .zero, upperBound: .one)
  }

  /// Where samples of colour differences lie, in pixels from the centre of the first one, and how many pixels
  /// they stand for each way.
  public var chroma: (stepX: Int, stepY: Int, offsetX: Double, offsetY: Double) {
    guard let last = format.planes.last else { return (1, 1, 0, 0) }
    let columns = format == .gray8 ? 1 : last.columnsPerGroup
    let rows = last.rowsPerGroup
    return (
      columns, rows, columns == 2 && encoding.siting == .center ? 0.5 : 0,
      rows == 2 && encoding.siting != .topLeft ? 0.5 : 0
    )
  }
}
