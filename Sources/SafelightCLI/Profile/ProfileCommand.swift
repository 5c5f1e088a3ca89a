import Profiling
import ArgumentParser
import Safelight

struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Measures where the time of an edit goes, and how close it is to what the machine can do.",
    discussion: """
      Renders frames of the synthetic scene as fast as it can, and reports the time
      of every stage and how close it comes to copying as many bytes, what each
      filter costs alone and in the plan, how speed grows with threads, and the
      largest frames that keep a rate. Without an edit, a live chain with a filter of
      every kind is measured.

      A run takes about four times --seconds. Measure on an idle machine.

      --compare judges a change against the noise within each run. There is more
      noise between runs: compare several runs of one build with each other, and
      trust only changes that are larger.

      Examples:
        safelight profile --preset teal-orange --straighten 2
        safelight profile --recipe mine.json --input nv12 --size 4K --seconds 10
        safelight profile --exposure 0.5 --saturation 10 --input rgba16 --threads 1
        safelight profile --preset faded --json > before.json
        safelight profile --preset noir --trace trace.json --html noir.html
        safelight profile --startup --preset teal-orange --json
        safelight profile --size 8K --backend vulkan --gpu 0
        safelight profile --compare before.json after.json
      """)

  @OptionGroup(title: "Edit")
  var edit: EditOptionGroup<NoReservedFlags>

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Size of the incoming frames: 480p, 720p, 1080p, 1440p, 4K, 5K, 8K or WxH (default: 1080p)",
      valueName: "size"), transform: ProfileOptionText.size)
  var size: PixelSize?

  // Optional, like all options, because --compare rejects those that are given.
  @Option(
    help: ArgumentHelp(
      "Pixel format of the incoming frames; mjpeg is decoded each time (default: yuyv)", valueName: "format")
  )
  var input: ProfileInput?

  @OptionGroup
  var backend: BackendOptions

  @Option(help: ArgumentHelp("\(InterpolationOption.explanation) (default: sharp)", valueName: "kind"))
  var interpolation: Interpolation?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "CPU threads that render, without a GPU (default: one per core)", valueName: "number"),
    transform: ProfileOptionText.threads)
  var threads: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long whole frames are measured (default: 3)", valueName: "time"),
    transform: ProfileOptionText.seconds)
  var seconds: Double?

  @Flag(help: "Measure from the start of the program to the first live frame instead, step by step")
  var startup = false

  @Flag(help: "Print the profile as JSON")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Also write a trace of some live frames, for ui.perfetto.dev", valueName: "trace.json"),
    completion: .file())
  var trace: String?

  @Option(
    help: ArgumentHelp("Also write the profile as a page with plots", valueName: "report.html"),
    completion: .file())
  var html: String?

  @Flag(help: "Replace existing files")
  var overwrite = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Measure nothing; report what changed between two profiles and whether it exceeds the noise",
      valueName: "before.json> <after.json"),
    completion: .file())
  var compare: [String] = []

  @OptionGroup
  var verbosity: VerbosityOptions

  mutating func validate() throws {
    if threads != nil {
      switch backend.asked {
      case .reference:
        throw ValidationError(
          "--threads has no effect on the reference renderer, which uses every core; leave it out.")
      case .vulkan: throw ValidationError("--threads has no effect on a GPU; leave it out.")
      case .auto, .cpu: break
      }
    }
    if startup {
      let others = [
        ("input", input != nil), ("threads", threads != nil), ("seconds", seconds != nil),
        ("trace", trace != nil), ("html", html != nil), ("overwrite", overwrite),
        ("compare", !compare.isEmpty),
      ].filter(\.1).map { "--" + $0.0 }
      guard others.isEmpty else {
        throw ValidationError("--startup measures starts only; leave out \(others.joined(separator: ", ")).")
      }
    }
    if !compare.isEmpty {
      guard compare.count == 2 else {
        throw ValidationError(
          "--compare takes two profiles, not \(compare.count); write --compare before.json after.json.")
      }
      let names = givenNames.map { "--" + $0 }
      guard names.isEmpty else {
        throw ValidationError("--compare measures nothing; leave out \(names.joined(separator: ", ")).")
      }
    }
    if let trace, let html, FileContents.nameOneFile(trace, html) {
      throw ValidationError("--trace and --html name the same file, \(html); give them different names.")
    }
  }

  /// Names of the flags that have no effect on a comparison.
  private var givenNames: [String] {
    let own = [
      ("size", size != nil), ("input", input != nil), ("backend", backend.backend != nil),
      ("gpu", backend.gpu != nil),
      ("interpolation", interpolation != nil), ("threads", threads != nil), ("seconds", seconds != nil),
      ("trace", trace != nil), ("html", html != nil), ("overwrite", overwrite),
    ]
    return edit.givenNames + own.filter(\.1).map(\.0)
  }

  func run() throws {
    guard compare.isEmpty else { return try runComparison() }
    guard !startup else { return try runStartup() }
    let snapshot = FileSnapshot.telling
    let settings = try makeSettings(reading: snapshot)
    // Before anything is measured, so that a missing folder does not cost minutes.
    var outputs = OutputFiles(overwrite: overwrite)
    outputs.read(snapshot, recipe: edit.recipe)
    if let trace { try outputs.write(trace, "--trace") }
    if let html { try outputs.write(html, "--html") }
    let traceFile = try trace.map { try TextFile(to: $0, overwrite: overwrite) }
    let page = try html.map { try TextFile(to: $0, overwrite: overwrite) }
    let progress = ProfileProgressLine()
    defer { progress.clear() }
    let profiler = try Profiler(settings) { progress.show($0) }
    let report = try profiler.run().rounded
    progress.clear()
    // First, so that nothing is lost if a file cannot be written.
    if json {
      try Output.json(report)
    } else {
      Output.line(ProfileText(report, columns: TerminalWidth.columns(of: 1)).text, terminator: "")
    }
    try page?.write(ProfilePage(report).html)
    try page?.commit()
    page?.warnings.forEach(Output.warning)
    if let traceFile {
      let recorded = try profiler.trace()
      try traceFile.writePieces(recorded.writeJSON)
      try traceFile.commit()
      traceFile.warnings.forEach(Output.warning)
    }
  }

  /// Measures starts of `live` with this edit.
  private func runStartup() throws {
    try checkRepeatable()
    let progress = ProfileProgressLine()
    defer { progress.clear() }
    let profile = try StartupProfile(startupArguments) {
      progress.show(Profiler.Progress(step: "starts", part: $0))
    }
    progress.clear()
    if json { try Output.json(profile) } else { Output.line(profile.text) }
  }

  private func runComparison() throws {
    let reports = try compare.map { try ProfileReport(json: FileContents.read($0), file: $0) }
    let comparison = ProfileComparison(before: reports[0], after: reports[1])
    if json {
      try Output.json(comparison)
    } else {
      Output.line(comparison.text, terminator: "")
    }
  }

  private func makeSettings(reading files: FileSnapshot) throws -> ProfileSettings {
    let recipe = try edit.isEmpty ? ProfileSettings.exampleRecipe() : edit.edit.recipe(in: files)
    let name = edit.isEmpty ? recipe.name : edit.name ?? ""
    let request = try backend.request
    var settings = ProfileSettings(
      recipe: recipe, name: name, input: input ?? .yuyv, backend: request.backend, gpu: request.gpu,
      interpolation: interpolation ?? .sharp, threads: threads)
    if let size { settings.size = size }
    if let seconds { settings.seconds = seconds }
    return settings
  }
}

extension ProfileInput: ExpressibleByArgument {}

/// Parsers for options of `profile` that are not enumerations.
enum ProfileOptionText {
  /// `4K`, `1920x1080`.
  static func size(_ text: String) throws -> PixelSize {
    if let size = UsualSize.named(text) { return size }
    let names = UsualSize.all.map(\.name)
    guard text.lowercased().contains("x") else {
      throw ValidationError(
        NearestName.error(unknown: "size", text, among: names).description.dropLast()
          + ", or WxH such as 1920x1080.")
    }
    return try SizeText.parse(text)
  }

  static func threads(_ text: String) throws -> Int {
    let range = ProfileSettings.threadCounts
    guard let number = Int(text), range.contains(number) else {
      throw ValidationError(
        "a whole number from \(range.lowerBound) to \(range.upperBound) is needed; write it like 2.")
    }
    return number
  }

  static func seconds(_ text: String) throws -> Double {
    let seconds = try LiveOptionText.seconds(text)
    let range = ProfileSettings.durations
    guard range.contains(seconds) else {
      throw ValidationError(
        "a time from \(PlainNumber.text(range.lowerBound)) to \(PlainNumber.text(range.upperBound)) seconds is needed; "
          + "write it like 3, 0.5s or 500ms.")
    }
    return seconds
  }
}
