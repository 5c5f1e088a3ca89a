import Safelight

/// How a page asks for a file.
struct StudioExport: Sendable {
  var format = PhotoFileFormat.jpeg
  var quality = 92
  /// The box that the picture must fit into, in pixels; nil sets no limit.
  var maximumEdge: Int?
  var colorSpace = OutputColorSpace.keep
  var metadata = MetadataPolicy.keep

  /// - Throws: `SafelightError` if an option is unknown or out of range.
  init(_ json: JSONValue?) throws {
    guard let json else { return }
    var fields = try JSONObject(json, path: "options")
    func choice<Value: RawRepresentable & CaseIterable>(_ key: String, _ value: inout Value) throws
    where Value.RawValue == String {
      guard let text = try fields.string(key) else { return }
      guard let known = Value(rawValue: text) else {
        throw NearestName.error(unknown: key, text, among: Value.allCases.map(\.rawValue))
      }
      value = known
    }
    try choice("format", &format)
    try choice("colorSpace", &colorSpace)
    try choice("metadata", &metadata)
    if let number = try fields.number("quality") {
      guard (1...100).contains(number) else {
        throw SafelightError(
          .invalidValue, "The quality is \(PlainNumber.text(number))", remedy: "use 1 to 100")
      }
      quality = Int(number.rounded())
    }
    if let value = fields.value("maxSize") {
      let range = 1...Double(PixelBuffer.maximumEdge)
      guard case .number(let edge) = value, range.contains(edge), edge == edge.rounded() else {
        throw SafelightError(
          .invalidValue, "The largest edge is \(NearestName.shortened(value.line))",
          remedy: "use whole pixels, 1 to \(PixelBuffer.maximumEdge)")
      }
      maximumEdge = Int(edge)
    }
    try fields.refuseUnknownKeys()
  }

  /// The same export as the command line makes it.
  var export: PhotoExport {
    var export = PhotoExport()
    export.format = format
    export.quality = quality
    export.maximumSize = maximumEdge.map { PixelSize(width: $0, height: $0) }
    export.colorSpace = colorSpace
    export.metadata = metadata
    return export
  }

  /// The flags of `safelight edit` for these options.
  var flags: [String] {
    let plain = PhotoExport()
    var words = ["--format", format.rawValue]
    if format.hasQuality, quality != plain.quality { words += ["--quality", "\(quality)"] }
    if let maximumEdge { words += ["--max-size", "\(maximumEdge)"] }
    if colorSpace != .keep { words += ["--color-space", colorSpace.rawValue] }
    if metadata != .keep { words += ["--metadata", metadata.rawValue] }
    return words
  }

  /// Returns a name for the result that no file has: beside the photo, in a folder `edited` of its own.
  static func path(forPhoto photo: String, format: PhotoFileFormat) -> (folder: String, name: String) {
    let folder = FolderListing.path("edited", in: FolderListing.parent(of: photo))
    let file = photo.split(separator: "/").last.map(String.init) ?? photo
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    let suffix = format.pathExtensions.first ?? format.rawValue
    var (name, number) = ("\(stem).\(suffix)", 2)
    while FileContents.kind(of: FolderListing.path(name, in: folder)) != .missing {
      name = "\(stem)-\(number).\(suffix)"
      number += 1
    }
    return (folder, name)
  }
}
