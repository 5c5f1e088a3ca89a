import ColorScience
import FilterGraph
import FrameCore

/// Where the numbers of one field's grid are in the memory of a picture's light: floats, in planes one after another.
package struct FieldGridLayout: Sendable, Hashable {
  /// The nodes of surroundings, and those of texture.
  package let coarse, fine: PixelSize
  /// The first float of each part, from the first one of the field; nil if the field does not need it.
  package private(set) var local, haze, glow, detail, edges, ambient: Int?
  /// The floats of all parts.
  package private(set) var count = 0

  /// 1 / A in channels, A where the field is, and the parts of haze that can be put in and that can be removed.
  package static let ambientCount = 8

  /// - Precondition: the field needs a grid.
  init(_ field: Field) {
    coarse = field.local?.gridSize ?? field.origin?.coarse ?? PixelSize(width: 1, height: 1)
    fine = field.origin?.fine ?? coarse
    let nodes = coarse.pixelCount
    if field.local != nil { local = append(4 * nodes) }
    if field.haze != nil { haze = append(2 * nodes) }
    if field.glow != nil { glow = append(3 * nodes) }
    if field.texture != nil { detail = append(fine.pixelCount) }
    if !field.guides.isEmpty { edges = append(2 * fine.pixelCount * field.guides.count) }
    if field.haze != nil { ambient = append(Self.ambientCount) }
  }

  private mutating func append(_ floats: Int) -> Int {
    defer { count += floats }
    return count
  }
}
