import Capture
import Editing
import Files
import FilterGraph
import Filters
import FrameCore
import Sidecars

/// An edit as a deferred photo's manifest has it. The files that it names are kept beside the manifest, so that the
/// photo is finished with what they held when it was taken.
struct StoredEdit: Sendable, Hashable, Codable {
  enum Value: Sendable, Hashable, Codable {
    case number(Double)
    case text(String)
    case points([[Double]])
    /// The text of a mask.
    case mask(String)
  }

  var recipeFile: String?
  var part: RecipePart?
  var preset: String?
  var strength = 100.0
  var values: [String: Value] = [:]
  var straightenDegrees: Float?
  var straightensAutomatically = false
  var upright: Upright?
  var auto: [AutoValues.Kind] = []
  /// The JSON of a recipe with the edit's groups.
  var groups: String?
  /// The JSON of a recipe that stands for all of this.
  var recipe: String?

  init(_ edit: Edit) {
    (recipeFile, part, preset, strength) = (edit.recipeFile, edit.part, edit.preset, edit.strength)
    values = edit.values.values.mapValues { value in
      switch value {
      case .number(let number): .number(number)
      case .text(let text): .text(text)
      case .points(let points): .points(points.map { [$0.x, $0.y] })
      case .mask(let mask): .mask(mask.text)
      }
    }
    groups = edit.groups.isEmpty ? nil : Recipe(filters: edit.groups).json()
    switch edit.straighten {
    case nil: break
    case .automatic?: straightensAutomatically = true
    case .degrees(let degrees)?: straightenDegrees = degrees
    }
    upright = edit.upright
    auto = AutoValues.Kind.allCases.filter(edit.auto.contains)
  }

  init(_ recipe: Recipe) { self.recipe = recipe.json() }

  /// Whether an edit can be like this.
  var isSensible: Bool {
    strength.isFinite && straightenDegrees?.isFinite ?? true
      && groups.map { (try? Self.groups($0, catalog: .standard)) != nil } ?? true
      && values.values.allSatisfy { value in
        switch value {
        case .number(let number): number.isFinite
        case .text, .mask: true
        case .points(let points): points.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isFinite) }
        }
      }
  }

  private static func groups(_ json: String, catalog: FilterCatalog) throws -> [Group] {
    let name = "the photo's groups"
    return try Recipe(JSONValue(parsing: Array(json.utf8), file: name), at: name, catalog: catalog).filters
      .compactMap { $0 as? Group }
  }

  func edit(catalog: FilterCatalog) throws -> Edit {
    var edit = Edit(recipeFile: recipeFile, preset: preset, strength: strength, catalog: catalog)
    edit.part = part
    edit.values = ParameterValues(
      values.mapValues { value in
        switch value {
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        case .points(let points): .points(points.map { SIMD2($0[0], $0[1]) })
        case .mask(let text): .text(text)
        }
      })
    edit.groups = try groups.map { try Self.groups($0, catalog: catalog) } ?? []
    edit.straighten = straightensAutomatically ? .automatic : straightenDegrees.map { .degrees($0) }
    edit.upright = upright
    edit.auto = Set(auto)
    return edit
  }

  /// The recipe that stands for the edit, with its files; nil if there is none.
  ///
  /// - Throws: `SafelightError` if it is damaged, or if a file is not in `files`.
  func wholeRecipe(in files: FileSnapshot, catalog: FilterCatalog) throws -> Recipe? {
    try recipe.map { json in
      try Recipe(
        json: Array(json.utf8), file: "the photo's recipe", catalog: catalog,
        size: { files.size(of: $0) }, read: { try ShippedFiles.contents($0, else: files.readRegular) })
    }
  }

  /// Returns a snapshot with the files of a recipe, as they are on the disk.
  ///
  /// - Throws: `SafelightError` if the recipe could not be made again from its JSON and these files.
  static func files(of recipe: Recipe, catalog: FilterCatalog) throws -> FileSnapshot {
    let files = FileSnapshot()
    guard try StoredEdit(recipe).wholeRecipe(in: files, catalog: catalog) == recipe else {
      throw SafelightError(
        .unsupported, "The look has tables that are not, or no longer, in the files that it names",
        remedy: "make it again of the files")
    }
    return files
  }
}
