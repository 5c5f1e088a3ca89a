import Safelight
import WebServer

/// A picture of a photo as a script asks for it: the file that `safelight edit` would write.
struct ScriptPicture: Sendable {
  enum Format: String, Sendable, CaseIterable {
    case jpeg, png

    var file: PhotoFileFormat {
      switch self {
      case .jpeg: .jpeg
      case .png: .png
      }
    }

    var mediaType: String { "image/" + rawValue }
  }

  var format = Format.jpeg
  /// 1…100; only JPEG has one.
  var quality = PhotoExport().quality
  /// The box that the picture must fit into, in pixels; it is never enlarged. Nil sets no limit.
  var box: PixelSize?
  /// Whether the photo's edit is left out.
  var isOriginal = false

  /// - Throws: `SafelightError` if a value is unknown or out of range, or said twice.
  init(_ query: [WebRequest.QueryItem]) throws {
    let values = try QueryValues(query, ["width", "height", "format", "quality", "original"])
    let edge = PixelBuffer.maximumEdge
    let (width, height) = (
      try values.whole("width", in: 1...edge), try values.whole("height", in: 1...edge)
    )
    if width != nil || height != nil { box = PixelSize(width: width ?? edge, height: height ?? edge) }
    quality = try values.whole("quality", in: 1...100) ?? quality
    if let text = values["format"] {
      guard let known = Format(rawValue: text) else {
        throw NearestName.error(unknown: "format", text, among: Format.allCases.map(\.rawValue))
      }
      format = known
    }
    if let text = values["original"] {
      guard ["", "true", "false"].contains(text) else {
        throw SafelightError(
          .invalidValue, "“original” is “\(NearestName.shortened(text))”", remedy: "give true or false")
      }
      isOriginal = text != "false"
    }
  }

  /// The same export as the command line makes it.
  private var export: PhotoExport {
    var export = PhotoExport()
    (export.format, export.quality, export.maximumSize) = (format.file, quality, box)
    return export
  }

  /// Makes the picture of a photo with the edit beside it.
  ///
  /// - Throws: `SafelightError` if the photo or its edit cannot be read.
  func response(
    _ entry: StudioPhotos.Entry, _ condition: ScriptCondition, renderer: CPURenderer
  ) throws -> WebResponse {
    try entry.checkFile()
    let recipe =
      isOriginal ? Recipe() : try ScriptEdit.recipe(of: entry).loadingFiles(besidePhoto: entry.path)
    let version = FileVersion(entry.path).map { "\($0)" } ?? ""
    // Known without rendering: equal edits of equal files make equal bytes.
    let tag = try "\"\(recipe.fingerprint(options: export.fingerprintOptions + [version]))\""
    if EntityTag.isNamed(tag, in: condition.differs) {
      return WebResponse(status: 304, fields: ["ETag": tag])
    }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = FolderListing.path("picture." + format.rawValue, in: folder.path)
    _ = try export.run(entry.path, through: recipe, to: path, renderer: renderer)
    var response = WebResponse(type: format.mediaType, try FileContents.readRegular(path))
    response.fields.add("ETag", tag)
    return response
  }
}
