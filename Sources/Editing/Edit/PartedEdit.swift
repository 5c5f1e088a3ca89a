import Files
import FilterGraph
import Filters
import FrameCore
import Sidecars

/// The edit of a photo in its parts: controls with values, over a look, over whatever has no control.
///
/// The recipe of an edit is `base`, then the look at its strength, then the values, then the groups, as `Edit` joins
/// them. Splitting that recipe gives the same edit.
package struct PartedEdit: Sendable {
  /// A preset, shipped or one's own.
  package struct Look: Sendable, Hashable {
    package var preset: String
    /// In percent, 0…100.
    package var strength: Double

    package init(preset: String, strength: Double) { (self.preset, self.strength) = (preset, strength) }
  }

  /// Filters that no control shows, such as a second exposure or a table of one's own; their files are named as beside the
  /// photo.
  package var base = Recipe()
  package var look: Look?
  /// Of parameters with a flag.
  package var values = ParameterValues()
  package var groups: [Group] = []

  package init() {}

  /// Whether it does nothing.
  package var isEmpty: Bool { base.filters.isEmpty && look == nil && values.values.isEmpty && groups.isEmpty }

  /// Returns the recipe, its files loaded.
  ///
  /// - Parameters:
  ///   - photo: the path of the photo.
  ///   - files: keeps tables from call to call.
  /// - Throws: `SafelightError` if a value is wrong, or if a file cannot be read.
  package func recipe(forPhoto photo: String, in files: FileSnapshot) throws -> Recipe {
    try joined(onto: base.loadingFiles(besidePhoto: photo), in: files)
  }

  /// Returns the recipe, its files loaded, where those of `base` are.
  package func recipe(in files: FileSnapshot) throws -> Recipe { try joined(onto: base, in: files) }

  private func joined(onto base: Recipe, in files: FileSnapshot) throws -> Recipe {
    var edit = Edit(preset: look?.preset, strength: look?.strength ?? 100, values: values)
    edit.groups = groups
    return try edit.recipe(onto: base, in: files)
  }

  /// The flags of `safelight edit` for this edit; nil if it has parts that only a recipe can hold.
  package var flags: [String]? {
    guard base.filters.isEmpty, groups.isEmpty else { return nil }
    var words: [String] = []
    if let look {
      words += ["--preset", look.preset]
      if look.strength != 100 { words += ["--strength", PlainNumber.text(look.strength)] }
    }
    for parameter in FilterCatalog.standard.filters.flatMap({ $0.parameters }) {
      guard let flag = parameter.flag, let value = values.values[flag] else { continue }
      words += ["--\(flag)", value.description]
    }
    return words
  }
}

// MARK: From a recipe

extension PartedEdit {
  /// Splits the recipe of a sidecar, whose files need not be loaded.
  package init(_ recipe: Recipe) {
    guard recipe.order == .canonical else {
      base = recipe
      return
    }
    var rest = recipe.filters[...]
    while let group = rest.last as? Group {
      groups.insert(group, at: 0)
      rest.removeLast()
    }
    let found = Self.look(of: recipe, in: rest)
    if !split(rest, around: found) { _ = split(rest, around: nil) }
  }

  /// Splits filters into those without a control, the look and values. Phases order filters anyway, so only within one
  /// must they stay in theirs: what has no control comes first, then the look, then values.
  ///
  /// - Returns: false if a filter without a control has to stay behind the look; then nothing has changed.
  private mutating func split(
    _ filters: ArraySlice<any Filter>, around found: (look: Look, filters: Range<Int>)?
  ) -> Bool {
    let place = found?.filters ?? filters.startIndex..<filters.startIndex
    let phasesOfLook = Set(filters[place].map { type(of: $0).phase })
    var (kept, values) = ([any Filter](), ParameterValues())
    var (keptPhases, kinds) = (Set<FilterPhase>(), Set<FilterID>())
    for index in filters.indices.reversed() where !place.contains(index) {
      let (filter, isBehind) = (filters[index], index >= place.upperBound)
      let (id, phase) = (type(of: filter).id, type(of: filter).phase)
      if isBehind, !keptPhases.contains(phase), !kinds.contains(id), let own = Self.values(of: filter) {
        kinds.insert(id)
        values.values.merge(own) { $1 }
      } else if isBehind && phasesOfLook.contains(phase) {
        return false
      } else {
        kept.insert(filter, at: 0)
        keptPhases.insert(phase)
      }
    }
    (base.filters, self.values, look) = (kept, values, found?.look)
    return true
  }

  /// The values of a filter by their flags; nil if it has some that no control shows.
  private static func values(of filter: any Filter) -> [String: ParameterValue]? {
    var values: [String: ParameterValue] = [:]
    for parameter in type(of: filter).parameters where !parameter.isNeutral(in: filter) {
      guard let flag = parameter.flag else { return nil }
      switch parameter.kind {
      case .number, .choice, .rectangle, .text: values[flag] = parameter.value(in: filter)
      // As a text field has them.
      case .points: values[flag] = .text(parameter.value(in: filter).description)
      case .file, .mask: return nil
      }
    }
    return values
  }

  /// Finds the filters of a preset, which the recipe's name and description tell: `noir at 70 %`.
  private static func look(of recipe: Recipe, in filters: ArraySlice<any Filter>)
    -> (look: Look, filters: Range<Int>)?
  {
    let named = recipe.description.split(separator: ",").last.map(String.init) ?? recipe.description
    let words = named.split(separator: " ").map(String.init)
    guard let name = words.first, let preset = try? PresetLibrary.preset(name, own: .standard) else {
      return nil
    }
    let strength = words.count == 4 && words[1] == "at" ? Double(words[2]) ?? 100 : 100
    let own = preset.portableRecipe.scaled(by: strength / 100).filters.map(Self.json)
    let all = filters.map(Self.json)
    guard !own.isEmpty, own.count <= all.count else { return nil }
    for start in (0...(all.count - own.count)).reversed() where Array(all[start..<start + own.count]) == own {
      let first = filters.startIndex + start
      return (Look(preset: preset.id, strength: strength), first..<first + own.count)
    }
    return nil
  }

  private static func json(_ filter: any Filter) -> String { Recipe(filters: [filter]).json() }
}
