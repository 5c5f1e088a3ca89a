import ColorScience
import FrameCore

/// The picture for which a plan is made.
public struct PlanInput: Sendable, Hashable {
  public var size: PixelSize
  public var format: PixelFormat
  /// The space of RGB samples, or of the RGB that camera samples encode.
  public var space: ColorSpace
  /// How camera samples encode RGB; for grey only the range matters. Nil for RGBA.
  public var ycbcr: YCbCrEncoding?
  /// How the stored samples must be turned for display, which the plan does.
  public var orientation: Orientation
  public var alpha: AlphaMode
  /// For samples that are the light of a scene, which the plan shows through a tone map; nil for pictures that were made
  /// for a display.
  public var scene: SceneLight?
  /// What was measured of the picture.
  public var statistics = PictureStatistics()

  /// - Parameter ycbcr: for formats other than RGBA; nil means untagged video: limited range and the matrix of
  ///   `YCbCrEncoding.Matrix.assumed(at:)`.
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

  /// Reads the tags of `buffer`; what they leave open follows the rules of `YCbCrEncoding.init(tags:size:)` and
  /// `ColorSpace.init(videoTags:)`.
  ///
  /// - Throws: `SafelightError` if the tags contradict the format or contain a profile other than a matrix with
  ///   curves.
  public init(_ buffer: PixelBuffer, orientation: Orientation = .up) throws {
    try self.init(
      size: buffer.size, format: buffer.format, tags: buffer.tags, orientation: orientation,
      alpha: buffer.alpha)
  }

  /// As `init(_:orientation:)`, for buffers that do not exist yet.
  public init(
    size: PixelSize, format: PixelFormat, tags: ColorTags, orientation: Orientation = .up,
    alpha: AlphaMode = .opaque
  ) throws {
    guard !format.isRGBA else {
      self.init(
        size: size, format: format, space: try ColorSpace(tags: tags), orientation: orientation, alpha: alpha)
      scene = tags.scene
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
  /// The input of a plan for this frame.
  ///
  /// - Throws: as `PlanInput.init(_:orientation:)`.
  public var planInput: PlanInput {
    get throws { try PlanInput(buffer, orientation: orientation) }
  }
}

/// Camera samples in a plan: from luma and colour differences, or grey, to R'G'B' in 0…1.
public struct YCbCrStage: Sendable, Hashable {
  public var format: PixelFormat
  public var encoding: YCbCrEncoding
  /// How colour differences are interpolated, and luma too if the picture is rotated.
  public var interpolation: Interpolation

  package init(format: PixelFormat, encoding: YCbCrEncoding, interpolation: Interpolation = .sharp) {
    self.format = format
    self.encoding = encoding
    self.interpolation = interpolation
  }

  /// Converts codes of 0…255, not necessarily whole, to R'G'B', clipped to 0…1. Grey is luma alone.
  public func evaluate(_ codes: SIMD3<Double>) -> SIMD3<Double> {
    let neutral = encoding.codes.neutral
    let rgb = encoding.decode(format == .gray8 ? SIMD3(codes.x, neutral, neutral) : codes)
    return rgb.clamped(lowerBound: .zero, upperBound: .one)
  }

  /// Whether samples can be stored as `other` without becoming RGB: colour differences stay in place, or are averaged
  /// over an axis along which this stage has one for each pixel. Those of grey are neutral.
  func isKept(as other: YCbCrStage) -> Bool {
    guard encoding.range == other.encoding.range else { return false }
    guard format != .gray8, other.format != .gray8 else { return true }
    let (from, to) = (chroma, other.chroma)
    return encoding.matrix == other.encoding.matrix
      && (from.stepX == 1 || (from.stepX, from.offsetX) == (to.stepX, to.offsetX))
      && (from.stepY == 1 || (from.stepY, from.offsetY) == (to.stepY, to.offsetY))
  }

  /// The position of the first sample of colour differences, in pixels from the centre of the first pixel, and the
  /// number of pixels that one such sample covers along each axis.
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
