import FilterGraph
import Filters
import FrameAnalysis
import FrameCore
import PhotoIO
import Rendering

/// A stored photo decoded for analysis: a picture, possibly smaller than the photo, and the proxy shared by the
/// analyses.
///
/// All analyses of stored photos start here, so that a preview and an export get the same values.
public struct PhotoSample {
  /// The minimum long edge of the picture in pixels, unless the photo's is shorter: twice the proxy's, so that
  /// each proxy area averages roughly whole samples, and enough for scopes of about 1500 columns.
  public static let longEdge = 2 * AnalysisProxy.longEdge

  /// Where the photo was read from.
  public let path: String
  /// The photo's own size, as displayed.
  public let size: PixelSize
  /// The picture, in the photo's own encoding and stored orientation; its long edge is less than twice `longEdge`. A camera
  /// raw's is encoded as sRGB, as bright as it is shown, and has no tone map.
  ///
  /// If it is smaller than the photo, its samples are averages, in which small clipped areas disappear: of 2.94 %
  /// clipped highlights in an 8-megapixel phone photo 2.87 % remain, of 1.74 % in another 1.18 %. If detail is as
  /// fine as a pixel, halving the size keeps three quarters of them and quartering it a half (means over the 250
  /// photos of BSDS500 with more than 1 % clipped). Clipped shadows remain.
  public let buffer: PixelBuffer
  public let orientation: Orientation
  public let metadata: PhotoMetadata
  /// How the light of a camera raw is to be shown, which `buffer` is not yet; nil for pictures made for a display.
  package let scene: SceneLight?
  /// Whether it is what a sensor recorded, on which the camera has corrected nothing.
  package let isCameraRaw: Bool
  /// What a camera raw says of its lens, which is not corrected in the samples; nil if nothing.
  package let embeddedLens: EmbeddedLens?
  /// For example `JPEG`.
  public let formatName: String
  /// What was omitted or guessed, one sentence each.
  public let warnings: [String]
  public let proxy: AnalysisProxy

  /// Reads a photo. JPEG data are decoded at a reduced size; others are read in bands and reduced, so that a
  /// 100-megapixel picture is never entirely in memory if its format can be read in bands.
  ///
  /// - Throws: `SafelightError` if the photo cannot be read.
  public init(contentsOf path: String) throws {
    try self.init(PhotoReader(contentsOf: path, scaledToLongEdge: Self.longEdge), path: path)
  }

  /// Reads a photo that is open, as `init(contentsOf:)` does.
  ///
  /// - Throws: `SafelightError` if the photo cannot be read.
  public init(_ photo: PhotoFile) throws {
    try self.init(photo.reader(scaledToLongEdge: Self.longEdge), path: photo.path)
  }

  private init(_ reader: PhotoReader, path: String) throws {
    self.path = path
    size = reader.orientation.applied(to: reader.photoSize)
    buffer = try Self.shown(Self.picture(reader))
    try reader.finish()
    orientation = reader.orientation
    metadata = reader.metadata
    scene = reader.tags.scene
    formatName = reader.formatName
    isCameraRaw = reader.isCameraRaw
    embeddedLens = reader.embeddedLens
    warnings = reader.warnings
    proxy = AnalysisProxy()
    try proxy.update(from: buffer, orientation: orientation)
  }

  /// Samples a camera's frame.
  ///
  /// - Parameter name: what messages call it.
  /// - Throws: `SafelightError` if its colour tags are unusable.
  package init(_ frame: Frame, named name: String) throws {
    path = name
    size = frame.orientation.applied(to: frame.buffer.size)
    let whole = try Self.samples(of: frame.buffer)
    let factor = whole.size.longEdge / Self.longEdge
    if factor > 1 {
      var shrinker = try PictureShrinker(
        size: whole.size, format: whole.format, tags: whole.tags, alpha: whole.alpha, factor: factor)
      shrinker.add(whole.height, of: whole)
      buffer = shrinker.output
    } else {
      buffer = whole
    }
    orientation = frame.orientation
    metadata = PhotoMetadata()
    scene = nil
    formatName = frame.buffer.format.rawValue
    (isCameraRaw, embeddedLens) = (false, nil)
    warnings = []
    proxy = AnalysisProxy()
    try proxy.update(from: buffer, orientation: orientation)
  }

  /// Returns the frame's samples as R, G, B, in sRGB.
  private static func samples(of buffer: PixelBuffer) throws -> PixelBuffer {
    guard !buffer.format.isRGBA else { return buffer }
    let renderer = CPURenderer(threads: 1)
    let output = PlanOutput(format: .rgba8, space: .sRGB)
    let plan = try renderer.plan(Recipe(), input: PlanInput(buffer), output: output)
    return try renderer.render(buffer, through: plan)
  }

  /// Returns the light of a scene as bright as it is shown, encoded as sRGB, without a tone map: what is measured here is
  /// for filters ahead of it. Other pictures stay as they are.
  private static func shown(_ buffer: PixelBuffer) throws -> PixelBuffer {
    guard let scene = buffer.tags.scene else { return buffer }
    let renderer = CPURenderer(threads: 1)
    let plan = try renderer.plan(
      Recipe(
        filters: [
          Exposure(stops: scene.exposure - scene.asked), ToneMap(.linear), Gamut(.clip), RawDetail(.none),
        ]),
      input: PlanInput(buffer), output: PlanOutput(format: .rgba16, space: .sRGB))
    return try renderer.render(buffer, through: plan)
  }

  private static func picture(_ reader: PhotoReader) throws -> PixelBuffer {
    func buffer(_ size: PixelSize) throws -> PixelBuffer {
      try PixelBuffer(size: size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    }
    let factor = reader.size.longEdge / longEdge
    guard factor > 1 else {
      let picture = try buffer(reader.size)
      try reader.read(into: picture)
      return picture
    }
    var shrinker = try PictureShrinker(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha, factor: factor)
    let band = try buffer(PixelSize(width: reader.size.width, height: 64))
    while reader.position < reader.size.height {
      shrinker.add(try reader.read(into: band), of: band)
    }
    return shrinker.output
  }
}
