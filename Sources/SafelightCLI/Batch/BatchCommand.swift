import ArgumentParser
import Safelight

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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

  @Option(help: ArgumentHelp("Format of the results (keep|jpeg|png|tiff|webp)", valueName: "format"))
  var format: BatchFormat = .keep

  @Option(help: ArgumentHelp("Quality of JPEG and WebP (1…100)", valueName: "number"))
  var quality: Int = 92

  @Option(
    help: ArgumentHelp(
      "Lower the quality of JPEG and WebP where files would be larger, such as 2MB", valueName: "size"),
    transform: BatchOptionText.bytes)
  var maxBytes: Int?

  @Option(
    help: ArgumentHelp("What is kept of EXIF, XMP and IPTC (keep|strip-gps|strip)", valueName: "policy"))
  var metadata: MetadataPolicy = .keep

  @Option(help: ArgumentHelp("Write whose the photos are into them", valueName: "text"))
  var copyright: String?

  @Option(help: ArgumentHelp("Colour space of the results", valueName: "space"))
  var colorSpace: OutputColorSpace = .keep

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

  @Option(help: .hidden)
  var worker: Int32?

  mutating func validate() throws {
    guard (1...100).contains(quality) else {
      throw ValidationError("quality is \(quality), outside its range; give a value in 1…100.")
    }
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("jobs is \(jobs), outside its range; give a value in 1…256.")
    }
  }

  func run() throws {
    if let worker {
      try WorkerService.run(LocalBatchEditor(try settings()), parent: worker, memory: nil)
      return
    }
    // What cannot start is told before any file is made.
    do {
      try runBatch()
    } catch let error as SafelightError {
      Output.note("Error: \(error)")
      throw ExitCode(2)
    }
  }

  /// How photos are edited, the same in every process that was given these flags.
  private func settings() throws -> LocalBatchEditor.Settings {
    let edit = edit
    // Read once, so that what cannot be read is told at once, and the same for every photo.
    let shared = edit.needsPhoto ? nil : try edit.resolve(nil).recipe
    var export = PhotoExport()
    export.quality = quality
    export.colorSpace = colorSpace
    export.maximumBytes = maxBytes
    export.metadata = metadata
    export.copyright = copyright
    return LocalBatchEditor.Settings(export: export) { input in try shared ?? edit.resolve(input).recipe }
  }

  private func runBatch() throws {
    let inputs = try BatchInputs(names(), recursive: recursive, output: output)
    let settings = try settings()
    let naming = BatchNaming(
      template: try name ?? NameTemplate("{stem}{ext}"), format: format.fileFormat, preset: edit.edit.name,
      conflict: onConflict)
    let fingerprint = try edit.resolve(nil).recipe.fingerprint(
      options: [
        format.rawValue, edit.automaticText, "\(quality)", "\(maxBytes ?? 0)", colorSpace.rawValue,
        metadata.rawValue, copyright ?? "",
      ])
    let options = BatchRun.Options(
      naming: naming, edit: fingerprint, jobs: jobs ?? Self.cores, memory: memory, resumes: resume)
    let reporter = BatchReporter(inputs)
    guard !inputs.photos.isEmpty else {
      for problem in inputs.problems.dropFirst() { Output.note("Error: \(problem)") }
      throw inputs.problems.first
        ?? SafelightError(
          .file, "There are no photos at \(self.inputs.joined(separator: ", "))",
          remedy: "name photos or folders that hold some")
    }
    let command = IsolatedBatchEditor.Command(
      executable: "/proc/self/exe",
      arguments: Array(CommandLine.arguments.dropFirst()) + ["--worker", "\(getpid())"])
    let isIsolated = isolate
    let run = BatchRun(to: output, options) {
      isIsolated ? IsolatedBatchEditor(command) as any BatchEditor : LocalBatchEditor(settings)
    }
    guard !dryRun else {
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
    if let json { try reporter.write(report, to: json) }
    if report.entries.count < report.total { throw ExitCode(130) }
    if report.count(.failed) > 0 || !inputs.problems.isEmpty { throw ExitCode(1) }
  }

  /// What was named, with a list on standard input in the place of `-`.
  private func names() throws -> [String] {
    guard inputs.filter({ $0 == "-" }).count <= 1 else {
      throw SafelightError(.invalidValue, "- is given twice", remedy: "standard input can be read once")
    }
    return try inputs.flatMap { name in
      name == "-" ? BatchInputs.names(inList: try FileContents.read("/dev/stdin")) : [name]
    }
  }

  private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}

/// `--format`.
enum BatchFormat: String, ExpressibleByArgument, CaseIterable {
  case keep, jpeg, png, tiff, webp

  /// Nil keeps that of each photo.
  var fileFormat: PhotoFileFormat? { PhotoFileFormat(rawValue: rawValue) }
}

extension BatchConflict: ExpressibleByArgument {}
extension MetadataPolicy: ExpressibleByArgument {}

/// Texts of options of `batch` that are no enumerations.
enum BatchOptionText {
  static func template(_ text: String) throws -> NameTemplate {
    do {
      return try NameTemplate(text)
    } catch let error as SafelightError {
      throw ValidationError(error.description)
    }
  }

  /// Bytes: `2GB`, `800MB`, `512MiB`, `1000000`.
  static func bytes(_ text: String) throws -> Int {
    let units: [(String, Double)] = [
      ("KIB", 1024), ("MIB", 1_048_576), ("GIB", 1_073_741_824), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9),
      ("K", 1e3), ("M", 1e6), ("G", 1e9), ("B", 1), ("", 1),
    ]
    let upper = text.uppercased()
    guard let (suffix, scale) = units.first(where: { upper.hasSuffix($0.0) }),
      let number = Double(upper.dropLast(suffix.count)), number > 0, number * scale < 1e15
    else { throw ValidationError("a size is needed; write it like 2GB or 800MB.") }
    return Int(number * scale)
  }
}
