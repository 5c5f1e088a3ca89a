import ArgumentParser
import Safelight

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs a batch for a command, from its inputs to its exit code; the same program does the work of the processes that the
/// photos are edited in.
struct BatchSession {
  let options: BatchOptions
  let results: ResultOptions
  /// The output folder.
  let output: String
  /// What `{preset}` stands for.
  let editName: String?
  /// How photos are edited, the same in every process that was given the same flags.
  let settings: () throws -> LocalBatchEditor.Settings
  /// Identifies the edit of a photo, with all that decides its result.
  let fingerprint: () throws -> @Sendable (_ input: String) throws -> String

  /// - Parameter inputs: called unless this process is one that another batch edits photos in.
  func run(_ inputs: () throws -> BatchInputs) throws {
    if let parent = options.worker {
      try WorkerService.run(LocalBatchEditor(settings()), parent: parent, memory: nil)
      return
    }
    // What cannot start is told before any file is made.
    do {
      try edit(inputs())
    } catch let error as SafelightError {
      Output.note("Error: \(error)")
      throw ExitCode(2)
    }
  }

  private func edit(_ inputs: BatchInputs) throws {
    try results.format.fileFormat?.requireEncoder(toWrite: "photos to \(output)")
    let settings = try settings()
    let naming = BatchNaming(
      template: try options.name ?? NameTemplate("{stem}{ext}"), format: results.format.fileFormat,
      preset: editName, conflict: options.onConflict)
    let run = BatchRun(
      to: output,
      BatchRun.Options(
        naming: naming, edit: try fingerprint(), jobs: options.jobCount, memory: options.memory,
        resumes: options.resume)
    ) { [isolate = options.isolate] in
      isolate ? IsolatedBatchEditor(Self.worker) as any BatchEditor : LocalBatchEditor(settings)
    }
    let reporter = BatchReporter(inputs)
    guard !inputs.photos.isEmpty else {
      for problem in inputs.problems.dropFirst() { Output.note("Error: \(problem)") }
      throw inputs.problems.first
        ?? SafelightError(
          .file, "There are no photos among what was named", remedy: "name photos or folders that hold some")
    }
    guard !options.dryRun else {
      reporter.listing(try run.plan(inputs.photos))
      return
    }
    let signals = try Signals()
    let report = try run.run(inputs.photos) { progress in
      if signals.wait(seconds: 0) != nil {
        reporter.stopping()
        run.stop()
      }
      reporter.tick(progress)
    }
    reporter.end(report)
    if let json = options.json { try reporter.write(report, to: json) }
    if report.entries.count < report.total { throw ExitCode(130) }
    if report.count(.failed) > 0 || !inputs.problems.isEmpty { throw ExitCode(1) }
  }

  /// This program with the same arguments, as a worker.
  private static var worker: IsolatedBatchEditor.Command {
    IsolatedBatchEditor.Command(
      executable: "/proc/self/exe",
      arguments: Array(CommandLine.arguments.dropFirst()) + ["--worker", "\(getpid())"])
  }
}

extension BatchInputs {
  /// - Parameter arguments: names, of which one may be `-` for a list on standard input.
  init(arguments: [String], recursive: Bool, output: String?) throws {
    guard arguments.filter({ $0 == "-" }).count <= 1 else {
      throw SafelightError(.invalidValue, "- is given twice", remedy: "standard input can be read once")
    }
    let names = try arguments.flatMap { name in
      name == "-" ? BatchInputs.names(inList: try FileContents.read("/dev/stdin")) : [name]
    }
    self.init(names, recursive: recursive, output: output)
  }
}
