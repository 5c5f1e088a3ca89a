import ColorScience
import FilterGraph
import FrameCore

/// What a window on the screen shows of an edited photo.
public struct PhotoViewport: Sendable, Hashable {
  /// How large the photo is shown.
  public enum Zoom: Sendable, Hashable {
    /// As large as fits, but not larger than it is.
    case fit
    /// - Parameters:
    ///   - scale: pixels of the window for each pixel of the edited photo, up to 1: windows enlarge by themselves.
    ///   - x, y: the place of the edited photo in the middle of the window, 0…1.
    case scale(Double, x: Double, y: Double)
  }

  /// The size of the window in pixels.
  public var size: PixelSize
  public var zoom: Zoom
  /// The part of the pixels along each axis that are rendered, above 0 up to 1: less is faster, and shown enlarged.
  public var detail: Double

  /// Whether the picture is seen for a moment, while something is dragged: what would take long is then made of a smaller
  /// copy of the photo, and without noise reduction.
  public var isMoving = false

  /// The colour space of the screen, which the picture is rendered in.
  public var space: ColorSpace

  public init(
    size: PixelSize, zoom: Zoom = .fit, detail: Double = 1, isMoving: Bool = false, space: ColorSpace = .sRGB
  ) {
    (self.size, self.zoom, self.detail, self.isMoving, self.space) = (size, zoom, detail, isMoving, space)
  }

  /// Where a window lies on a photo.
  package struct Placement {
    /// The size of the whole photo at this zoom, in pixels of the window.
    package let scaled: PixelSize
    /// The part of it that the window shows.
    package let window: Region
    /// As `scaled` and `window`, in the pixels that are rendered.
    package let renderedSize: PixelSize
    package let rendered: Region
  }

  /// Returns the size of the whole edited photo that is rendered.
  ///
  /// - Parameter full: the size of the edited photo.
  package func renderedSize(of full: PixelSize) -> PixelSize { placed(on: full).renderedSize }

  /// Places the window on an edited photo.
  ///
  /// - Parameter full: the size of the edited photo.
  package func placed(on full: PixelSize) -> Placement {
    let scaled: PixelSize
    var center = (x: 0.5, y: 0.5)
    switch zoom {
    case .fit: scaled = full.fits(into: size) ? full : full.fitted(into: size)
    case .scale(let scale, let x, let y):
      scaled = full.scaled(by: min(scale, 1))
      center = (x, y)
    }
    let window = Region(
      columns: Self.part(of: scaled.width, count: size.width, about: center.x),
      rows: Self.part(of: scaled.height, count: size.height, about: center.y))
    let renderedSize = scaled.scaled(by: detail)
    return Placement(
      scaled: scaled, window: window, renderedSize: renderedSize,
      rendered: Region(
        columns: Self.part(window.columns, of: scaled.width, as: renderedSize.width),
        rows: Self.part(window.rows, of: scaled.height, as: renderedSize.height)))
  }

  /// Returns `count` of `length` pixels about a place, or all if there are fewer.
  private static func part(of length: Int, count: Int, about center: Double) -> Range<Int> {
    let count = min(count, length)
    let middle = (min(max(center.isFinite ? center : 0.5, 0), 1) * Double(length)).rounded()
    let first = min(max(Int(middle) - count / 2, 0), length - count)
    return first..<first + count
  }

  /// Returns the smallest part of `count` pixels that covers `range` of `length`.
  private static func part(_ range: Range<Int>, of length: Int, as count: Int) -> Range<Int> {
    guard count != length else { return range }
    let scale = Double(count) / Double(length)
    let first = Int((Double(range.lowerBound) * scale).rounded(.down))
    let end = Int((Double(range.upperBound) * scale).rounded(.up))
    return min(first, count - 1)..<min(max(end, first + 1), count)
  }
}

extension PixelSize {
  /// Returns this size times a factor, at least 1×1.
  fileprivate func scaled(by factor: Double) -> PixelSize {
    PixelSize(
      width: max(1, Int((Double(width) * factor).rounded())),
      height: max(1, Int((Double(height) * factor).rounded())))
  }
}

extension Region {
  /// Returns the part inside a picture; at least one pixel.
  func clipped(to size: PixelSize) -> Region {
    func clipped(_ range: Range<Int>, _ count: Int) -> Range<Int> {
      let end = min(range.upperBound, count)
      return min(range.lowerBound, end - 1)..<end
    }
    return Region(columns: clipped(columns, size.width), rows: clipped(rows, size.height))
  }
}
