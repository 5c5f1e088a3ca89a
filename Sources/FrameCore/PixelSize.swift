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
  /// For example `6000×4000`.
  public var description: String { "\(width)×\(height)" }
}
