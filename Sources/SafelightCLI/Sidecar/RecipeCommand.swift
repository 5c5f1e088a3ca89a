import ArgumentParser
import Safelight

struct RecipeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe",
    abstract: "Keeps the edit of a photo in a file beside it; the photo itself never changes.",
    discussion: """
      The edit of harbour.jpg is kept in harbour.jpg.safelight.json: what is done to
      the photo, which photo it was made for, and the last \(RecipeSidecar.historyLimit) changes, which
      can be undone and redone. Move both files together. Tables in or below the photo's
      folder can move with them; others are named by their absolute paths. “safelight
      export” renders edits.

      Examples:
        safelight recipe set harbour.jpg --exposure 0.3 --crop 4:5
        safelight recipe show harbour.jpg
        safelight recipe copy harbour.jpg pier.jpg quay.jpg
        safelight recipe import DSC_0061.xmp
        safelight recipe to-lut harbour.jpg -o harbour.cube
        safelight recipe undo harbour.jpg
        safelight export shoot/ -o edited/
      """,
    subcommands: [
      RecipeSetCommand.self, RecipeShowCommand.self, RecipeCopyCommand.self, RecipeImportCommand.self,
      RecipeToLUTCommand.self, RecipeUndoCommand.self, RecipeRedoCommand.self, RecipeClearCommand.self,
    ])
}
