import ArgumentParser
import Safelight

/// The options for where results go and how a batch runs.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How results are named: {stem} {ext} {preset} {index:04} {date:%Y-%m-%d} {camera} {width} {height} (default: {stem}{ext})",
      valueName: "template"), transform: BatchOptionText.template)
  var name: NameTemplate?

  @Option(
    help: ArgumentHelp(
      "What to do if a name is taken (default: fail)", valueName: "way"))
  var onConflict: BatchConflict?

  @Flag(
    help:
      "Replace existing results (unless --on-conflict says otherwise) and existing --json and --contact-sheet files"
  )
  var overwrite = false

  @Option(help: ArgumentHelp("Photos edited at a time (default: one per core)", valueName: "number"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Memory for all photos in progress together, such as 800MB (default: 2GB)", valueName: "size"),
    transform: BatchOptionText.bytes)
  var memory = 2_000_000_000

  @Flag(help: "Continue where the last run into this folder ended")
  var resume = false

  @Option(
    help: ArgumentHelp(
      "Edit only this part of the photos, such as 3/16: other machines edit the other parts, into the same folder",
      valueName: "K/N"), transform: BatchOptionText.shard)
  var shard: BatchShard?

  @Flag(help: "Print what would be written, and write nothing")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Write what was done (with --dry-run, what would be) as JSON; - writes to standard output",
      valueName: "report.json"),
    completion: .file())
  var json: String?

  @Option(
    help: ArgumentHelp(
      "Draw a contact sheet of all results with their names; on pages sheet-1.jpg, … if one is not enough",
      valueName: "sheet.jpg"),
    completion: .file())
  var contactSheet: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Give up on a photo that takes longer (default: 60, plus 4 for each megapixel decoded or encoded)",
      valueName: "seconds"))
  var timeout: Double?

  @Flag(inversion: .prefixedNo, help: "Whether to edit photos in separate processes")
  var isolate = true

  @OptionGroup
  var backend: BackendOptions

  /// The process that asks this one to edit photos for it, if this is a worker.
  @Option(help: .hidden)
  var worker: Int32?

  /// The files that the parent process has read for this one.
  @Option(help: .hidden)
  var workerFiles: String?

  /// What happens if the name of a result is taken.
  var conflict: BatchConflict { onConflict ?? (overwrite ? .overwrite : .fail) }

  mutating func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("jobs is \(jobs), outside its range; give a value in 1…256.")
    }
    try checkShard()
    if let timeout {
      guard (0.1...1e6).contains(timeout) else {
        throw ValidationError(
          "timeout is \(PlainNumber.text(timeout)), outside its range; give a value in 0.1…1000000 s.")
      }
      guard isolate else {
        throw ValidationError("--timeout has no effect with --no-isolate; leave one of them out.")
      }
    }
  }

  /// Rejects what would make parts replace each other's results: numbers that depend on what others have made, or on which
  /// photos a machine sees.
  private func checkShard() throws {
    guard shard != nil else { return }
    guard onConflict != .rename else {
      throw ValidationError(
        "--on-conflict rename and --shard exclude each other: a free name may be taken by another part; use names that differ."
      )
    }
    guard name?.needsIndex != true || conflict == .fail else {
      throw ValidationError(
        "With --shard, results named by {index} cannot be skipped or replaced: the numbers change with the photos that a machine sees. Leave out {index}, or --on-conflict and --overwrite."
      )
    }
  }

  /// Returns what a photo may cost in a separate process, of which there are `jobs`.
  func bounds(jobs: Int) -> IsolatedBatchEditor.Bounds {
    let share = memory / jobs
    return timeout.map { .init(seconds: $0, secondsPerMegapixel: 0, memory: share) }
      ?? IsolatedBatchEditor.Bounds(memory: share)
  }

  var jobCount: Int { jobs ?? ProcessorCount.usable }
}
