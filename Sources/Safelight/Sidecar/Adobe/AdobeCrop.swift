import FilterGraph
import Filters
import FrameCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The turn, straightening and crop that show the same pixels as Adobe's crop.
///
/// Adobe lays a rectangle over the photo as it is stored, before its orientation: turned clockwise by CropAngle about its
/// own centre, its upper left corner at (CropLeft, CropTop) and its lower right one at (CropRight, CropBottom), in parts of
/// the width and height. The result is what it covers, upright; so the picture is turned counterclockwise by CropAngle.
///
/// Turned about the picture's centre by the same angle, these corners are those of an upright rectangle. Sources:
/// darktable, src/develop/lightroom.c, which does that and then applies the orientation, with the angle's sign changed where
/// it mirrors; the corners of a crop before and after a turn of 10°, measured in Lightroom, which a test has.
struct AdobeCrop {
  let filters: [any Filter]

  /// - Parameters:
  ///   - size: of the photo as stored, pixels.
  ///   - orientation: that the photo itself says.
  ///   - isOwn: whether the settings' own orientation is the photo's.
  init(_ settings: AdobeSettings, size: PixelSize, orientation: Orientation, isOwn: Bool) throws {
    let shown = (isOwn ? settings.orientation : nil) ?? orientation
    let turn = Self.turn(from: orientation, to: shown)
    // Rounding of six digits may lead outside by this much.
    let place = -0.001...1.001
    let left = try settings.number("CropLeft", in: place) ?? 0
    let top = try settings.number("CropTop", in: place) ?? 0
    let right = try settings.number("CropRight", in: place) ?? 1
    let bottom = try settings.number("CropBottom", in: place) ?? 1
    let angle = try settings.number("CropAngle", in: -45...45) ?? 0
    guard settings.flag("HasCrop") else {
      filters = turn
      return
    }
    let toUpright = Geometry(orientation: shown, size: size).map.inverse
    let (width, height) = (Double(size.width), Double(size.height))
    let upright = shown.applied(to: size)
    let degrees = shown.isMirrored ? -angle : angle
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let corners = [(left, top), (right, bottom)].map { x, y in
      let point = toUpright.apply(x * width, y * height)
      let (dx, dy) = (point.x - Double(upright.width) / 2, point.y - Double(upright.height) / 2)
      return (x: dx * cosine + dy * sine, y: -dx * sine + dy * cosine)
    }
    let wanted = Rectangle(
      left: min(corners[0].x, corners[1].x), top: min(corners[0].y, corners[1].y),
      right: max(corners[0].x, corners[1].x), bottom: max(corners[0].y, corners[1].y))
    // Corners that cross over are damage, but tiny turned crops of other programs may end up so narrow.
    guard wanted.right - wanted.left >= 1, wanted.bottom - wanted.top >= 1, left < right || angle != 0,
      top < bottom || angle != 0
    else {
      throw SafelightError(
        .corruptData, "\(settings.file): the crop is empty", remedy: "crop again in the program that wrote it")
    }
    filters = try turn + Self.filters(showing: wanted, of: upright, turnedBy: -degrees)
  }

  /// In pixels from the centre of the turned picture.
  private struct Rectangle {
    var left, top, right, bottom: Double
  }

  /// What turns a photo that is shown in one orientation into another.
  private static func turn(from orientation: Orientation, to shown: Orientation) -> [any Filter] {
    let rest = orientation.inverse.then(shown)
    var filters: [any Filter] = []
    if rest.isMirrored { filters.append(Flip(.horizontal)) }
    if let turn = Rotate.Turn(rawValue: rest.quarterTurns * 90), turn != .none { filters.append(Rotate(turn)) }
    return filters
  }

  /// - Parameter degrees: clockwise.
  private static func filters(
    showing wanted: Rectangle, of size: PixelSize, turnedBy degrees: Double
  ) throws -> [any Filter] {
    let angle = Float(degrees)
    // Where it can, the turn cuts its empty corners off: then the result has no transparency.
    for corners in angle == 0 ? [Straighten.Corners.crop] : [.crop, .keep] {
      let straighten = Straighten(angle, corners: corners)
      let window = try Plan(
        Recipe(filters: [straighten]), input: PlanInput(size: size), output: PlanOutput(), optimized: false
      ).outputSize
      let (halfWidth, halfHeight) = (Double(window.width) / 2, Double(window.height) / 2)
      // Sizes are whole pixels here and not in Adobe's numbers.
      let slack = 1.0
      guard
        corners == .keep || angle == 0
          || wanted.left >= -halfWidth - slack && wanted.right <= halfWidth + slack
            && wanted.top >= -halfHeight - slack && wanted.bottom <= halfHeight + slack
      else { continue }
      func edge(_ value: Double, _ half: Double, _ length: Int) -> Int {
        min(max(Int((value + half).rounded()), 0), length)
      }
      let x = min(edge(wanted.left, halfWidth, window.width), window.width - 1)
      let y = min(edge(wanted.top, halfHeight, window.height), window.height - 1)
      let width = max(edge(wanted.right, halfWidth, window.width) - x, 1)
      let height = max(edge(wanted.bottom, halfHeight, window.height) - y, 1)
      let isWhole = width == window.width && height == window.height
      return (angle == 0 ? [] : [straighten as any Filter])
        + (isWhole ? [] : [Crop(.rectangle(x: x, y: y, width: width, height: height))])
    }
    return []
  }
}
