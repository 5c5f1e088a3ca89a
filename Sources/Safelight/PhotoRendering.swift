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
      size: edited.buffer.size, colorSpace: space == .sRGB ? .sRGB : .other)
    return edited
  }

  /// `render(_:through:)` off the caller's thread, for async code.
  public func render(_ photo: Photo, through recipe: Recipe, colorSpace: OutputColorSpace = .keep)
    async throws
    -> Photo
  {
    try await Task.detached { try self.renderNow(photo, recipe, colorSpace) }.value
  }

  private func renderNow(_ photo: Photo, _ recipe: Recipe, _ colorSpace: OutputColorSpace) throws -> Photo {
    try render(photo, through: recipe, colorSpace: colorSpace)
  }
}

extension Photo {
  /// Writes the photo; the format follows the path's extension.
  ///
  /// - Throws: `SafelightError` where the file exists and `overwrite` is false, or cannot be written.
  public func write(to path: String, quality: Int = 92, overwrite: Bool = false) throws {
    let format = try PhotoFileFormat(forWritingTo: path)
    let bits = buffer.format == .rgba8 ? 8 : format.bitDepths.max() ?? 8
    var buffer = buffer
    if buffer.format == .rgba16, bits == 8 {
      let space = try ColorSpace(tags: buffer.tags)
      let plan = try Plan(
        Recipe(), input: PlanInput(size: buffer.size, format: .rgba16, space: space, alpha: buffer.alpha),
        output: PlanOutput(format: .rgba8, space: space))
      buffer = try CPURenderer().render(buffer, through: plan).retagged(buffer.tags)
    }
    let writer = try PhotoWriter(
      to: path, format: format, size: buffer.size, bitsPerSample: bits, quality: quality, tags: buffer.tags,
      metadata: metadata, alpha: buffer.alpha, overwrite: overwrite)
    try writer.write(buffer)
    try writer.finish()
  }
}

extension Comparison {
  /// A comparison of two photos that are the right way up.
  public init(_ original: Photo, _ edited: Photo, layout: Layout, labels: Bool = true) {
    self.init(original.buffer, edited.buffer, layout: layout, labels: labels)
  }

  /// Renders the comparison and writes it; the format follows the path's extension.
  public func write(to path: String, quality: Int = 92, overwrite: Bool = false) throws {
    let picture = try render()
    let writer = try PhotoWriter(
      to: path, size: picture.size, quality: quality, tags: picture.tags, alpha: picture.alpha,
      overwrite: overwrite)
    try writer.write(picture)
    try writer.finish()
  }
}
