import ArgumentParser
import Safelight

struct RecipeCopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copies the edit of one photo to others.",
    usage: "safelight recipe copy [<options>] <from> <to> ...",
    discussion: """
      Everything is copied, including crop and straightening, which rarely fit
      another photo. With --only color the others keep their own geometry, with
      --only geometry their own colours. With --parts they get the named parts alone,
      as the studio pastes them: look, light, color, detail, effects, crop, rotation,
      masks. Replaced edits go into the history: “recipe undo” restores them.

      Examples:
        safelight recipe copy harbour.jpg pier.jpg quay.jpg
        safelight recipe copy harbour.jpg shoot/ --only color
        safelight recipe copy harbour.jpg shoot/ --parts light,color
      """)

  @Argument(
    help: ArgumentHelp("The photo whose edit is copied", valueName: "from"), completion: .file())
  var source: String

  @Argument(
    help: ArgumentHelp("Photos, folders, patterns, or - for a list on standard input", valueName: "to"),
    completion: .file())
  var targets: [String]

  @Option(help: ArgumentHelp("Copy only a part of the edit", valueName: "part"))
  var only: RecipePart?

  @Option(
    help: ArgumentHelp("Copy only these parts, such as light,color", valueName: "parts"),
    completion: .list(EditPart.allCases.map(\.rawValue)), transform: Self.parts)
  var parts: Set<EditPart>?

  @Flag(help: "Print the edits as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    guard only == nil || parts == nil else {
      throw ValidationError("--only and --parts exclude each other; leave one out.")
    }
  }

  /// `light,color`
  private static func parts(_ text: String) throws -> Set<EditPart> {
    let words = text.split(separator: ",").map(String.init)
    do {
      let parts = try words.map(EditPart.init(named:))
      guard !parts.isEmpty else {
        throw ValidationError("parts is empty; name some, such as light,color.")
      }
      return Set(parts)
    } catch let error as SafelightError {
      throw ValidationError("\(error)")
    }
  }

  func run() throws {
    let original = try RecipeSidecar.require(forPhoto: source)
    guard let own = original.recipe else {
      throw SafelightError(
        .file, "The edit of \(source) was removed", remedy: "restore it with “safelight recipe undo”")
    }
    try SidecarReport.warnIfChanged(source, original)
    let recipe = try own.loadingFiles(besidePhoto: source)
    try SidecarReport.printing(json) { reports in
      try SidecarPhotos.each(of: targets) { photo in
        // A folder may hold the photo itself.
        guard !FileContents.areSame(photo, source) else { return }
        let sidecar = try RecipeSidecar.save(forPhoto: photo, source: source, warn: Output.warning) { there in
          (try part(of: recipe, for: photo, with: there), .copied)
        }
        reports.append(SidecarReport(photo, sidecar))
        if !json { Output.done("\(photo)  \(RecipeText.line(sidecar.recipe))") }
      }
    }
  }

  /// Returns the edit that a photo gets.
  private func part(of recipe: Recipe, for photo: String, with sidecar: RecipeSidecar?) throws -> Recipe {
    if let parts {
      if let sidecar { try SidecarReport.warnIfChanged(photo, sidecar) }
      let kept = try sidecar?.recipe?.loadingFiles(besidePhoto: photo) ?? Recipe()
      return try kept.taking(parts, from: recipe)
    }
    guard let only, let sidecar else {
      switch only {
      case nil: return recipe
      case .color: return recipe.colorOnly
      case .geometry: return recipe.geometryOnly
      }
    }
    try SidecarReport.warnIfChanged(photo, sidecar)
    let kept = try sidecar.recipe?.loadingFiles(besidePhoto: photo) ?? Recipe()
    switch only {
    case .color: return kept.geometryOnly.then(recipe.colorOnly)
    case .geometry: return recipe.geometryOnly.then(kept.colorOnly)
    }
  }
}
