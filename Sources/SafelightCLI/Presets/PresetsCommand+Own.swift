import ArgumentParser
import Safelight

extension PresetsCommand {
  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "save", abstract: "Keeps a look of your own.",
      usage: "safelight presets save <name> <file>",
      discussion: """
        The file is a photo, whose edit is kept without its crop and its masks; a
        recipe; or a table, such as a .cube or .clf file. A look of the same name is
        replaced.

        Examples:
          safelight presets save 'Harbour Dusk' harbour.jpg
          safelight presets save 'Harbour Dusk' mine.json
          safelight presets save 'Old Slide' slide.cube
        """)

    @Argument(help: "The look's name")
    var name: String

    @Argument(help: ArgumentHelp("A photo, a recipe or a table", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup
    var verbosity: VerbosityOptions

    func run() throws {
      let folder = try PresetsCommand.folder()
      let preset: Preset
      switch file.split(separator: ".").last?.lowercased() {
      case let ending?
      where ["cube", "3dl", "csp", "look", "clf", "cc", "ccc", "cdl", "icc", "icm"].contains(ending):
        preset = try folder.save(table: FileContents.read(file), as: name, fileExtension: ending)
      case let ending?
      where ["png", "tif", "tiff"].contains(ending)
        && FileContents.kind(of: RecipeSidecar.path(forPhoto: file)) == .missing:
        throw SafelightError(
          .unsupported, "\(file) has no edit, and tables in pictures are not kept as looks",
          remedy: "of a Hald make a .cube first, with “safelight recipe to-lut --lut \(file) -o look.cube”")
      case "json":
        preset = try folder.save(
          try Recipe(contentsOf: file).locatingFiles(besideRecipe: file), as: name)
      case _:
        preset = try folder.save(
          try RecipeSidecar.recipe(forPhoto: file, acceptChanged: true), as: name)
      }
      Output.done("\(preset.id)  \(folder.path)/\(preset.id).json")
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Removes a look of your own.",
      discussion: """
        Edits that use it keep their look: they have its filters, not its name alone.

        Example:
          safelight presets remove harbour-dusk
        """)

    @Argument(help: "The look's name", completion: .list(PresetFolder.standard?.ids ?? []))
    var name: String

    @OptionGroup
    var verbosity: VerbosityOptions

    func run() throws {
      let folder = try PresetsCommand.folder()
      try folder.remove(folder.id(named: name) ?? name)
    }
  }

  static func folder() throws -> PresetFolder {
    guard let folder = PresetFolder.standard else {
      throw SafelightError(
        .file, "There is no folder for your own looks", remedy: "set HOME to your home folder")
    }
    return folder
  }
}
