import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

/// A photo that is decoded smaller than it is, to be shown while `ResidentPhoto` reads all of it.
///
/// Its views look as those of the photo itself, but for noise reduction, and for their sharpness where they would need
/// more pixels than it has.
public final class PhotoDraft: Sendable {
  private let copy: SmallCopy
  private let input: PlanInput
  private let renderer: CPURenderer

  /// - Parameter longEdge: of the largest window that it must be sharp in, in pixels.
  /// - Returns: nil unless decoding the photo smaller takes much less time: JPEG data of twice that size.
  /// - Throws: `SafelightError` if the photo cannot be read.
  public init?(_ path: String, longEdge: Int, renderer: CPURenderer) throws {
    let file = try PhotoFile(path)
    // A raw would be unpacked twice, and its picture of half the size lacks detail.
    guard file.header.fileFormat == .jpeg, file.canBeScaled(toLongEdge: longEdge) else { return nil }
    input = try file.header.planInput
    copy = try SmallCopy(decoding: file, toLongEdge: longEdge, input)
    self.renderer = renderer
  }

  /// As `ResidentPhoto.view`.
  public func view(_ recipe: Recipe, in viewport: PhotoViewport, proof: SoftProof? = nil) throws -> PhotoView
  {
    let whole = try Plan(recipe, input: input, output: PlanOutput(), optimized: false)
    let place = viewport.placed(on: whole.outputSize)
    var output = PlanOutput(space: viewport.space, maximumSize: place.renderedSize)
    output.proof = proof
    return try copy.view(recipe, place, of: whole, output, renderer: renderer) { size, plan in
      try PixelBuffer(size: size, format: .rgba8, tags: plan.output.space.tags, alpha: plan.outputAlpha)
    }
  }
}
