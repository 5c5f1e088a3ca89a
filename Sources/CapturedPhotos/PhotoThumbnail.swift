import ColorScience
import FilterGraph
import Filters
import FrameCore
import PhotoIO
import Rendering

/// Small pictures of written photos, for pages.
package enum PhotoThumbnail {
  /// The long edge, in pixels.
  package static let longEdge = 256

  /// Returns an upright JPEG in sRGB.
  ///
  /// - Throws: `SafelightError` if the photo cannot be read.
  package static func jpeg(ofPhoto path: String) throws -> [UInt8] {
    // Twice the size, since a JPEG is reduced by powers of two while it is decoded.
    let reader = try PhotoReader(contentsOf: path, scaledToLongEdge: 2 * longEdge)
    let source = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: source)
    try reader.finish()
    let renderer = CPURenderer(threads: 1)
    let plan = try renderer.plan(
      Recipe(filters: [Resize(longEdge: min(longEdge, reader.size.longEdge))]),
      input: PlanInput(
        size: reader.size, format: reader.format, tags: reader.tags,
        orientation: reader.orientation, alpha: reader.alpha),
      output: PlanOutput(format: .rgba8, space: .sRGB))
    let picture = try renderer.render(source, through: plan)
    return try JPEGFrameEncoder(quality: 80).encode(picture) { Array($0) }
  }
}
