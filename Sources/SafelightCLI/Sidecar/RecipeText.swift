import Safelight

/// Recipes as text for people.
enum RecipeText {
  /// Returns the recipe on one line: the flags that give the same edit if there are any, otherwise its filters
  /// in turn.
  static func line(_ recipe: Recipe?) -> String {
    guard let recipe else { return "no edit" }
    if let flags = flags(recipe) { return flags.isEmpty ? "an edit that changes nothing" : flags }
    let order = recipe.order == .listed ? "in this order: " : ""
    return order + recipe.filtersInPlanOrder.map(text).joined(separator: ", ")
  }

  /// Returns the name of the edit, after the preset that it was made from: `noir at 70 %`; nil if it has none.
  static func name(_ recipe: Recipe?) -> String? {
    guard let recipe, !recipe.name.isEmpty else { return nil }
    // A recipe from a file has a description in its own words.
    let isPreset = recipe.description.hasPrefix(recipe.name) || recipe.name.contains("+")
    return visible(isPreset && !recipe.description.isEmpty ? recipe.description : recipe.name)
  }

  /// `exposure stops 0.3`
  private static func text(_ filter: any Filter) -> String {
    let parameters = type(of: filter).parameters.filter { !$0.isNeutral(in: filter) }
    return ([type(of: filter).id.name] + parameters.map { visible("\($0.name) \($0.value(in: filter))") })
      .joined(separator: " ")
  }

  /// The flags of “recipe set” and “edit” that give the same edit, ready for a shell.
  ///
  /// - Returns: nil if there are none: flags give each filter once, and in their own order.
  static func flags(_ recipe: Recipe) -> String? {
    guard recipe.order == .canonical else { return nil }
    var words: [String] = []
    var rest = recipe.filtersInPlanOrder[...]
    for type in FilterCatalog.all {
      guard let filter = rest.first, Swift.type(of: filter) == type else { continue }
      rest.removeFirst()
      for parameter in type.parameters where !parameter.isNeutral(in: filter) {
        let value = "\(parameter.value(in: filter))"
        // The strength of a table has a flag of its own, which no parameter declares.
        let isStrength = type.phase == .look && parameter.name == "strength"
        guard value == visible(value), let flag = parameter.flag ?? (isStrength ? "strength" : nil) else {
          return nil
        }
        words += ["--\(flag)", quoted(value)]
      }
    }
    return rest.isEmpty ? words.joined(separator: " ") : nil
  }

  /// Returns text from a file, without anything that a terminal would interpret.
  static func visible(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }

  /// Returns a word quoted for a shell.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-+_./,:@%=".unicodeScalars.contains(scalar)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// Describes a step in the history, and what it replaced.
  static func line(_ change: RecipeSidecar.Change) -> String {
    let time = change.time.replacing("T", with: " ").replacing("Z", with: "")
    let source = change.source.map { " from \(visible($0))" } ?? ""
    let replaced = change.replaced.map { ", in place of \(line($0))" } ?? ""
    return "\(time)  \(change.action.rawValue)\(source)\(replaced)"
  }
}
