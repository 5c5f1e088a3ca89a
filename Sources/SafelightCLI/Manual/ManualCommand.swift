import ArgumentParser
import Safelight

/// Writes the man pages that `make install` installs.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Writes man pages for all commands into a folder.",
    discussion: """
      Example:
        safelight manual man1/
      """,
    shouldDisplay: false)

  @Argument(
    help: ArgumentHelp("The folder to write to; created if missing", valueName: "dir"),
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
