import ArgumentParser
import Safelight

struct RecipeShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Prints the edits of photos and their history.",
    discussion: """
      An edit is printed as the equivalent flags, if there are any. Times are UTC.

      Examples:
        safelight recipe show harbour.jpg
        safelight recipe show shoot/
        safelight recipe show harbour.jpg --json
      """)

  @OptionGroup
  var photos: SidecarPhotos

  @Flag(help: "Print the edits as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    try SidecarReport.printing(json) { reports in
      try photos.each(edited: true) { photo in
        let sidecar = try RecipeSidecar.require(forPhoto: photo)
        let isChanged = try SidecarReport.warnIfChanged(photo, sidecar)
        reports.append(SidecarReport(photo, sidecar, isChanged: isChanged))
        guard !json else { return }
        Output.line(photo)
        if let name = RecipeText.name(sidecar.recipe) { Output.line("  look     \(name)") }
        Output.line("  edit     \(RecipeText.line(sidecar.recipe))")
        for (index, change) in sidecar.history.reversed().enumerated() {
          Output.line("  \(index == 0 ? "history" : "       ")  \(RecipeText.line(change))")
        }
      }
    }
  }
}
