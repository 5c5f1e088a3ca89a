import Safelight

/// Recipes as people read them.
enum RecipeText {
  /// The recipe on a line: flags that give the same edit where there are such, else its filters one after the other.
  static func line(_ recipe: Recipe?) -> String {
    guard let recipe else { return "no edit" }
    if let flags = flags(recipe) { return flags.isEmpty ? "an edit that changes nothing" : flags }
    let order = recipe.order == .listed ? "in this order: " : ""
    return order + recipe.filtersInPlanOrder.map(text).joined(separator: ", ")
  }

  /// What the edit is called, as the preset that it was made of: `noir at 70 %`; nil where it has no name.
  static func name(_ recipe: Recipe?) -> String? {
    guard let recipe, !recipe.name.isEmpty else { return nil }
    // A recipe from a file describes itself in other words.
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
  /// - Returns: nil where there are none: flags give each filter once, and in their own order.
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

  /// A text from a file, without what a terminal would take for commands.
  static func visible(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }

  /// A word as a shell takes it.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-+_./,:@%=".unicodeScalars.contains(scalar)
    }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// What a step in the history did, and what it replaced.
  static func line(_ change: RecipeSidecar.Change) -> String {
    let time = change.time.replacing("T", with: " ").replacing("Z", with: "")
    let source = change.source.map { " from \(visible($0))" } ?? ""
    let replaced = change.replaced.map { ", in place of \(line($0))" } ?? ""
    return "\(time)  \(change.action.rawValue)\(source)\(replaced)"
  }
}
