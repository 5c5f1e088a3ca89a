import ArgumentParser
import Safelight

/// Writes the manual pages, which `make install` puts in their place.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Writes manual pages of all commands into a folder.",
    discussion: """
      Example:
        safelight manual man1/
      """,
    shouldDisplay: false)

  @Argument(
    help: ArgumentHelp("The folder to write to; made if it is missing", valueName: "dir"),
    completion: .directory)
  var folder: String

  func run() throws {
    try Folder.makeWithParents(folder)
    for page in ManualPage.all(of: SafelightCommand.self) {
      // An installation replaces the pages of the one before.
      try FileContents.write(
        Array(page.text.utf8), to: FileContents.path(page.fileName, in: folder), overwrite: true)
    }
  }
}
