import ColorScience
import FilterGraph
import FrameCore
import PhotoIO
import Rendering

extension Photo {
  /// Writes the photo, turned the right way up, in the format that the path's extension names. A camera raw is
  /// written as sRGB.
  ///
  /// - Returns: what could not be kept, one sentence each.
  /// - Throws: `SafelightError` if the file exists and `overwrite` is false, or if it cannot be written.
  @discardableResult
  public func write(to path: String, quality: Int = 92, overwrite: Bool = false) throws -> [String] {
    let format = try PhotoFileFormat(forWritingTo: path)
    let (target, tags) = try PhotoExport().planOutput(from: buffer.format, tags: buffer.tags, writing: format)
    var buffer = buffer
    var metadata = metadata
    if buffer.format != target.format || orientation != .up || buffer.tags.isWorkingSpace {
      let plan = try Plan(Recipe(), input: try planInput, output: target)
      buffer = try CPURenderer().render(buffer, through: plan).retagged(tags)
      metadata = metadata.edited(
        size: buffer.size, colorSpace: target.space == .sRGB ? .sRGB : .other, keepsLevel: plan.keepsLevel)
    }
    let writer = try PhotoWriter(
      to: path, format: format, size: buffer.size, bitsPerSample: target.format == .rgba16 ? 16 : 8,
      quality: quality,
      tags: buffer.tags, metadata: metadata, alpha: buffer.alpha, overwrite: overwrite)
    try writer.write(buffer)
    try writer.finish()
    return writer.warnings
  }
}

extension Comparison {
  /// Compares two photos that are the right way up.
  public init(_ original: Photo, _ edited: Photo, layout: Layout, labels: Bool = true) {
    self.init(original.buffer, edited.buffer, layout: layout, labels: labels)
  }

  /// Renders the comparison and writes it in the format that the path's extension names.
  ///
  /// - Returns: what could not be kept, one sentence each.
  @discardableResult
  public func write(to path: String, quality: Int = 92, overwrite: Bool = false) throws -> [String] {
    try render().write(to: path, quality: quality, overwrite: overwrite)
  }
}

extension PixelBuffer {
  /// Writes an `rgba8` picture with its colour tags, in the format that the path's extension names.
  ///
  /// - Returns: what could not be kept, one sentence each.
  /// - Throws: `SafelightError` if the file exists and `overwrite` is false, or if it cannot be written; then no
  ///   file is left behind.
  @discardableResult
  public func write(to path: String, quality: Int = 92, overwrite: Bool = false) throws -> [String] {
    let writer = try PhotoWriter(
      to: path, size: size, quality: quality, tags: tags, alpha: alpha, overwrite: overwrite)
    try writer.write(self)
    try writer.finish()
    return writer.warnings
  }
}
