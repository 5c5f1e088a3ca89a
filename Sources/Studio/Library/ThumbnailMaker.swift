import Libc
import Safelight

/// Makes the small pictures of photos with their edits, on one thread each.
struct ThumbnailMaker: Sendable {
  let cache: ThumbnailCache
  let renderer: CPURenderer

  /// A picture to be sent.
  struct Result: Sendable {
    let picture: ThumbnailCache.Picture
    /// Whether no better one follows.
    let isFinal: Bool
  }

  /// Returns a picture without decoding the photo; nil if that is not possible.
  ///
  /// - Throws: `SafelightError` if the photo or its edit cannot be read.
  func quick(_ photo: String, edge: Int) throws -> Result? {
    if let key = try cache.key(photo, edge: edge), let known = cache.read(key) {
      return Result(picture: known, isFinal: true)
    }
    // The camera's picture has not the colours of the edit.
    guard !StoredEdit.isThere(forPhoto: photo) else { return nil }
    let header = try PhotoHeader.read(photo)
    guard let bytes = header.metadata.thumbnail, let picture = try? embedded(bytes, header, edge: edge) else {
      return nil
    }
    return Result(picture: try encoded(picture), isFinal: false)
  }

  /// Returns the picture as it is to be.
  ///
  /// - Throws: `SafelightError` if the photo or its edit cannot be read.
  func full(_ photo: String, edge: Int) throws -> Result {
    let key = try cache.key(photo, edge: edge)
    if let key, let known = cache.read(key) { return Result(picture: known, isFinal: true) }
    let picture = try encoded(StudioThumbnail.picture(photo, edge: edge, renderer: renderer))
    if let key { cache.write(picture, as: key) }
    return Result(picture: picture, isFinal: true)
  }

  private func encoded(_ picture: PixelBuffer) throws -> ThumbnailCache.Picture {
    let jpeg = try JPEGFrameEncoder(quality: 84).encode(picture) { Array($0) }
    return ThumbnailCache.Picture(width: picture.width, height: picture.height, jpeg: jpeg)
  }

  /// The camera's small picture: turned upright, without the black bars beside another shape.
  private func embedded(_ bytes: [UInt8], _ header: PhotoHeader, edge: Int) throws -> PixelBuffer {
    let file = try NamelessFile(bytes)
    let reader = try PhotoReader(contentsOf: file.path)
    let source = try PixelBuffer(
      size: reader.size, format: reader.format, tags: reader.tags, alpha: reader.alpha)
    try reader.read(into: source)
    try reader.finish()
    let upright = header.orientation.applied(to: source.size)
    let photo = header.orientation.applied(to: header.size)
    let shape = photo.fitted(into: upright)
    var recipe = Recipe()
    if shape.width + 2 < upright.width || shape.height + 2 < upright.height {
      recipe.filters = [
        Crop(
          .rectangle(
            x: (upright.width - shape.width) / 2, y: (upright.height - shape.height) / 2, width: shape.width,
            height: shape.height))
      ]
    }
    let input = try PlanInput(source, orientation: header.orientation)
    let box = PixelSize(width: edge, height: edge)
    return try renderer.render(
      source, through: renderer.plan(recipe, input: input, output: PlanOutput(maximumSize: box)))
  }
}

/// Bytes as a file that readers of files take.
private final class NamelessFile {
  private let descriptor: Int32
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// - Throws: `SafelightError(.file)` if it cannot be made.
  init(_ bytes: [UInt8]) throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array((folder + "/safelight-XXXXXX").utf8CString)
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else {
      throw SafelightError(
        .file, "Cannot make a file in \(folder): \(errorText(errno))",
        remedy: "set TMPDIR to a folder with room")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(name)
    guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count else {
      throw SafelightError(
        .noSpace, "Cannot write a file in \(folder)", remedy: "set TMPDIR to a folder with room")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
