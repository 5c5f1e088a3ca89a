import FilterGraph
import Filters
import FrameCore
import Libc

/// The rotation, straightening and crop that show the same pixels as Adobe's crop.
///
/// Adobe places a rectangle on the photo as stored, before its orientation is applied. The rectangle is rotated
/// clockwise by CropAngle about its own centre; its upper left corner is at (CropLeft, CropTop) and its lower
/// right one at (CropRight, CropBottom), as fractions of the width and height. The result is the area it covers,
/// upright, so the picture is rotated counterclockwise by CropAngle.
///
/// Rotated about the picture's centre by the same angle, these corners are those of an upright rectangle. Sources:
/// darktable, src/develop/lightroom.c, which does this and then applies the orientation, negating the angle if it
/// mirrors; and the corners of a crop before and after a rotation by 10°, measured in Lightroom, which a test
/// checks.
struct AdobeCrop {
  let filters: [any Filter]

  /// - Parameters:
  ///   - size: the photo's size as stored, in pixels.
  ///   - orientation: the orientation recorded in the photo itself.
  ///   - isOwn: whether the orientation in the settings applies to this photo.
  init(_ settings: AdobeSettings, size: PixelSize, orientation: Orientation, isOwn: Bool) throws {
    let shown = (isOwn ? settings.orientation : nil) ?? orientation
    let turn = Self.turn(from: orientation, to: shown)
    // Rounding to six digits may exceed the range by this much.
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
    // Crossed corners are damage, but tiny rotated crops by other programs may come out this narrow.
    guard wanted.right - wanted.left >= 1, wanted.bottom - wanted.top >= 1, left < right || angle != 0,
      top < bottom || angle != 0
    else {
      throw SafelightError(
        .corruptData, "\(settings.file): the crop is empty", remedy: "crop again in the program that wrote it"
      )
    }
    filters = try turn + Self.filters(showing: wanted, of: upright, turnedBy: -degrees)
  }

  /// Returns the filters that take a photo from one orientation to another.
  private static func turn(from orientation: Orientation, to shown: Orientation) -> [any Filter] {
    let rest = orientation.inverse.then(shown)
    var filters: [any Filter] = []
    if rest.isMirrored { filters.append(Flip(.horizontal)) }
    if let turn = Rotate.Turn(rawValue: rest.quarterTurns * 90), turn != .none {
      filters.append(Rotate(turn))
    }
    return filters
  }

  /// - Parameter degrees: clockwise.
  private static func filters(
    showing wanted: Rectangle, of size: PixelSize, turnedBy degrees: Double
  ) throws -> [any Filter] {
    guard degrees != 0 else { return crop(wanted.pixels(of: size), of: size) }
    // Prefer the rotation that cuts off its empty corners, since its result has no transparency.
    let cutting = Straighten(Float(degrees))
    let window = try outputSize(of: cutting, size)
    guard !wanted.fits(window) else { return [cutting] + crop(wanted.pixels(of: window), of: window) }
    let keeping = Straighten(Float(degrees), corners: .keep)
    let canvas = try outputSize(of: keeping, size)
    var pixels = wanted.pixels(of: canvas)
    // Edges are rounded to whole pixels here, unlike in Adobe's numbers; that must not uncover a corner.
    for _ in 0..<2 where pixels.width > 2 && pixels.height > 2 {
      guard !isCovered(pixels, of: canvas, by: size, turnedBy: degrees) else { break }
      pixels = (pixels.x + 1, pixels.y + 1, pixels.width - 2, pixels.height - 2)
    }
    return [keeping] + crop(pixels, of: canvas)
  }

  private static func outputSize(of filter: Straighten, _ size: PixelSize) throws -> PixelSize {
    try Plan(
      Recipe(filters: [filter]), input: PlanInput(size: size), output: PlanOutput(), optimized: false
    ).outputSize
  }

  private static func crop(_ pixels: Pixels, of size: PixelSize) -> [any Filter] {
    guard pixels.width != size.width || pixels.height != size.height else { return [] }
    return [Crop(.rectangle(x: pixels.x, y: pixels.y, width: pixels.width, height: pixels.height))]
  }

  /// Whether the rotated picture covers a rectangle of the canvas.
  private static func isCovered(
    _ pixels: Pixels, of canvas: PixelSize, by size: PixelSize, turnedBy degrees: Double
  ) -> Bool {
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    return [(0, 0), (1, 0), (0, 1), (1, 1)].allSatisfy { right, bottom in
      let x = Double(pixels.x + right * pixels.width) - Double(canvas.width) / 2
      let y = Double(pixels.y + bottom * pixels.height) - Double(canvas.height) / 2
      // Rotated back.
      return abs(x * cosine + y * sine) <= Double(size.width) / 2 + 1e-7
        && abs(-x * sine + y * cosine) <= Double(size.height) / 2 + 1e-7
    }
  }
}

private typealias Pixels = (x: Int, y: Int, width: Int, height: Int)

/// A rectangle in pixels, relative to the centre of the rotated picture.
private struct Rectangle {
  var left, top, right, bottom: Double

  /// Whether it fits into a centred picture of `size`, within a pixel: sizes are whole here, unlike in Adobe's
  /// numbers.
  func fits(_ size: PixelSize) -> Bool {
    let (halfWidth, halfHeight) = (Double(size.width) / 2 + 1, Double(size.height) / 2 + 1)
    return left >= -halfWidth && right <= halfWidth && top >= -halfHeight && bottom <= halfHeight
  }

  /// Returns the nearest whole pixels in a picture of `size`, at least one.
  func pixels(of size: PixelSize) -> Pixels {
    func edge(_ value: Double, _ length: Int) -> Int {
      min(max(Int((value + Double(length) / 2).rounded()), 0), length)
    }
    let x = min(edge(left, size.width), size.width - 1)
    let y = min(edge(top, size.height), size.height - 1)
    return (x, y, max(edge(right, size.width) - x, 1), max(edge(bottom, size.height) - y, 1))
  }
}
