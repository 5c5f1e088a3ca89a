import Safelight

/// What a page needs to know at first.
struct StudioWelcome {
  let photos: StudioPhotos

  init(_ photos: StudioPhotos) { self.photos = photos }

  /// Made once: descriptions do not change while the program runs.
  private static let filters = list(try? FilterCatalog.standard.descriptions.json())
  private static let formats = PhotoFileFormat.allCases.filter(\.isWritable).map { format in
    JSONValue.object([
      "format": .string(format.rawValue), "name": .string(format.name),
      "hasQuality": .bool(format.hasQuality),
    ])
  }

  /// The shipped presets, family by family, then one's own, of which those that cannot be read are left out.
  static var presets: JSONValue {
    let own = PresetFolder.standard.map { folder in folder.ids.compactMap { try? folder.preset($0) } } ?? []
    return list(try? (PresetLibrary.descriptions() + own.map { PresetDescription($0) }).json())
  }

  private static func list(_ json: String?) -> JSONValue {
    json.flatMap { try? JSONValue(parsing: Array($0.utf8), file: "list") } ?? .array([])
  }

  /// The photos that can be opened.
  var list: JSONValue {
    .array(photos.entries.map { .object(["photo": .string($0.id), "name": .string($0.name)]) })
  }

  var fields: [String: JSONValue] {
    [
      "version": .string(SafelightVersion.current), "filters": Self.filters, "presets": Self.presets,
      "formats": .array(Self.formats), "folder": photos.folder.map { .string($0) } ?? .null,
      "photos": list,
      "open": photos.first.map { .string($0.id) } ?? .null,
    ]
  }
}
