import ArgumentParser
import Safelight

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Edits many photos into a folder; goes on where it was stopped.",
    discussion: """
      Originals are never touched. Photos are edited in processes of their own, so
      that a damaged one costs nobody else. The output folder keeps a journal, with
      which --resume goes on after an interruption. It replaces its own results where
      a photo or the edit has changed. All other files that are there, such as results
      that somebody has changed since, or that another command has made, go by
      --on-conflict. The files of --json and --contact-sheet replace those of an
      earlier run, and others with --overwrite.

      Names are given before photos are decoded, so {width} and {height} do not go
      with --straighten auto.

      With --watch, photos are edited when they are completely written, until Ctrl-C,
      which finishes those at work and leaves those that wait to the next run. What
      the journal has as done is not edited again.

      Exit codes: 0 all photos were edited or skipped, 1 some failed or the disk is
      full, 2 nothing could start, 64 the flags make no sense, 130 stopped by Ctrl-C
      before the end. Ctrl-C is the usual end of --watch: 0, or 1 where photos failed.

      Examples:
        safelight batch shoot/ -o edited/ --preset warm-film
        safelight batch shoot/ -o web/ --max-size 2048 --color-space srgb
        safelight batch *.jpg -o out/ --name '{date:%Y%m%d}-{index:04}{ext}'
        find . -name '*.jpg' -print0 | safelight batch - -o out/ --preset noir
        safelight batch shoot/ -o edited/ --preset warm-film --resume
        safelight batch shoot/ -o edited/ --recipe mine.json --only color
        safelight batch shoot/ -o edited/ --auto all --json report.json
        safelight batch shoot/ -o edited/ --contact-sheet sheet.jpg
        safelight batch --retry-failed report.json -o edited/ --auto all
        safelight batch --watch incoming/ -o edited/ --preset warm-film
      """)

  @Argument(
    help: ArgumentHelp("Photos, folders, patterns, or - for a list on standard input", valueName: "in"),
    completion: .file())
  var inputs: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder to write to; made if it is missing", valueName: "dir"),
    completion: .directory)
  var output: String

  @Option(
    help: ArgumentHelp("Edit what comes into a folder, as it comes", valueName: "dir"),
    completion: .directory)
  var watch: String?

  @Option(
    help: ArgumentHelp(
      "Edit the photos that failed there or were not reached, as --json wrote it", valueName: "report.json"),
    completion: .file())
  var retryFailed: String?

  @Flag(help: "Look into folders in folders, and keep their structure")
  var recursive = false

  @OptionGroup(title: "Edit")
  var edit: PhotoEditOptions

  @OptionGroup(title: "Results")
  var results: ResultOptions<PlainResultFlags>

  @OptionGroup
  var sampling: InterpolationOption

  @OptionGroup(title: "Before and after")
  var comparison: ComparisonOptionGroup

  @OptionGroup(title: "Batch")
  var options: BatchOptions

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    let sources = [
      inputs.isEmpty ? nil : "photos", watch.map { _ in "--watch" },
      retryFailed.map { _ in "--retry-failed" },
    ]
    .compactMap(\.self)
    guard sources.count == 1 else {
      throw ValidationError(
        sources.isEmpty
          ? "Missing what to edit; name photos or folders, or give --watch or --retry-failed."
          : "\(sources.joined(separator: " and ")) exclude each other; give one of them.")
    }
    try edit.edit.checkStandardInput(besides: inputs)
    if watch != nil, options.dryRun {
      throw ValidationError("--watch and --dry-run exclude each other; give one of them.")
    }
    // Photos are named before any of them is decoded.
    if edit.straighten == .automatic, options.name?.needsSize == true {
      throw ValidationError(
        "{width} and {height} are not known before photos are looked at, as --straighten auto does; leave one of them out."
      )
    }
  }

  func run() throws {
    let (edit, export) = (edit, export)
    try BatchSession(
      options: options, results: results, output: output, editName: edit.edit.name,
      settings: { files in
        let shared = try edit.resolve(nil, in: files).recipe
        var settings = LocalBatchEditor.Settings(
          export: export, format: results.format.fileFormat
        ) { _ in shared }
        if edit.needsPhoto {
          settings.recipeFinding = { try edit.resolve(sample: PhotoSample($0), in: files).recipe }
        }
        return settings
      },
      fingerprint: { files in
        let fingerprint = try edit.resolve(nil, in: files).recipe.fingerprint(
          options: [edit.automaticText] + export.fingerprintOptions, in: files)
        return { _ in fingerprint }
      },
      command: "batch",
      otherInputs: [
        retryFailed.map { .init(path: $0, role: "the report of --retry-failed") },
        inputs.contains("-") ? .init(path: "/dev/stdin", role: "the list of photos") : nil,
      ].compactMap(\.self),
      watch: { try hotFolder }
    ).run(photos)
  }

  private var export: PhotoExport {
    var export = results.export
    export.interpolation = sampling.interpolation
    export.comparison = comparison.options
    return export
  }

  private var hotFolder: HotFolder? {
    get throws { try watch.map { try HotFolder($0, recursive: recursive, output: output) } }
  }

  private func photos() throws -> BatchInputs {
    guard let retryFailed else {
      return try BatchInputs(arguments: inputs, recursive: recursive, output: output)
    }
    let failed = try BatchReport(contentsOf: retryFailed).failedPhotos
    guard !failed.isEmpty else {
      Output.note("\(retryFailed) has no photos that failed; there is nothing to do")
      throw ExitCode.success
    }
    return BatchInputs(failed)
  }
}
