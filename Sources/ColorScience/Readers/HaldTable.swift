import FrameCore

/// The samples of a picture that holds a table, as stored.
public struct TablePicture: Sendable {
  public var size: PixelSize
  /// Rows from top to bottom, 1.0 being the largest value that its format can hold.
  public var pixels: [SIMD3<Float>]

  public init(size: PixelSize, pixels: [SIMD3<Float>]) { (self.size, self.pixels) = (size, pixels) }
}

extension ColorLUT {
  /// The levels of Halds that are read: a level n has n² nodes along each edge of its lattice and n³ pixels along each
  /// edge of its picture.
  package static let haldLevels = 2...16

  /// Reads a table from a picture that was a neutral Hald before it went through an edit.
  ///
  /// Source: Quelsolaar, “Hald CLUT” (2008), and ImageMagick's `hald:`: red changes fastest, blue slowest.
  ///
  /// - Throws: `SafelightError` (`corruptData`) if the picture's edges are not those of a Hald.
  package init(hald picture: TablePicture, name: String) throws {
    let edge = picture.size.width
    guard picture.size.height == edge,
      let level = Self.haldLevels.first(where: { $0 * $0 * $0 == edge })
    else {
      let edges = Self.haldLevels.prefix(7).map { "\($0 * $0 * $0)" }.joined(separator: ", ")
      throw SafelightError(
        .corruptData, "\(name) is a picture of \(picture.size), which is no Hald",
        remedy: "give a square one with edges of \(edges), … pixels that was not cropped or scaled")
    }
    self.init(cube: try LUT3D(size: level * level, nodes: picture.pixels))
  }
}
