import ArgumentParser
import Safelight

struct RecipeClearCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Removes the edits of photos.",
    discussion: """
      The history is kept, and “recipe undo” restores an edit. --history removes the
      history too, and with it the file beside the photo; this cannot be undone.

      Examples:
        safelight recipe clear harbour.jpg
        safelight recipe clear shoot/ --history
      """)

  @OptionGroup
  var photos: SidecarPhotos

  @Flag(help: "Remove the history too")
  var history = false

  @OptionGroup
  var verbosity: VerbosityOptions

  func run() throws {
    try photos.each(edited: true) { photo in
      if history {
        try RecipeSidecar.remove(forPhoto: photo)
      } else {
        try RecipeSidecar.clear(forPhoto: photo, warn: Output.warning)
      }
      Output.done("\(photo)  no edit")
    }
  }
}
