import ArgumentParser
import Safelight
import Libc

/// Runs a batch for a command, from its inputs to its exit code; the same program does the work of the processes that the
/// photos are edited in.
struct BatchSession {
  let options: BatchOptions
  let results: ResultOptions<PlainResultFlags>
  /// The output folder.
  let output: String
  /// What `{preset}` stands for.
  let editName: String?
  /// How photos are edited, the same in every process that was given the same flags and files.
  let settings: (_ files: FileSnapshot) throws -> LocalBatchEditor.Settings
  /// Identifies the edit of a photo, with all that decides its result.
  let fingerprint: (_ files: FileSnapshot) throws -> @Sendable (_ input: String) throws -> String
  /// What makes the results, as the journal knows them.
  let command: String
  /// Files that are named for this run beside photos and the edit, with what each is.
  var otherInputs: [OutputFiles.Input] = []
  /// Files that are read for each photo beside it, such as its edit.
  var companions: (_ photo: String) -> [String] = { _ in [] }
  /// A folder whose photos are edited as they come, in place of inputs.
  var watch: () throws -> HotFolder? = { nil }
  /// What `{preset}` stands for where photos have edits of their own.
  var editNameOfPhoto: (@Sendable (_ path: String) -> String?)?

  /// - Parameter inputs: called unless this process is one that another batch edits photos in, or a folder is watched.
  func run(_ inputs: () throws -> BatchInputs) throws {
    if let parent = options.worker {
      let files = try options.workerFiles.map(FileSnapshot.init(contentsOf:)) ?? .telling
      var settings = try settings(files)
      let renderer = try options.backend.request.makeRenderer(threads: 1, jobs: options.jobCount)
      settings.renderer = { renderer }
      try WorkerService.run(LocalBatchEditor(settings), parent: parent)
      return
    }
    // What cannot start is told before any file is made.
    do {
      // Before codecs start threads, which would take the signals.
      let signals = try Signals(isHeld: false)
      // Read once, by this process, for all photos: what cannot be read is told at once.
      let files = FileSnapshot.telling
      var settings = try settings(files)
      let fingerprint = try fingerprint(files)
      let known = try checkTargets(files)
      let request = try options.backend.request
      let jobs = try request.jobs(of: options.jobCount, isolated: options.isolate)
      if !options.isolate {
        // All jobs share it: a GPU is opened once.
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
      // As where the disk becomes full later.
      throw ExitCode(error.code == .noSpace ? 1 : 2)
    }
  }

  /// What is written at the end must not be found impossible then.
  ///
  /// - Returns: what the run reads and writes beside photos and results.
  private func checkTargets(_ files: FileSnapshot) throws -> OutputFiles {
    try results.format.fileFormat?.requireEncoder(toWrite: "photos to \(output)")
    if let sheet = options.contactSheet { _ = try BatchContactSheet(path: sheet) }
    var known = OutputFiles(overwrite: options.overwrite)
    known.read(files.paths, "a file of this edit")
    for input in otherInputs { known.read(input.path, input.role) }
    known.read(FileContents.path(BatchJournal.fileName, in: output), "the journal of \(output)")
    for path in [options.contactSheet, options.json] {
      guard let path, path != "-" else { continue }
      guard path.split(separator: "/").last.map(String.init) != BatchJournal.fileName else {
        throw SafelightError(.invalidValue, "\(path) is the name of a journal", remedy: "give another name")
      }
    }
    // Whether they replace something is asked when the photos are known, of which no option may replace one.
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
    // What follows may take its time: another Ctrl-C ends it.
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
      // The photos are done all the same.
      Output.note("Error: \(error.forCommandLine)")
      isFailed = true
    }
    if report.problem != nil {
      throw ExitCode(report.results.isEmpty && report.isDiskFull != true ? 2 : 1)
    }
    // A watch has no end of its own: photos that wait when it is told to end are left to the next one.
    if report.count(.left) > 0, folder == nil { throw ExitCode(130) }
    if isFailed { throw ExitCode(1) }
  }

  private func endWithoutPhotos(_ inputs: BatchInputs, _ reporter: BatchReporter) throws {
    for problem in inputs.problems.dropFirst() { Output.note("Error: \(problem)") }
    throw inputs.problems.first
      ?? SafelightError(
        .file, "There are no photos among what was named", remedy: "name photos or folders that hold some")
  }

  private func list(
    _ results: [BatchRun.PlannedResult], _ inputs: BatchInputs, _ reporter: BatchReporter
  ) throws {
    try reporter.listing(results)
    if results.contains(where: { $0.action == .fail }) || !inputs.problems.isEmpty { throw ExitCode(1) }
  }

  /// Reports and sheets must not take the place of an original, nor of what is read beside it.
  private func refuseReplacing(_ inputs: BatchInputs, _ known: OutputFiles) throws {
    if let sheet = options.contactSheet {
      try BatchContactSheet(path: sheet).check(
        forAtMost: inputs.photos.count, originals: inputs.photos.map(\.path),
        others: known.inputs.map(\.path), overwrite: options.overwrite)
    }
    // What does not exist is nobody's.
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
            "\(path) is a file of the edit of \(photo.path), and what is read is never replaced",
            remedy: "give another name")
        }
      }
    }
    if let json = options.json, json != "-", !options.overwrite, FileContents.isRegular(json),
      !BatchReport.isReport(json)
    {
      throw OutputFiles.exists(json)
    }
  }

  /// This program with the same arguments, as a worker.
  ///
  /// - Parameter files: where it finds the files that the arguments name.
  private static func worker(files: String?) -> IsolatedBatchEditor.Command {
    let arguments = CommandLine.arguments.dropFirst()
    // After the subcommand: what follows a `--` would be photos.
    return IsolatedBatchEditor.Command(
      executable: "/proc/self/exe",
      arguments: arguments.prefix(1) + ["--worker", "\(getpid())"]
        + (files.map { ["--worker-files", $0] } ?? []) + arguments.dropFirst())
  }
}
