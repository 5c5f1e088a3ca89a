import Files
import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

extension PhotoExport {
  /// Facts about a file other than its picture.
  struct FileFacts {
    var format: PhotoFileFormat
    /// The colour tags of the samples written.
    var tags: ColorTags
    var isSRGB: Bool
    /// Whether the picture is as level as its original.
    var keepsLevel = true
    /// The original's metadata.
    var metadata = PhotoMetadata()
    /// The version of the original before it was read, if it is to be replaced.
    var replaced: FileVersion?
  }

  /// Whether nothing but the edit was requested.
  var isPlain: Bool {
    let plain = PhotoExport()
    return comparison == nil && maximumBytes == nil && maximumSize == nil && copyright == nil
      && metadata == plain.metadata && colorSpace == plain.colorSpace && quality == plain.quality
  }

  /// Opens the file at `output` for a picture.
  func makeWriter(
    _ picture: (size: PixelSize, format: PixelFormat, alpha: AlphaMode), _ facts: FileFacts, to output: String
  ) throws -> BoundedWriter {
    var edited = facts.metadata.edited(
      size: picture.size, colorSpace: facts.isSRGB ? .sRGB : .other, keepsLevel: facts.keepsLevel
    ).under(metadata)
    if metadata != .strip || copyright != nil {
      edited = edited.signed(software: software, copyright: copyright)
    }
    return try BoundedWriter(limit: maximumBytes, quality: quality, picture: picture) { [edited] quality in
      try cancellation?.check()
      let writer = try PhotoWriter(
        to: output, format: facts.format, size: picture.size,
        bitsPerSample: picture.format == .rgba16 ? 16 : 8, quality: quality, tags: facts.tags,
        metadata: edited, alpha: picture.alpha, threads: isSequential ? 1 : nil,
        overwrite: overwrite, followsLinks: followsLinks)
      writer.replaced = facts.replaced
      return writer
    }
  }

  /// Writes a picture in memory, such as a frame, in the way `run` writes an unedited photo.
  ///
  /// - Parameter picture: display-encoded, the right way up.
  /// - Returns: the size written, and what could not be kept, one sentence each.
  /// - Throws: `SafelightError`; then nothing is left at `output`, and an existing file is untouched.
  @discardableResult
  public func write(
    _ picture: PixelBuffer, to output: String, renderer: any Renderer = CPURenderer()
  ) throws -> (size: PixelSize, warnings: [String]) {
    let format = try format ?? PhotoFileFormat(forWritingTo: output)
    try format.requireEncoder(toWrite: output)
    let (target, tags) = try planOutput(from: picture.format, tags: picture.tags, writing: format)
    let plan = try renderer.plan(
      Recipe(),
      input: PlanInput(
        size: picture.size, format: picture.format, tags: picture.tags,
        alpha: picture.alpha),
      output: target)
    // Unchanged samples need no rendering.
    let isUnchanged = plan.stages.isEmpty && picture.format == plan.output.format
    let written = isUnchanged ? picture : try renderer.render(picture, through: plan)
    let writer = try makeWriter(
      (written.size, written.format, written.alpha),
      FileFacts(format: format, tags: tags, isSRGB: target.space == .sRGB), to: output)
    try writer.write(written, rows: written.height)
    try writer.finish()
    return (written.size, plan.notes + writer.warnings)
  }
}
