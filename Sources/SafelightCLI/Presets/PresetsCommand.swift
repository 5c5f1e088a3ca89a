import ArgumentParser
import Safelight

struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets",
    abstract: "Lists, shows and previews looks, and keeps your own.",
    discussion: """
      Your own looks are recipes in ~/.config/safelight/presets. They work by their
      names wherever the shipped ones do, also in the studio.

      Examples:
        safelight presets
        safelight presets list --family slide
        safelight presets show teal-orange
        safelight presets sheet harbour.jpg -o looks.jpg
        safelight presets save 'Harbour Dusk' harbour.jpg
        safelight presets save 'Old Slide' slide.cube
        safelight presets import lightroom-presets/
        safelight presets export noir -o noir.xmp
      """,
    subcommands: [
      List.self, Show.self, Sheet.self, Save.self, Import.self, Export.self, Rename.self, Remove.self,
    ],
    defaultSubcommand: List.self)

  struct Sheet: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sheet", abstract: "Writes a contact sheet of one photo in every look.",
      usage: "safelight presets sheet [<options>] <photo> -o <out>",
      discussion: """
        Example:
          safelight presets sheet harbour.jpg -o looks.jpg --strength 60
        """)

    @Argument(help: ArgumentHelp("The photo", valueName: "photo"), completion: .file())
    var input: String

    @Option(
      name: .shortAndLong, help: ArgumentHelp("The file to write", valueName: "out"), completion: .file())
    var output: String

    @Option(
      parsing: .unconditional, help: ArgumentHelp("Strength of the looks (0…100)", valueName: "percent"))
    var strength: Double = 100

    @Option(name: .customLong("size"), help: ArgumentHelp("Long edge of each picture", valueName: "px"))
    var longEdge: Int = 480

    @OptionGroup
    var files: OverwriteOption

    @Flag(help: "Print what was done as JSON")
    var json = false

    @OptionGroup
    var verbosity: VerbosityOptions

    mutating func validate() throws {
      guard (0...100).contains(strength) else {
        throw ValidationError(
          "strength is \(PlainNumber.text(strength)), outside its range; give a value in 0…100 %.")
      }
      guard (64...2048).contains(longEdge) else {
        throw ValidationError("size is \(longEdge), outside its range; give a value in 64…2048 px.")
      }
    }

    func run() throws {
      if FileContents.areSame(input, output) {
        throw SafelightError(
          .invalidValue, "\(output) is the photo itself", remedy: "write the sheet to another name")
      }
      var outputs = OutputFiles(overwrite: files.overwrite)
      try outputs.write(output, "-o")
      var watch = Stopwatch()
      let photo = try watch.measure("decode") { try Photo(contentsOf: input) }
      let sheet = try watch.measure("render") {
        try PresetSheet.render(photo, longEdge: longEdge, strength: strength / 100)
      }
      let notes = try watch.measure("encode") {
        let writer = try PhotoWriter(
          to: output, size: sheet.size, tags: sheet.tags, overwrite: files.overwrite)
        try writer.write(sheet)
        try writer.finish()
        return writer.warnings
      }
      let warnings = photo.warnings + notes
      if json {
        return try Output.json(
          PresetSheetReport(sheet.size, writtenTo: output, seconds: watch.total, warnings: warnings))
      }
      for warning in warnings { Output.warning(warning) }
      Output.done("\(output)  \(sheet.size)  \(Output.steps(watch.steps, total: watch.total))")
    }
  }
}
