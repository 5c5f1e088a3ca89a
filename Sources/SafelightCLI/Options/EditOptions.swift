import ArgumentParser
import Safelight

extension RecipePart: ExpressibleByArgument {}

/// The options that define an edit; shared by all commands that take one.
struct EditOptionGroup<Reserved: ReservedFlags>: ParsableArguments {
  @Option(
    help: ArgumentHelp("A look; see “safelight presets”", valueName: "name"),
    completion: .list(PresetLibrary.ids))
  var preset: String?

  @Option(
    help: ArgumentHelp(
      "A recipe file, or - for standard input; see “safelight presets show”", valueName: "file.json"),
    completion: .file())
  var recipe: String?

  @Option(help: ArgumentHelp("Use a part of the recipe file", valueName: "part"))
  var only: RecipePart?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How much of the preset or table to apply (0…100; default: 100)", valueName: "percent")
  )
  var strength: Double?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Filters where a mask is, such as 'linear 0.5,0.6 0.5,0.3: exposure -1, saturation 20'; may be repeated, see “safelight mask”",
      valueName: "MASK: FILTERS"),
    transform: MaskedFilters.init)
  var masked: [MaskedFilters] = []

  @OptionGroup
  var filters: FilterFlags<Reserved>

  mutating func validate() throws {
    preset = try preset.map(PresetLibrary.checkedName)
    if only != nil, recipe == nil {
      throw ValidationError("--only has no effect without --recipe; give both or neither.")
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
  var isEmpty: Bool { preset == nil && recipe == nil && masked.isEmpty && !filters.isGiven }

  /// Names of the flags that were given, without dashes.
  var givenNames: [String] {
    let own = [
      ("preset", preset != nil), ("recipe", recipe != nil), ("only", only != nil),
      ("strength", strength != nil), ("masked", !masked.isEmpty),
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

  /// The edit that the options ask for.
  var edit: Edit {
    var edit = Edit(
      recipeFile: recipe == "-" ? FileContents.standardInput : recipe, part: only, preset: preset,
      strength: strength ?? 100, values: filters.parameterValues)
    edit.groups = masked.map(\.group)
    return edit
  }
}

/// A group as `--masked` takes it.
struct MaskedFilters: Decodable, Sendable {
  let text: String
  let group: Group

  init(_ text: String) throws { (self.text, group) = (text, try Group(text)) }

  init(from decoder: any Decoder) throws { try self.init(decoder.singleValueContainer().decode(String.self)) }
}

extension PresetLibrary {
  /// Returns the preset's own name for a spelling in any case, with spaces or underscores instead of hyphens.
  ///
  /// - Throws: `ValidationError` that suggests the nearest preset if there is none of this name.
  static func checkedName(_ name: String) throws -> String {
    if let id = id(named: name) ?? PresetFolder.standard?.id(named: name) { return id }
    throw ValidationError(unknown(name, own: PresetFolder.standard?.ids ?? []).description)
  }
}

extension FileSnapshot {
  /// A snapshot that reports on standard error what it is waiting for.
  static var telling: FileSnapshot { FileSnapshot { Output.note("\($0) …") } }
}
