import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

extension Photo {
  /// The input of plans for this photo.
  public var planInput: PlanInput {
    get throws {
      try PlanInput(
        size: buffer.size, format: buffer.format, tags: buffer.tags,
        orientation: orientation,
        alpha: buffer.alpha
      ).assumingNoise(of: metadata)
    }
  }
}

extension PhotoHeader {
  /// The input of plans for this photo, known without decoding it.
  public var planInput: PlanInput {
    get throws {
      try PlanInput(
        size: size, format: bitsPerSample > 8 ? .rgba16 : .rgba8, tags: tags,
        orientation: orientation, alpha: alpha
      ).assumingNoise(of: metadata)
    }
  }
}

extension PlanInput {
  /// Returns this input with the noise that is usual at the sensitivity that a photo was taken at, if it says so.
  fileprivate func assumingNoise(of metadata: PhotoMetadata) -> PlanInput {
    var input = self
    let white = Double(scene?.white ?? 1)
    input.statistics.noise = metadata.captureFacts.iso.map {
      NoiseLevel(iso: Double($0), white: white, encoding: space.transfer)
    }
    return input
  }
}

extension Renderer {
  /// As `render(_:through:colorSpace:)`, on the caller's thread, for code that cannot await.
  public func renderBlocking(
    _ photo: Photo, through recipe: Recipe, colorSpace: OutputColorSpace = .keep
  ) throws -> Photo {
    try render(photo, through: recipe, colorSpace: colorSpace)
  }

  package func render(_ photo: Photo, through recipe: Recipe, colorSpace: OutputColorSpace = .keep) throws
    -> Photo
  {
    let (space, tags) = try colorSpace.resolve(original: photo.buffer.tags)
    let output = PlanOutput(format: photo.buffer.format, space: space)
    var plan = try plan(recipe, input: try photo.planInput, output: output)
    if plan.denoising != nil {
      plan = try self.plan(recipe, input: plan.input.measuringNoise(of: photo.buffer), output: output)
    }
    var edited = photo
    edited.buffer = try render(photo.buffer, through: plan).retagged(tags)
    edited.orientation = .up
    edited.metadata = photo.metadata.edited(
      size: edited.buffer.size, colorSpace: space == .sRGB ? .sRGB : .other, keepsLevel: plan.keepsLevel)
    return edited
  }

  /// Edits a photo, on a thread of its own. The result is the right way up, in the photo's own format and, by
  /// default, its colour space.
  public func render(_ photo: Photo, through recipe: Recipe, colorSpace: OutputColorSpace = .keep)
    async throws
    -> Photo
  {
    try await runOnThread(named: "render") { try render(photo, through: recipe, colorSpace: colorSpace) }
  }
}
