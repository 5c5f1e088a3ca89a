import FilterGraph
import FrameCore
import Synchronization

/// A named recipe, applied at a given strength: one that ships with Safelight, or one's own.
public struct Preset: Sendable {
  /// The name on command lines: `teal-orange`.
  public let id: String
  /// The recipe with its files loaded, ready to render. Use `portableRecipe` for files and for edits beside
  /// photos.
  public let recipe: Recipe

  /// Whether it is one's own, whose files are named relative to the working directory.
  public let isOwn: Bool

  package init(id: String, recipe: Recipe) { (self.id, self.recipe, isOwn) = (id, recipe, false) }

  package init(own id: String, _ recipe: Recipe) { (self.id, self.recipe, isOwn) = (id, recipe, true) }

  /// The display name: `Teal & Orange`.
  public var name: String { recipe.name.isEmpty ? id : recipe.name }
  public var description: String { recipe.description }
  /// Its family, when to use it, and its tags.
  public var labels: RecipeLabels { recipe.labels }
}

/// The looks of `presets/`, embedded in the program.
public enum PresetLibrary {
  /// The ids of the shipped presets, in alphabetical order.
  public static var ids: [String] {
    ShippedFiles.paths.compactMap { path in
      guard path.hasPrefix("looks/"), path.hasSuffix(".json") else { return nil }
      return String(path.dropFirst("looks/".count).dropLast(".json".count))
    }.sorted()
  }

  /// The shipped presets as lists and sheets show them: family by family, each in alphabetical order.
  public static func byFamily() throws -> [Preset] { try descriptions().map { try preset($0.preset) } }

  /// What lists tell of the shipped presets, in the order of `byFamily`. Their tables are not read: that takes 6 ms each.
  public static func descriptions() throws -> [PresetDescription] { try described.get() }

  private static let described = Result {
    let places = LookFamily.allCases.map(\.rawValue)
    func place(_ preset: PresetDescription) -> Int {
      places.firstIndex(of: preset.family) ?? places.count
    }
    return try ids.map { id in
      let path = "looks/\(id).json"
      let json = try JSONValue(parsing: Array(json(of: id).utf8), file: path)
      return PresetDescription(Preset(id: id, recipe: try Recipe(json, at: path, catalog: .standard)))
    }.sorted { (place($0), $0.preset) < (place($1), $1.preset) }
  }

  /// Returns the id for a name in any case, with spaces or underscores in place of hyphens; nil if unknown.
  public static func id(named name: String) -> String? {
    let id = String(name.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 })
    return ids.contains(id) ? id : nil
  }

  /// Returns a shipped preset, its tables loaded.
  ///
  /// - Parameter name: as for `id(named:)`.
  /// - Throws: `SafelightError` that suggests the nearest preset if there is none of this name.
  public static func preset(_ name: String) throws -> Preset {
    let id = id(named: name) ?? name
    if let known = loaded.withLock({ $0[id] }) { return known }
    let preset = try load(id)
    loaded.withLock { $0[id] = preset }
    return preset
  }

  /// Those used so far: reading a table takes 6 ms, too long for each step of a slider.
  private static let loaded = Mutex<[String: Preset]>([:])

  private static func load(_ id: String) throws -> Preset {
    let path = "looks/\(id).json"
    guard let bytes = ShippedFiles.contents(ofPath: path) else {
      throw unknown(id)
    }
    let recipe = try Recipe(json: bytes, file: path, catalog: .standard) { name in
      guard let contents = ShippedFiles.contents(ofPath: Preset.path(ofFile: name)) else {
        throw SafelightError(.corruptData, "The preset \(id) names \(name), which is not shipped")
      }
      return contents
    }
    return Preset(id: id, recipe: recipe)
  }

  /// The error for a name that no preset has.
  ///
  /// - Parameter own: the ids of one's own presets.
  package static func unknown(_ name: String, own: [String] = []) -> SafelightError {
    guard !name.contains("/") else {
      return SafelightError(
        .invalidValue, "“\(NearestName.shortened(name))” is no preset: their names have no “/”",
        remedy:
          "give a file of your own as a recipe (--recipe), or keep it first: safelight presets save NAME FILE"
      )
    }
    return NearestName.error(unknown: "preset", name, among: ids + own)
  }

  /// Returns all shipped presets, in the order of their ids.
  public static func all() throws -> [Preset] { try ids.map(preset) }

  /// Returns the JSON text of a shipped preset, as in `presets/looks`.
  public static func json(of id: String) throws -> String {
    guard let bytes = ShippedFiles.contents(ofPath: "looks/\(id).json") else {
      throw unknown(id)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Preset {
  /// Returns the path in `presets/` of a file that a look names relative to `presets/looks`.
  fileprivate static func path(ofFile name: String) -> String {
    name.hasPrefix("../") ? String(name.dropFirst(3)) : "looks/" + name
  }

  /// The recipe with its files named as in `ShippedFiles`, so that its JSON works wherever it is saved; one's own names
  /// its files as `recipe` does.
  public var portableRecipe: Recipe {
    guard !isOwn else { return recipe }
    return recipe.mapFiles { name in
      name.hasPrefix(ShippedFiles.prefix) ? name : ShippedFiles.prefix + Self.path(ofFile: name)
    }
  }
}
