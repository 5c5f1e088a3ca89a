import ArgumentParser
import Safelight
import Libc

/// Runs a batch for a command, from its inputs to its exit code; the same program also runs as the worker
/// processes in which photos are edited.
struct BatchSession {
  let options: BatchOptions
  let results: ResultOptions<PlainResultFlags>
  /// The output folder.
  let output: String
  /// The value of `{preset}`.
  let editName: String?
  /// How photos are edited: the same in every process with the same flags and files.
  let settings: (_ files: FileSnapshot) throws -> LocalBatchEditor.Settings
  /// Returns an identifier of the edit of a photo, which covers everything that determines its result.
  let fingerprint: (_ files: FileSnapshot) throws -> @Sendable (_ input: String) throws -> String
  /// The command that makes the results, as recorded in the journal.
  let command: String
  /// The other files named for this run, besides photos and the edit, with their roles.
  var otherInputs: [OutputFiles.Input] = []
  /// Returns further files that are read for a photo, such as its edit.
  var companions: (_ photo: String) -> [String] = { _ in [] }
  /// Returns a folder whose photos are edited as they arrive, instead of inputs.
  var watch: () throws -> HotFolder? = { nil }
  /// The value of `{preset}` if photos have individual edits.
  var editNameOfPhoto: (@Sendable (_ path: String) -> String?)?

  /// - Parameter inputs: called unless this process is a worker of another batch, or a folder is watched.
  func run(_ inputs: () throws -> BatchInputs) throws {
    if let parent = options.worker {
      let files = try options.workerFiles.map(FileSnapshot.init(contentsOf:)) ?? .telling
      var settings = try settings(files)
      let renderer = try options.backend.request.makeRenderer(threads: 1, jobs: options.jobCount)
      settings.renderer = { renderer }
      try WorkerService.run(LocalBatchEditor(settings), hello: WorkerHello(edit: command), parent: parent)
      return
    }
    // Errors that prevent the start are reported before any file is made.
    do {
      // Before codecs start threads, which would take the signals.
      let signals = try Signals(isHeld: false)
      // Read once, by this process, for all photos: unreadable files are reported at once.
      let files = FileSnapshot.telling
      var settings = try settings(files)
      let fingerprint = try fingerprint(files)
      let known = try checkTargets(files)
      let request = try options.backend.request
      let jobs = try request.jobs(of: options.jobCount, isolated: options.isolate)
      if !options.isolate {
        // Shared by all jobs, so that a GPU is opened once.
        let renderer = try request.makeRenderer(threads: 1, jobs: jobs)
        settings.renderer = { renderer }
      }
      let spool = options.isolate ? try files.spool() : nil
      defer { withExtendedLifetime(spool) {} }
      let editor: @Sendable () -> any BatchEditor = {
        [
          isolate = options.isolate, bounds = options.bounds(jobs: jobs),
          path = spool?.path, settings
        ] in
        isolate
          ? IsolatedBatchEditor(Self.worker(files: path), bounds: bounds) { request.prefersGPU(jobs: jobs) }
            as any BatchEditor
          : LocalBatchEditor(settings)
      }
      if let folder = try watch() {
        try edit(BatchInputs([]), known, fingerprint, editor, jobs, signals, watching: folder)
      } else {
        let inputs = try inputs()
        let trials = BatchTrials(request, jobs: jobs)
        defer { trials?.finish() }
        try edit(inputs, known, fingerprint, editor, jobs, signals, trials: trials.map { ($0, settings) })
      }
    } catch let error as SafelightError {
      Output.note("Error: \(error.forCommandLine)")
      // The same exit code as if the disk becomes full later.
      throw ExitCode(error.code == .noSpace ? 1 : 2)
    }
  }

  /// Checks at the start that the files written at the end can be written.
  ///
  /// - Returns: the files that the run reads and writes besides photos and results.
  private func checkTargets(_ files: FileSnapshot) throws -> OutputFiles {
    try results.format.fileFormat?.requireEncoder(toWrite: "photos to \(output)")
    if let sheet = options.contactSheet { _ = try BatchContactSheet(path: sheet) }
    var known = OutputFiles(overwrite: options.overwrite)
    known.read(files.paths, "a file of this edit")
    for input in otherInputs { known.read(input.path, input.role) }
    let journal = BatchJournal.fileName(of: options.shard)
    known.read(FileContents.path(journal, in: output), "the journal of \(output)")
    for path in [options.contactSheet, options.json] {
      guard let path, path != "-" else { continue }
      let name = path.split(separator: "/").last ?? ""
      guard !(name.hasPrefix(".safelight-batch") && name.hasSuffix(".jsonl")) else {
        throw SafelightError(.invalidValue, "\(path) is the name of a journal", remedy: "give another name")
      }
    }
    // Whether they replace something is checked when the photos are known, none of which any option may replace.
    if let sheet = options.contactSheet { try known.write(sheet, "--contact-sheet") { _ in true } }
    if let json = options.json, json != "-" {
      try known.write(json, "--json") { _ in true }
      try FileContents.checkWritable(json)
    }
    if let sheet = options.contactSheet { try FileContents.checkWritable(sheet) }
    return known
  }

  private func edit(
    _ inputs: BatchInputs, _ known: OutputFiles,
    _ fingerprint: @escaping @Sendable (_ input: String) throws -> String,
    _ editor: @escaping @Sendable () -> any BatchEditor, _ jobs: Int, _ signals: Signals,
    watching folder: HotFolder? = nil, trials: (BatchTrials, LocalBatchEditor.Settings)? = nil
  ) throws {
    var naming = BatchNaming(
      template: try options.name ?? NameTemplate("{stem}{ext}"), format: results.format.fileFormat,
      preset: editName, conflict: options.conflict)
    naming.presetOfPhoto = editNameOfPhoto
    var settings = BatchRun.Options(
      naming: naming, edit: fingerprint, jobs: jobs, memory: options.memory,
      resumes: options.resume || folder != nil)
    settings.command = command
    settings.shard = options.shard
    settings.otherInputs = known.inputs.map(\.path) + inputs.photos.flatMap { companions($0.path) }
    let run = BatchRun(to: output, settings, editor: editor)
    let reporter = BatchReporter(inputs, options: options, watched: folder?.path)
    guard !inputs.photos.isEmpty || folder != nil else { return try endWithoutPhotos(inputs, reporter) }
    try refuseReplacing(inputs, known)
    guard !options.dryRun else { return try list(run.plan(inputs.photos), inputs, reporter) }
    signals.hold()
    if let (trials, settings) = trials { trials.start(inputs.photos.map(\.path), settings, beside: run) }
    var report = try run.run(inputs.photos, more: folder.map { folder in { try folder.takePhotos() } }) {
      if signals.wait(seconds: 0) != nil {
        reporter.stopping()
        run.stop()
      }
      for note in (folder?.takeNotes() ?? []) + (trials?.0.takeNotes() ?? []) { reporter.warn(note) }
      reporter.tick($0)
    }
    // The rest may take a while: another Ctrl-C ends it.
    signals.release()
    reporter.end(report)
    if let folder { reporter.tell(incomplete: folder.incomplete) }
    var isFailed = report.count(.failed) > 0 || !inputs.problems.isEmpty
    if let sheet = options.contactSheet {
      isFailed = try !reporter.drawSheet(report, in: output, to: BatchContactSheet(path: sheet)) || isFailed
    }
    if !inputs.problems.isEmpty { report.unusable = inputs.problems.map(\.description) }
    do {
      try reporter.write(report, in: output)
    } catch let error as SafelightError {
      // The photos have been edited nevertheless.
      Output.note("Error: \(error.forCommandLine)")
      isFailed = true
    }
    if report.problem != nil {
      throw ExitCode(report.results.isEmpty && report.isDiskFull != true ? 2 : 1)
    }
    // A watch does not end by itself: photos waiting when it is stopped are left to the next one.
    if report.count(.left) > 0, folder == nil { throw ExitCode(130) }
    if isFailed { throw ExitCode(1) }
  }

  private func endWithoutPhotos(_ inputs: BatchInputs, _ reporter: BatchReporter) throws {
    for problem in inputs.problems.dropFirst() { Output.note("Error: \(problem)") }
    throw inputs.problems.first
      ?? SafelightError(
        .file, "There are no photos among the inputs", remedy: "name photos or folders that contain some")
  }

  private func list(
    _ results: [BatchRun.PlannedResult], _ inputs: BatchInputs, _ reporter: BatchReporter
  ) throws {
    try reporter.listing(results)
    if results.contains(where: { $0.action == .fail }) || !inputs.problems.isEmpty { throw ExitCode(1) }
  }

  /// Rejects reports and sheets that would replace an original or another input.
  private func refuseReplacing(_ inputs: BatchInputs, _ known: OutputFiles) throws {
    if let sheet = options.contactSheet {
      try BatchContactSheet(path: sheet).check(
        forAtMost: inputs.photos.count, originals: inputs.photos.map(\.path),
        others: known.inputs.map(\.path), overwrite: options.overwrite)
    }
    // Only existing files can be replaced.
    let targets = [options.json, options.contactSheet].compactMap(\.self).filter(FileContents.isRegular)
    for path in targets where path != "-" {
      for photo in inputs.photos {
        guard !FileContents.areSame(photo.path, path) else {
          throw SafelightError(
            .invalidValue, "\(path) is an original, \(photo.path)", remedy: "give another name")
        }
        guard !companions(photo.path).contains(where: { FileContents.areSame($0, path) }) else {
          throw SafelightError(
            .invalidValue,
            "\(path) is a file of the edit of \(photo.path), and inputs are never replaced",
            remedy: "give another name")
        }
      }
    }
    if let json = options.json, json != "-", !options.overwrite, FileContents.isRegular(json),
      options.shard != nil && !options.resume || !BatchReport.isReport(json)
    {
      throw OutputFiles.exists(json)
    }
  }

  /// Returns the command that starts this program with the same arguments as a worker.
  ///
  /// - Parameter files: where it finds the files named by the arguments.
  private static func worker(files: String?) -> IsolatedBatchEditor.Command {
    let arguments = CommandLine.arguments.dropFirst()
    // After the subcommand: what follows a `--` would be photos.
    return IsolatedBatchEditor.Command(
      executable: "/proc/self/exe",
      arguments: arguments.prefix(1) + ["--worker", "\(getpid())"]
        + (files.map { ["--worker-files", $0] } ?? []) + arguments.dropFirst())
  }
}
