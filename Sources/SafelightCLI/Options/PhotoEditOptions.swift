import ArgumentParser
import Safelight

/// The filters' flags that commands for stored photos declare themselves, because these also accept `auto`.
enum PhotoReservedFlags: ReservedFlags {
  static let names: Set<String> = ["straighten"]
}

/// The options that define an edit of a stored photo, including values found in it.
struct PhotoEditOptions: ParsableArguments {
  @OptionGroup
  var edit: EditOptionGroup<PhotoReservedFlags>

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Clockwise turn that levels the picture (-45…45 °; 0 is neutral), or auto: by its horizon, if that is sure",
      valueName: "°|auto"),
    completion: .list(["auto"]), transform: Straightening.init)
  var straighten: Straightening?

  @Option(
    help: ArgumentHelp(
      "Make lines upright and level, where that is sure: auto, vertical, level or full (with the level lines seen best)",
      valueName: "which"),
    completion: .list(Upright.allCases.map(\.rawValue)), transform: Upright.init)
  var upright: Upright?

  @Option(
    help: ArgumentHelp(
      "Undo what the lens did: auto (that which the photo names), off, or a name in Lensfun's database (default: auto for raws, off for others)",
      valueName: "auto|off|NAME"),
    completion: .list(["auto", "off"]), transform: LensChoice.init)
  var lens: LensChoice?

  @Option(
    name: .customLong("auto"),
    help: ArgumentHelp(
      "Values to find in the photo: exposure, white-balance, tone, separated by commas, or all; they replace the recipe's values, and flags override them",
      valueName: "list"),
    completion: .list(["all"] + AutoValues.Kind.allCases.map(\.rawValue)), transform: AutoValues.Kind.list)
  var autoLists: [[AutoValues.Kind]] = []

  /// The edit that the options ask for.
  var asked: Edit {
    var asked = edit.edit
    asked.straighten = straighten
    asked.upright = upright
    asked.lens = lens
    asked.auto = Set(autoLists.joined())
    return asked
  }
}

extension PhotoEditOptions {
  /// Rejects a lens where pictures are not yet photos that name one.
  func refuseLens() throws {
    guard lens == nil || lens == .off else {
      throw ValidationError("--lens is for photos that are stored; give it to safelight edit afterwards.")
    }
  }
}

extension Edit {
  /// What is to be found in each photo, as text.
  var automaticText: String {
    ([
      straighten == .automatic ? "straighten" : "", upright.map { "upright-\($0.rawValue)" } ?? "",
      lens.map { "lens-\($0.text)" } ?? "",
    ]
      + AutoValues.Kind.allCases.filter(auto.contains).map(\.rawValue)).joined(separator: ",")
  }
}

extension FoundValues {
  /// Prints what was found on standard error.
  ///
  /// - Parameter photo: the photo, if there may be more than one.
  func printNotes(in photo: String? = nil) {
    for line in lines { Output.note((photo.map { $0 + ": " } ?? "") + line) }
  }
}

extension AutoValues.Kind {
  /// - Parameter text: names separated by commas, or `all`.
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
