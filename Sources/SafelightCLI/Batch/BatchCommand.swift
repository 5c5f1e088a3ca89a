import ArgumentParser
import Safelight

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Edits many photos into a folder; can continue where it was stopped.",
    discussion: """
      Originals are never touched. Photos are edited in separate processes, so that
      a damaged one affects no other. The output folder keeps a journal, with which
      --resume continues after an interruption. --resume replaces its own results if
      the photo or the edit has changed. All other existing files, such as results
      that were changed since or that another command wrote, are treated as
      --on-conflict says. The files of --json and --contact-sheet replace those of an
      earlier run; other files are replaced only with --overwrite.

      Results are named before photos are decoded, so {width} and {height} cannot be
      combined with --straighten auto.

      With --watch, each photo is edited once it is completely written. Ctrl-C
      finishes the photos in progress and leaves the waiting ones to the next run.
      Photos that the journal lists as done are not edited again.

      With --shard, machines that share folders share a batch: each gets the same
      command, and a part of its own. Every part has its own journal, and --resume
      continues it.

      Exit codes: 0 all photos were edited or skipped, 1 some failed or the disk is
      full, 2 nothing could start, 64 the flags are invalid, 130 stopped by Ctrl-C
      before the end. --watch usually ends by Ctrl-C: 0, or 1 if photos failed.

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
        safelight batch shoot/ -o out/ --preset noir --shard 3/16
        safelight batch --watch incoming/ -o edited/ --preset warm-film
      """)

  @Argument(
    help: ArgumentHelp("Photos, folders, patterns, or - for a list on standard input", valueName: "in"),
    completion: .file())
  var inputs: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder to write to; created if missing", valueName: "dir"),
    completion: .directory)
  var output: String

  @Option(
    help: ArgumentHelp("Edit photos as they arrive in a folder", valueName: "dir"),
    completion: .directory)
  var watch: String?

  @Option(
    help: ArgumentHelp(
      "Edit the photos that failed or were not reached, according to a report of --json",
      valueName: "report.json"),
    completion: .file())
  var retryFailed: String?

  @Flag(help: "Include subfolders, and keep their structure")
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
    if watch != nil, options.shard != nil {
      throw ValidationError("--watch and --shard exclude each other; give one of them.")
    }
    if watch != nil, options.dryRun {
      throw ValidationError("--watch and --dry-run exclude each other; give one of them.")
    }
    // Photos are named before any of them is decoded.
    let turns = edit.straighten == .automatic ? "--straighten auto" : edit.upright == nil ? nil : "--upright"
    if let turns, options.name?.needsSize == true {
      throw ValidationError(
        "{width} and {height} are not known until \(turns) has examined the photos; leave one of them out.")
    }
  }

  func run() throws {
    let (asked, export) = (edit.asked, export)
    try BatchSession(
      options: options, results: results, output: output, editName: edit.edit.name,
      settings: { try asked.batchSettings(export, format: results.format.fileFormat, in: $0) },
      fingerprint: { files in
        let fingerprint = try asked.recipe(in: files).fingerprint(
          options: [asked.automaticText] + export.fingerprintOptions, in: files)
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
      Output.note("\(retryFailed) lists no failed photos; there is nothing to do")
      throw ExitCode.success
    }
    return BatchInputs(failed)
  }
}
