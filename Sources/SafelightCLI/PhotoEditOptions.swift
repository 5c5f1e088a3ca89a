import ArgumentParser
import Safelight

/// The filters' flags that commands on stored photos declare themselves, since they take `auto` there.
enum PhotoReservedFlags: ReservedFlags {
  static let names: Set<String> = ["straighten"]
}

/// The options that say what an edit of a stored photo is: with values that are found in it.
struct PhotoEditOptions: ParsableArguments {
  @OptionGroup
  var edit: EditOptionGroup<PhotoReservedFlags>

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Clockwise turn that levels the picture (-45…45 °; 0 is neutral), or auto: as its horizon says, where that is sure",
      valueName: "°|auto"),
    transform: Straightening.init)
  var straighten: Straightening?

  @Option(
    help: ArgumentHelp(
      "Values to find in the photo: exposure, white-balance, tone, with commas, or all; those given by flags win",
      valueName: "list"),
    transform: AutoValues.Kind.list)
  var auto: [AutoValues.Kind]?

  /// Whether the photo has to be looked at.
  var needsPhoto: Bool { auto != nil || straighten == .automatic }

  /// The edit for a photo, and what was found in it.
  ///
  /// - Parameter input: the photo's path; nil where there is none, and nothing is to be found.
  func resolve(_ input: String?) throws -> (recipe: Recipe, found: FoundValues?) {
    var found: FoundValues?
    let recipe = try edit.makeRecipe { given in
      var base: [any Filter] = []
      if case .degrees(let angle)? = straighten { base.append(Straighten(angle)) }
      guard needsPhoto, let input else { return base }
      let sample = try PhotoSample(contentsOf: input)
      let straightening = straighten == .automatic ? AutoStraightening(sample, joining: given) : nil
      if let angle = straightening?.angle { base.append(Straighten(angle)) }
      let values = try auto.map {
        try AutoValues(sample, finding: Set($0), given: edit.filters.apply)
      }
      found = FoundValues(straightening: straightening, kinds: auto ?? [], values: values) {
        !edit.filters.isGiven($0)
      }
      return base + (values?.filters ?? [])
    }
    return (recipe, found)
  }
}

extension AutoValues.Kind {
  /// - Parameter text: names with commas between, or `all`.
  static func list(_ text: String) throws -> [AutoValues.Kind] {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let kinds = try names.flatMap { name in
      if name == "all" { return allCases }
      guard let kind = Self(rawValue: name) else {
        throw ValidationError(
          NearestName.error(
            unknown: "automatic value", name, among: allCases.map(\.rawValue) + ["all"]
          ).description)
      }
      return [kind]
    }
    return allCases.filter(kinds.contains)
  }
}
