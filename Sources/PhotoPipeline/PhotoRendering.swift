import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

extension Photo {
  /// What plans for this photo start from.
  public var planInput: PlanInput {
    get throws {
      PlanInput(
        size: buffer.size, format: buffer.format, space: try ColorSpace(tags: buffer.tags),
        orientation: orientation,
        alpha: buffer.alpha)
    }
  }
}

extension PhotoHeader {
  /// What plans for this photo start from, known without decoding it.
  public var planInput: PlanInput {
    get throws {
      PlanInput(
        size: size, format: bitsPerSample > 8 ? .rgba16 : .rgba8, space: try ColorSpace(tags: tags),
        orientation: orientation, alpha: alpha)
    }
  }
}

extension Renderer {
  /// Edits a photo: the result is the right way up, in the photo's own format and colour space.
  public func render(_ photo: Photo, through recipe: Recipe, colorSpace: OutputColorSpace = .keep) throws
    -> Photo
  {
    let (space, tags) = try colorSpace.resolve(original: photo.buffer.tags)
    let plan = try plan(
      recipe, input: try photo.planInput, output: PlanOutput(format: photo.buffer.format, space: space))
    var edited = photo
    edited.buffer = try render(photo.buffer, through: plan).retagged(tags)
    edited.orientation = .up
    edited.metadata = photo.metadata.edited(
      size: edited.buffer.size, colorSpace: space == .sRGB ? .sRGB : .other, keepsLevel: plan.keepsLevel)
    return edited
  }

  /// `render(_:through:)` on a thread of its own, for async code: no thread of Swift's pool waits for it.
  public func render(_ photo: Photo, through recipe: Recipe, colorSpace: OutputColorSpace = .keep)
    async throws
    -> Photo
  {
    try await runOnThread(named: "render") { try render(photo, through: recipe, colorSpace: colorSpace) }
  }
}
