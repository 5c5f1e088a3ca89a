import ArgumentParser
import Safelight

struct RecipeUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undoes the last change to the edits of photos.",
    discussion: """
      Repeat it to go back step by step. Undoing the first change removes the file
      beside the photo.

      Example:
        safelight recipe undo harbour.jpg
      """)

  @OptionGroup
  var photos: SidecarPhotos

  @Flag(help: "Print the edits as JSON")
  var json = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    try SidecarReport.printing(json, steppingThrough: photos) {
      try RecipeSidecar.undo(forPhoto: $0, warn: Output.warning)
    }
  }
}
