/// Width and height of a picture in pixels.
public struct PixelSize: Sendable, Hashable, Codable, CustomStringConvertible {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var pixelCount: Int { width * height }
  /// The larger of width and height.
  public var longEdge: Int { max(width, height) }
  /// The size with width and height exchanged.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// Returns the largest size with these proportions that fits into `box`; no edge is shorter than a pixel.
  public func fitted(into box: PixelSize) -> PixelSize {
    // Cross products compare the proportions exactly. They have double width, because an edge of the box may be as
    // large as an integer can be.
    let (across, down) = (
      width.multipliedFullWidth(by: box.height), height.multipliedFullWidth(by: box.width)
    )
    guard (across.high, across.low) >= (down.high, down.low) else {
      return PixelSize(
        width: Self.edge(width, times: Double(box.height) / Double(height), atMost: box.width),
        height: box.height)
    }
    return PixelSize(
      width: box.width,
      height: Self.edge(height, times: Double(box.width) / Double(width), atMost: box.height))
  }

  /// Returns a scaled edge of at least one pixel. Rounding could exceed `bound`, which may be the largest integer.
  private static func edge(_ edge: Int, times scale: Double, atMost bound: Int) -> Int {
    let scaled = (Double(edge) * scale).rounded()
    guard scaled > 1 else { return 1 }
    return scaled < Double(bound) ? Int(scaled) : bound
  }

  /// Whether a picture of this size lies within one of `box`.
  public func fits(into box: PixelSize) -> Bool { width <= box.width && height <= box.height }
  /// Formatted like `6000×4000`.
  public var description: String { "\(width)×\(height)" }
}
