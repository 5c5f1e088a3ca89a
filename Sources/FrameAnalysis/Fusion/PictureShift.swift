/// How far a picture of a bracket is shifted against the reference, in whole pixels: the pixel (x, y) of the
/// reference shows what (x + shift.x, y + shift.y) of the picture shows.
public struct PictureShift: Sendable, Hashable, Codable {
  public var x: Int
  public var y: Int
  /// Whether it was found; false, with no shift, if the pictures have too little in common.
  public var isFound: Bool

  public init(x: Int, y: Int, isFound: Bool = true) { (self.x, self.y, self.isFound) = (x, y, isFound) }
}
