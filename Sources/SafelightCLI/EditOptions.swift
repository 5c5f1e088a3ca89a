import ArgumentParser
import Safelight

/// Which part of an edit is meant.
enum EditPart: String, ExpressibleByArgument, CaseIterable {
  case color, geometry

  func of(_ recipe: Recipe) -> Recipe {
    var part = recipe
    part.filters = (self == .color ? recipe.colorOnly : recipe.geometryOnly).filters
    return part
  }
}

/// The options that define an edit; shared by all commands that take one.
struct EditOptionGroup<Reserved: ReservedFlags>: ParsableArguments {
  @Option(
    help: ArgumentHelp("A shipped look; see “safelight presets”", valueName: "name"),
    completion: .list(PresetLibrary.ids))
  var preset: String?

  @Option(
    help: ArgumentHelp(
      "A recipe file, or - for standard input; see “safelight presets show”", valueName: "file.json"),
    completion: .file())
  var recipe: String?

  @Option(help: ArgumentHelp("Use a part of the recipe file", valueName: "part"))
  var only: EditPart?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much of the preset or table to apply (0…100; default: 100)", valueName: "percent")
  )
  var strength: Double?

  @OptionGroup
  var filters: FilterFlags<Reserved>

  mutating func validate() throws {
    preset = try preset.map(PresetLibrary.checkedName)
    if only != nil, recipe == nil {
      throw ValidationError("--only has no effect without --recipe; give both or none.")
    }
    guard let strength else { return }
    guard (0...100).contains(strength) else {
      throw ValidationError(
        "strength is \(PlainNumber.text(strength)), outside its range; give a value in 0…100 %.")
    }
    guard preset != nil || filters.isLookGiven else {
      throw ValidationError("--strength has no effect without --preset or --lut; give one of them.")
    }
  }

  /// Rejects a recipe from standard input if another input is read from there.
  ///
  /// - Parameter inputs: the command's other inputs, one of which may be `-`.
  func checkStandardInput(besides inputs: [String]) throws {
    guard inputs.contains("-"), recipe == "-" || recipe == FileContents.standardInput else { return }
    throw ValidationError(
      "Standard input can be read once, but the list of photos and --recipe are both to come from it; name a file for --recipe."
    )
  }

  /// Whether no edit was requested.
  var isEmpty: Bool { preset == nil && recipe == nil && !filters.isGiven }

  /// Names of the flags that were given, without dashes.
  var givenNames: [String] {
    let own = [
      ("preset", preset != nil), ("recipe", recipe != nil), ("only", only != nil),
      ("strength", strength != nil),
    ]
    return own.filter(\.1).map(\.0) + filters.givenNames
  }

  /// The name for results of this edit: the preset's, or the recipe's.
  var name: String? {
    guard preset == nil else { return preset }
    return recipe == "-"
      ? nil
      : recipe?.split(separator: "/").last.map { file in
        file.lowercased().hasSuffix(".json") ? String(file.dropLast(5)) : String(file)
      }
  }

  /// The recipe's filters, then the preset's at its strength, then those given by flags.
  ///
  /// - Parameters:
  ///   - base: the recipe that all of it is appended to, as if the recipe file began with it.
  ///   - files: the cache of the recipe and its tables, so that each is read once.
  ///   - found: returns filters for the recipe file's contents, from which it may remove filters; values given by
  ///     flags override these.
  func makeRecipe(
    onto base: Recipe? = nil, in files: FileSnapshot = .telling,
    adding found: (inout Recipe) throws -> [any Filter] = { _ in [] }
  ) throws -> Recipe {
    var edit = base ?? Recipe()
    if let recipe {
      let path = recipe == "-" ? FileContents.standardInput : recipe
      var own: Recipe
      do {
        own = try Recipe(contentsOf: path, in: files).locatingFiles(besideRecipe: path)
      } catch let error as SafelightError
        where error.code != .file && path.lowercased().hasSuffix(".safelight.json")
      {
        throw SafelightError(
          .invalidValue, "\(path) is the edit beside a photo, not a recipe",
          remedy: "use safelight export, or safelight recipe copy")
      }
      if let only { own = only.of(own) }
      // A recipe without a base keeps its name.
      edit = base?.then(own) ?? own
    }
    let foundFilters = try found(&edit)
    let part = (strength ?? 100) / 100
    if let preset {
      edit = edit.then(try PresetLibrary.preset(preset).portableRecipe.scaled(by: part))
      edit.addName(ofPreset: preset, strength: strength ?? 100)
    }
    let given = try filters.filters(lookStrength: part, in: files)
    let merged = try FilterCatalog.all.compactMap { type in
      try foundFilters.first { Swift.type(of: $0) == type }.map(filters.apply)
        ?? given.first { Swift.type(of: $0) == type }
    }
    return edit.then(Recipe(filters: merged))
  }
}

extension Recipe {
  /// Records the preset's name in the recipe, which its filters alone do not show.
  ///
  /// - Parameter strength: the strength in percent.
  fileprivate mutating func addName(ofPreset preset: String, strength: Double) {
    let text = strength == 100 ? preset : "\(preset) at \(PlainNumber.text(strength)) %"
    description = description.isEmpty ? text : "\(description), \(text)"
    guard name != preset else { return }
    name = name.isEmpty ? preset : "\(name)+\(preset)"
  }
}

extension PresetLibrary {
  /// Returns the preset's own name for a spelling in any case, with spaces or underscores instead of hyphens.
  ///
  /// - Throws: `ValidationError` that suggests the nearest preset if there is none of this name.
  static func checkedName(_ name: String) throws -> String {
    if let id = id(named: name) { return id }
    throw ValidationError(NearestName.error(unknown: "preset", name, among: ids).description)
  }
}

extension FileSnapshot {
  /// A snapshot that reports on standard error what it is waiting for.
  static var telling: FileSnapshot { FileSnapshot { Output.note("\($0) …") } }
}
