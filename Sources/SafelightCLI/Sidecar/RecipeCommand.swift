import ArgumentParser
import Safelight

struct RecipeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe",
    abstract: "Keeps the edit of a photo in a file beside it; the photo itself never changes.",
    discussion: """
      The edit of harbour.jpg is kept in harbour.jpg.safelight.json: what is done to
      the photo, which photo it was made for, and the last \(RecipeSidecar.historyLimit) changes, so that
      steps can be taken back. Move the two together. Tables (.cube) in the photo's
      folder, or below it, may move along; others are named by their absolute paths.
      “safelight export” renders edits.

      Examples:
        safelight recipe set harbour.jpg --exposure 0.3 --crop 4:5
        safelight recipe show harbour.jpg
        safelight recipe copy harbour.jpg pier.jpg quay.jpg
        safelight recipe import DSC_0061.xmp
        safelight recipe undo harbour.jpg
        safelight export shoot/ -o edited/
      """,
    subcommands: [
      RecipeSetCommand.self, RecipeShowCommand.self, RecipeCopyCommand.self, RecipeImportCommand.self,
      RecipeUndoCommand.self, RecipeClearCommand.self,
    ])
}
