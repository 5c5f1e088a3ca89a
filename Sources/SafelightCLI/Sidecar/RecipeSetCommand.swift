import ArgumentParser
import Safelight

struct RecipeSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Makes or replaces the edits of photos.",
    discussion: """
      A previous edit goes into the history. --add joins the new edit to it, as
      “edit --recipe” joins flags to a recipe: exposures add up, and a crop applies
      to the cropped picture. Automatic values are found for each photo and kept as
      numbers.

      Examples:
        safelight recipe set harbour.jpg --exposure 0.3 --crop 4:5
        safelight recipe set shoot/*.jpg --preset warm-film --strength 70
        safelight recipe set shoot/ --auto all --straighten auto
        safelight recipe set harbour.jpg --add --saturation 10
        safelight recipe set harbour.jpg --recipe mine.json
      """)

  @OptionGroup
  var photos: SidecarPhotos

  @Flag(help: "Join the edit to the existing one instead of replacing it")
  var add = false

  @OptionGroup(title: "Edit")
  var edit: PhotoEditOptions

  @Flag(help: "Print the edits as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    guard !edit.asked.isEmpty else {
      throw ValidationError(
        "Missing what to do; give flags such as --exposure 0.3, --preset or --recipe. “recipe clear” removes an edit."
      )
    }
    try edit.edit.checkStandardInput(besides: photos.photos)
  }

  func run() throws {
    // Unreadable files are reported once, before any photo.
    let (files, edit) = (FileSnapshot.telling, edit.asked)
    if !edit.needsPhoto { _ = try edit.recipe(in: files) }
    try SidecarReport.printing(json) { reports in
      try photos.each { photo in
        var found: FoundValues?
        let sidecar = try RecipeSidecar.save(forPhoto: photo, warn: Output.warning) { there in
          let before = add ? there : nil
          if let before { try SidecarReport.warnIfChanged(photo, before) }
          let base = try before?.recipe?.loadingFiles(besidePhoto: photo)
          let resolved = try edit.resolve(photo, onto: base, in: files)
          found = resolved.found
          return (resolved.recipe, before?.recipe == nil ? .set : .added)
        }
        if !json { found?.printNotes(in: photo) }
        reports.append(SidecarReport(photo, sidecar))
        if !json { Output.done("\(photo)  \(RecipeText.line(sidecar.recipe))") }
      }
    }
  }
}
