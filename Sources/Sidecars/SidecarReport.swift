import FilterGraph
import Filters
import FrameCore

/// The edit kept beside a photo; `safelight recipe show --json`, and the commands that change edits, print a list of
/// these.
public struct SidecarReport: JSONReport {
  /// The path of the photo, as it was given.
  public var file: String
  /// The sidecar; nil if there is none, or none any more. Its files are not loaded.
  public var contents: RecipeSidecar?
  /// The flags of `safelight edit` that give the same edit; nil if there are none, or no edit.
  public var flags: String?
  /// Whether the photo is not the one that the edit was made for.
  public var isPhotoChanged: Bool
  /// What became of the settings of another program; nil if none were imported. Its lists stand in the report's own
  /// JSON.
  public var imported: ImportedSettings?

  public init(
    _ photo: String, _ contents: RecipeSidecar?, flags: String?, isPhotoChanged: Bool = false,
    imported: ImportedSettings? = nil
  ) {
    file = photo
    (self.contents, self.flags, self.isPhotoChanged) = (contents, flags, isPhotoChanged)
    self.imported = imported
  }
}

/// The keys of the sidecar's own JSON stand beside those of the report. Without a sidecar only `file` is there, with
/// a `recipe` of null.
extension SidecarReport {
  private enum CodingKeys: String, CodingKey {
    case file, engine, photo, recipe, history
    case sidecar, photoChanged, flags
    case exact, approximate, ignored
  }

  /// - Throws: `SafelightError` if the recipes in it have filters that are not in the standard catalog.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    file = try container.decode(String.self, forKey: .file)
    if container.contains(.exact) { imported = try ImportedSettings(from: decoder) }
    isPhotoChanged = try container.decodeIfPresent(Bool.self, forKey: .photoChanged) ?? false
    flags = try container.decodeIfPresent(String.self, forKey: .flags)
    guard container.contains(.sidecar) else { return }
    var object = try JSONObject(JSONValue(from: decoder), path: "the edit of \(file)")
    contents = try RecipeSidecar(&object, catalog: .standard)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encodeIfPresent(imported?.exact, forKey: .exact)
    try container.encodeIfPresent(imported?.approximate, forKey: .approximate)
    try container.encodeIfPresent(imported?.ignored, forKey: .ignored)
    guard let contents else { return try container.encodeNil(forKey: .recipe) }
    try container.encode(contents.engine, forKey: .engine)
    try container.encode(contents.photo, forKey: .photo)
    try container.encode(contents.recipe.map(RecipeSidecar.value), forKey: .recipe)
    try container.encode(contents.history.map(RecipeSidecar.value), forKey: .history)
    try container.encode(RecipeSidecar.path(forPhoto: file), forKey: .sidecar)
    try container.encode(isPhotoChanged, forKey: .photoChanged)
    try container.encode(flags, forKey: .flags)
  }
}
