import ArgumentParser
import Safelight

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Edits many photos into a folder; goes on where it was stopped.",
    discussion: """
      Originals are never touched. Photos are edited in processes of their own, so that a damaged one costs nobody else.
      The output folder keeps a journal, with which --resume goes on after an interruption.

      Exit codes: 0 all photos were edited or skipped, 1 some failed, 2 nothing could start, 130 stopped by Ctrl-C.

      Examples:
        safelight batch shoot/ -o edited/ --preset warm-film
        safelight batch shoot/ -o web/ --recursive --resize 2048 --format jpeg --quality 85
        safelight batch *.jpg -o out/ --exposure 0.3 --name '{date:%Y%m%d}-{index:04}{ext}'
        find . -name '*.jpg' -print0 | safelight batch - -o out/ --preset noir
        safelight batch shoot/ -o edited/ --preset warm-film --resume
      """)

  @Argument(
    help: ArgumentHelp("Photos, folders, patterns, or - for a list on standard input", valueName: "in"))
  var inputs: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The folder to write to; made if it is missing", valueName: "dir")
  )
  var output: String

  @Flag(help: "Look into folders in folders, and keep their structure")
  var recursive = false

  @OptionGroup(title: "Edit")
  var edit: PhotoEditOptions

  @OptionGroup(title: "Results")
  var results: ResultOptions

  @OptionGroup(title: "Batch")
  var options: BatchOptions

  func run() throws {
    let (edit, results) = (edit, results)
    try BatchSession(
      options: options, results: results, output: output, editName: edit.edit.name,
      settings: {
        // Read once, so that what cannot be read is told at once, and the same for every photo.
        let shared = edit.needsPhoto ? nil : try edit.resolve(nil).recipe
        return LocalBatchEditor.Settings(export: results.export, format: results.format.fileFormat) { input in
          try shared ?? edit.resolve(input).recipe
        }
      },
      fingerprint: {
        let fingerprint = try edit.resolve(nil).recipe.fingerprint(
          options: [edit.automaticText] + results.texts)
        return { _ in fingerprint }
      }
    ).run { try BatchInputs(arguments: inputs, recursive: recursive, output: output) }
  }
}
