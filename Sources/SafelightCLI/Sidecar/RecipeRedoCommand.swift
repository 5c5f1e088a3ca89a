import ArgumentParser
import Safelight

struct RecipeRedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Makes the change again that was undone last.",
    discussion: """
      Repeat it to go forward step by step. Any other change of the edit forgets what
      was undone.

      Example:
        safelight recipe redo harbour.jpg
      """)

  @OptionGroup
  var photos: SidecarPhotos

  @Flag(help: "Print the edits as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    try SidecarReport.printing(json, steppingThrough: photos) {
      try RecipeSidecar.redo(forPhoto: $0, warn: Output.warning)
    }
  }
}
