import FilterGraph
import FrameCore

/// A mask of a correction.
///
/// A linear gradient grows from (ZeroX, ZeroY) to (FullX, FullY); a radial one fills the ellipse in the box from (Left, Top)
/// to (Right, Bottom), fading over Feather. All are fractions of the picture as stored. A MaskBlendMode of 1 with a
/// MaskValue of 0 subtracts.
///
/// Sources: the names in files written by Lightroom; exiftool's list of XMP crs tags, structure Correction.
enum AdobeGradient {
  case mask(Mask, subtracts: Bool)
  /// With the reason.
  case unknown(String)

  /// The proportions of photos where those of the photo are not known.
  private static let usual = PixelSize(width: 3, height: 2)

  /// - Parameter isOld: whether it is in a list of Lightroom 10 and earlier, where a radial gradient that is not flipped
  ///   is outside of its ellipse.
  init(_ fields: Fields, _ frame: AdobeImport.Frame?, isOld: Bool) throws {
    let what = fields.text("What") ?? ""
    let blend = try fields.number("MaskBlendMode", in: 0...9) ?? 0
    let value = try fields.number("MaskValue", in: 0...1) ?? 0
    guard blend == 0 || blend == 1 && value == 0 else {
      self = .unknown("its masks are combined in a way that is not known here")
      return
    }
    var mask: Mask
    switch what {
    case "Mask/Gradient": mask = try Self.linear(fields, frame)
    case "Mask/CircularGradient":
      guard let radial = try Self.radial(fields, frame) else {
        self = .unknown("an ellipse that is turned or squared is not read")
        return
      }
      mask = isOld && !(fields.flag("Flipped") ?? false) ? .invert(radial) : radial
    default:
      self = .unknown(Self.reasons[what] ?? "the mask “\(NearestName.shortened(what))” is not known here")
      return
    }
    if fields.flag("MaskInverted") ?? false { mask = .invert(mask) }
    self = .mask(mask, subtracts: blend == 1)
  }

  private static let reasons = [
    "Mask/Paint": "strokes of Adobe's brushes are not read",
    "Mask/Brush": "strokes of Adobe's brushes are not read",
    "Mask/Image": "what Adobe finds in a picture is not in the file",
    "Mask/RangeMask": "its range is in Adobe's own form", "Mask/Aggregate": "it refers to other masks",
  ]

  private static let places = -9.0...9.0

  private static func point(_ x: Double, _ y: Double, _ frame: AdobeImport.Frame?) -> MaskPoint {
    guard let frame else { return MaskPoint(x, y) }
    let size = frame.size
    let upright = frame.orientation.applied(to: size)
    let place = Geometry(orientation: frame.orientation, size: size).map.inverse
      .apply(x * Double(size.width), y * Double(size.height))
    return MaskPoint(rounded(place.x / Double(upright.width)), rounded(place.y / Double(upright.height)))
  }

  private static func rounded(_ number: Double) -> Double { (number * 1e6).rounded() / 1e6 }

  private static func linear(_ fields: Fields, _ frame: AdobeImport.Frame?) throws -> Mask {
    .linear(
      from: point(
        try fields.number("ZeroX", in: places) ?? 0.5, try fields.number("ZeroY", in: places) ?? 0.5, frame),
      to: point(
        try fields.number("FullX", in: places) ?? 0.5, try fields.number("FullY", in: places) ?? 0.5, frame))
  }

  /// Nil if it is turned, or no ellipse.
  private static func radial(_ fields: Fields, _ frame: AdobeImport.Frame?) throws -> Mask? {
    let (left, right) = (
      try fields.number("Left", in: places) ?? 0, try fields.number("Right", in: places) ?? 1
    )
    let (top, bottom) = (
      try fields.number("Top", in: places) ?? 0, try fields.number("Bottom", in: places) ?? 1
    )
    let angle = try fields.number("Angle", in: -360...360) ?? 0
    let roundness = try fields.number("Roundness", in: -100...100) ?? 0
    let feather = try fields.number("Feather", in: 0...100) ?? 50
    let size = frame?.size ?? usual
    let long = Double(max(size.width, size.height))
    var radii = SIMD2(
      abs(right - left) / 2 * Double(size.width) / long, abs(bottom - top) / 2 * Double(size.height) / long)
    // In an upright picture its sides change places.
    if let orientation = frame?.orientation, orientation.quarterTurns % 2 == 1 {
      radii = SIMD2(radii.y, radii.x)
    }
    guard roundness == 0, abs(angle) < 0.5 || abs(radii.x - radii.y) < 0.001 else { return nil }
    return .radial(
      center: point((left + right) / 2, (top + bottom) / 2, frame), radiusX: rounded(radii.x),
      radiusY: rounded(radii.y), feather: feather / 100)
  }
}
