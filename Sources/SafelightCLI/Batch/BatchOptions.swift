import ArgumentParser
import Safelight

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The options that say where results go and how a batch runs.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How results are named: {stem} {ext} {preset} {index:04} {date:%Y-%m-%d} {camera} {width} {height}",
      valueName: "template"), transform: BatchOptionText.template)
  var name: NameTemplate?

  @Option(
    help: ArgumentHelp("What to do where a name is taken (skip|overwrite|rename|fail)", valueName: "way"))
  var onConflict: BatchConflict = .fail

  @Option(help: ArgumentHelp("Photos at a time (default: one a core)", valueName: "number"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp("What photos at work may take together, such as 2GB or 800MB", valueName: "size"),
    transform: BatchOptionText.bytes)
  var memory = 2_000_000_000

  @Flag(help: "Go on where the last run into this folder ended")
  var resume = false

  @Flag(help: "Say what would be written, and write nothing")
  var dryRun = false

  @Option(help: ArgumentHelp("Write what was done to a file as JSON", valueName: "report.json"))
  var json: String?

  @Flag(inversion: .prefixedNo, help: "Whether photos are edited in processes of their own")
  var isolate = true

  /// The process that asks this one to edit photos for it.
  @Option(help: .hidden)
  var worker: Int32?

  mutating func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("jobs is \(jobs), outside its range; give a value in 1…256.")
    }
  }

  var jobCount: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
