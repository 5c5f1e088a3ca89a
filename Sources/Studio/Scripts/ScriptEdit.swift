import Safelight
import WebServer

/// A change of a photo's edit by a script.
enum ScriptEdit: Sendable {
  /// The two forms of one edit, which have one tag.
  enum Form {
    /// What `safelight edit --recipe` takes: a list of filters.
    case recipe
    /// What the page has: values by the parameters' flags, over a look.
    case values
  }

  /// The whole edit as a recipe.
  case recipe(JSONValue)
  /// A merge patch (RFC 7396) for the values. Not for the recipe: its filters are a list, which a merge patch can only
  /// replace as a whole.
  case patch(JSONValue)

  // MARK: Reading

  /// The edit beside a photo; empty if there is none. Its files are named as beside the photo, and not loaded.
  ///
  /// - Throws: `ScriptRefusal` if the photo is gone; `SafelightError` if the edit cannot be read.
  static func recipe(of entry: StudioPhotos.Entry) throws -> Recipe {
    try entry.checkFile()
    return try RecipeSidecar.read(forPhoto: entry.path)?.recipe ?? Recipe()
  }

  static func tag(of recipe: Recipe) -> String { ScriptCondition.tag(of: recipe.json()) }

  /// - Throws: `SafelightError` if the edit cannot be told.
  static func response(_ recipe: Recipe, as form: Form, _ condition: ScriptCondition) throws -> WebResponse {
    let text =
      switch form {
      case .recipe: recipe.json()
      case .values: try StudioEdit(recipe).json.text
      }
    return condition.response(text, tag: tag(of: recipe))
  }

  // MARK: Changing

  /// In which a change is answered.
  var form: Form {
    switch self {
    case .recipe: .recipe
    case .patch: .values
    }
  }

  /// Nothing has changed: no step.
  private struct Same: Error {
    let sidecar: RecipeSidecar?
  }

  /// Makes the change one step of the history of the edit beside a photo.
  ///
  /// - Returns: the edit, changed or as it was.
  /// - Throws: `ScriptRefusal` or `SafelightError`, with nothing changed.
  func save(_ entry: StudioPhotos.Entry, if condition: ScriptCondition) throws -> RecipeSidecar? {
    try entry.checkFile()
    do {
      return try RecipeSidecar.save(forPhoto: entry.path) { before in
        let old = before?.recipe ?? Recipe()
        let new = try recipe(after: old, entry)
        // What would be refused anyway is refused for what is wrong with it (RFC 9110, §13.2.1).
        try condition.check(Self.tag(of: old))
        guard new.namingFiles(besidePhoto: entry.path).json() != old.json() else {
          throw Same(sidecar: before)
        }
        return (new, .set)
      }
    } catch let same as Same {
      return same.sidecar
    }
  }

  /// The new edit, its files loaded.
  private func recipe(after old: Recipe, _ entry: StudioPhotos.Entry) throws -> Recipe {
    switch self {
    case .recipe(let json):
      let recipe = try Recipe(json, at: "recipe", catalog: .standard)
      try Self.checkFiles(recipe, knownIn: old)
      return try recipe.loadingFiles(besidePhoto: entry.path)
    case .patch(let patch):
      let edit = try StudioEdit(StudioEdit(old).json.merged(with: patch))
      try Self.checkFiles(Recipe(filters: edit.base.filters + edit.groups), knownIn: old)
      return try edit.recipe(forPhoto: entry.path, in: FileSnapshot())
    }
  }

  /// Scripts may be on other machines: they name no file that is elsewhere than the photo, unless the edit has it already.
  private static func checkFiles(_ recipe: Recipe, knownIn old: Recipe) throws {
    let known = Set(old.files.map(\.name))
    for name in recipe.files.map(\.name) where !known.contains(name) && !name.hasPrefix(ShippedFiles.prefix) {
      guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
        throw SafelightError(
          .unsupported,
          "The edit names the file \(NearestName.shortened(name)), which is not in the photo's folder",
          remedy: "put the table there, or keep it as a look with PUT /api/v1/presets/NAME")
      }
    }
  }
}

extension StudioPhotos.Entry {
  /// - Throws: `ScriptRefusal` if the photo is gone.
  func checkFile() throws {
    guard FileContents.kind(of: path) == .file else { throw ScriptRefusal.noPhoto }
  }
}

extension JSONValue {
  /// Returns this value changed by a merge patch. Source: RFC 7396, §2.
  func merged(with patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var fields: [String: JSONValue] = [:]
    if case .object(let own) = self { fields = own }
    for (key, change) in changes {
      fields[key] = change == .null ? nil : (fields[key] ?? .null).merged(with: change)
    }
    return .object(fields)
  }
}
