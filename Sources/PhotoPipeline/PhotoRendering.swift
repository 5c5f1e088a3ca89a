import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

extension Photo {
  /// The input of plans for this photo.
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
  /// The input of plans for this photo, known without decoding it.
  public var planInput: PlanInput {
    get throws {
      PlanInput(
        size: size, format: bitsPerSample > 8 ? .rgba16 : .rgba8, space: try ColorSpace(tags: tags),
        orientation: orientation, alpha: alpha)
    }
  }
}

extension Renderer {
  /// Edits a photo. The result is the right way up, in the photo's own format and, by default, its colour space.
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

  /// The async form of `render(_:through:)`: it runs on its own thread, so that no thread of Swift's pool blocks.
  public func render(_ photo: Photo, through recipe: Recipe, colorSpace: OutputColorSpace = .keep)
    async throws
    -> Photo
  {
    try await runOnThread(named: "render") { try render(photo, through: recipe, colorSpace: colorSpace) }
  }
}
