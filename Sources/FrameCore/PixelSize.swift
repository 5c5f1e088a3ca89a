/// Width and height of a picture in pixels.
public struct PixelSize: Sendable, Hashable, Codable, CustomStringConvertible {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var pixelCount: Int { width * height }
  public var longEdge: Int { max(width, height) }
  /// The size with width and height exchanged.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }
  /// The largest size of these proportions that fits into `box`; no edge is shorter than a pixel.
  public func fitted(into box: PixelSize) -> PixelSize {
    // Cross products compare the proportions exactly.
    guard width * box.height >= height * box.width else {
      return PixelSize(
        width: max(1, Int((Double(width) * (Double(box.height) / Double(height))).rounded())),
        height: box.height)
    }
    return PixelSize(
      width: box.width, height: max(1, Int((Double(height) * (Double(box.width) / Double(width))).rounded())))
  }
  /// Whether a picture of this size lies within one of `box`.
  public func fits(into box: PixelSize) -> Bool { width <= box.width && height <= box.height }
  /// For example `6000×4000`.
  public var description: String { "\(width)×\(height)" }
}
