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
    completion: .list(["auto"]), transform: Straightening.init)
  var straighten: Straightening?

  @Option(
    name: .customLong("auto"),
    help: ArgumentHelp(
      "Values to find in the photo: exposure, white-balance, tone, with commas, or all; replaces those values of the recipe; flags win",
      valueName: "list"),
    completion: .list(["all"] + AutoValues.Kind.allCases.map(\.rawValue)), transform: AutoValues.Kind.list)
  var autoLists: [[AutoValues.Kind]] = []

  /// What is to be found, of all lists that were given; nil where none was.
  var auto: [AutoValues.Kind]? {
    guard !autoLists.isEmpty else { return nil }
    return AutoValues.Kind.allCases.filter(autoLists.joined().contains)
  }

  /// Whether nothing is asked for.
  var isEmpty: Bool { edit.isEmpty && straighten == nil && auto == nil }

  /// Whether the photo has to be looked at.
  var needsPhoto: Bool { auto != nil || straighten == .automatic }

  /// What is found in each photo, as text.
  var automaticText: String {
    ([straighten == .automatic ? "straighten" : ""] + (auto ?? []).map(\.rawValue)).joined(separator: ",")
  }

  /// The edit for a photo, and what was found in it.
  ///
  /// - Parameters:
  ///   - input: the photo's path; nil where there is none, and nothing is to be found.
  ///   - base: an edit that this one is joined to.
  ///   - files: where the recipe and its tables are remembered, so that they are read once.
  func resolve(
    _ input: String?, onto base: Recipe? = nil, in files: FileSnapshot = .telling
  ) throws -> (recipe: Recipe, found: FoundValues?) {
    try resolve(
      sample: needsPhoto ? input.map { try PhotoSample(contentsOf: $0) } : nil, onto: base, in: files)
  }

  /// The edit for a photo, and what was found in it.
  ///
  /// - Parameter sample: the photo; nil if nothing is to be found.
  func resolve(
    sample: PhotoSample?, onto base: Recipe? = nil, in files: FileSnapshot = .telling
  ) throws -> (recipe: Recipe, found: FoundValues?) {
    var values: AutoValues?
    var recipe = try edit.makeRecipe(onto: base, in: files) { own in
      var given: [any Filter] = []
      if case .degrees(let angle)? = straighten { given.append(Straighten(angle)) }
      guard let sample, let auto else { return given }
      let found = try AutoValues(sample, finding: Set(auto), joining: own, given: edit.filters.apply)
      own = own.removing(Set(auto))
      values = found
      return given + found.filters
    }
    guard let sample else { return (recipe, nil) }
    let straightening = straighten == .automatic ? AutoStraightening(sample, joining: recipe) : nil
    if let straightening { recipe = straightening.joined(to: recipe) }
    let found = FoundValues(straightening: straightening, kinds: auto ?? [], values: values) {
      !edit.filters.isGiven($0)
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
