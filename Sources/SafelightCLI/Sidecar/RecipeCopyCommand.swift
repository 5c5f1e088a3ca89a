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
      --only geometry their own colours. Replaced edits go into the history:
      “recipe undo” restores them.

      Examples:
        safelight recipe copy harbour.jpg pier.jpg quay.jpg
        safelight recipe copy harbour.jpg shoot/ --only color
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

  @Flag(help: "Print the edits as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

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
