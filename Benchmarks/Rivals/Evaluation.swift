import BenchmarkSupport
import Glibc
import Safelight

/// Compares Safelight with others on the same inputs in one run, and judges the bars of `thresholds.json`.
///
///     swift run -c release --package-path Benchmarks RivalEvaluation --help
@main struct Evaluation {
  static func main() {
    do {
      if CommandLine.arguments.contains("--help") {
        print(Options.usage)
        return
      }
      // The bars assume two cores.
      try Machine.limitProcessors(to: 2)
      let isLost = try Evaluation(options: Options(CommandLine.arguments.dropFirst())).run()
      if isLost { exit(1) }
    } catch {
      progress("RivalEvaluation: \(error)")
      exit(1)
    }
  }

  private let options: Options
  private let thresholds: Thresholds
  private let allWorks =
    Work.lookUps() + Work.geometry() + Work.perspective() + Work.live() + Work.localTone() + Work.gpu()
    + Work.plans() + Work.photos() + Work.brackets() + Work.starts() + Work.movies()

  private init(options: Options) throws {
    self.options = options
    thresholds = try Thresholds(contentsOf: options.thresholds)
    try thresholds.check(against: allWorks)
  }

  /// - Returns: whether a bar that was to be checked is lost.
  private func run() throws -> Bool {
    let works = try chosenWorks()
    if options.lists {
      for work in works { print("\(work.id)\t\(work.title)") }
      return false
    }
    guard Machine.isInstalled(options.program) else {
      throw SafelightError(
        .file, "There is no program \(options.program)", remedy: "run make build, or name it with --program")
    }
    // Before minutes of work whose results could not be kept.
    for file in [options.report, options.json].compactMap(\.self) { try checkFolder(Self.folder(of: file)) }
    if let results = options.results { try checkFolder(results) }
    let (load, commit) = (Machine.load, Self.commit)
    let folder = try makeFolder()
    defer { removeFolder(folder) }
    Interruption.removes(folder)
    let workshop = Workshop(
      folder: folder, program: options.program, python: options.python, helper: try makeHelper(in: folder))
    let instructions = Set(CPURenderer.availableInstructionSets)
    let bench = Bench(workshop: workshop, options: options, instructions: instructions)
    let processor = Processor.current.identifier(among: thresholds.processors)
    if options.checks { Self.introduce(processor, page: processor.map(pagePath)) }

    let start = monotonicSeconds()
    var results: [ResultsPage.Result] = []
    for (index, work) in works.enumerated() {
      progress("\(index + 1) of \(works.count), \(fixed(monotonicSeconds() - start, 0)) s: \(work.title)")
      results.append((work, bench.measure(work)))
      // Works of one kind share their pictures; keeping those of all kinds would take too much memory.
      if index + 1 < works.count, works[index + 1].kind != work.kind { try workshop.forgetPictures() }
    }
    let judgements = results.flatMap { work, measurements in
      thresholds.bars.filter { $0.work == work.id }.map {
        $0.judge(measurements, instructions: instructions, processor: processor)
      }
    }
    let page = ResultsPage(
      results, judgements,
      ResultsPage.Setting(
        commit: commit, instructions: CPURenderer.instructionSet, versions: versions(workshop), load: load,
        isQuick: options.isQuick))
    try write(page, results, judgements, commit)
    progress("done in \(fixed(monotonicSeconds() - start, 0)) s")
    return options.checks ? Self.reportLosses(judgements, page: processor.map(pagePath)) : false
  }

  /// The file for the results of a processor.
  private func pagePath(of processor: String) -> String { "\(options.pages)/\(processor).md" }

  /// Prints the machine, and what the figures are compared with.
  private static func introduce(_ processor: String?, page: String?) {
    let sets = CPURenderer.availableInstructionSets.map(\.rawValue).joined(separator: ", ")
    progress("\(Processor.current), \(processorCount) cores, with \(sets)")
    progress(
      page.map { "compared with \($0)" }
        ?? """
        There is no page of results for \(Processor.current.identifier): bars of time and memory are not judged, and other \
        bars have no floors of this processor's own. make bench-rivals writes the page.
        """)
  }

  private func chosenWorks() throws -> [Work] {
    var works = allWorks
    if options.checks { works = works.filter { work in thresholds.bars.contains { $0.work == work.id } } }
    if let only = options.only {
      works = works.filter { $0.id.contains(only) }
      guard !works.isEmpty else {
        throw SafelightError(
          .invalidValue, "There is no work “\(only)”",
          remedy: "take a part of one of \(allWorks.map(\.id).joined(separator: ", "))")
      }
    }
    guard options.checks else { return works }
    // Only contenders in a bar, and the one that makes the picture that others are compared with.
    return works.map { work in
      let needed = Set(thresholds.bars.filter { $0.work == work.id }.flatMap { [$0.ours] + $0.against })
      let contenders = work.contenders.enumerated().filter {
        $0.offset == 0 || needed.contains($0.element.id)
      }
      var work = work
      work.contenders = contenders.map(\.element)
      return work
    }
  }

  // MARK: Setting up

  private func makeFolder() throws -> String {
    // Programs' input and output must not wait for a disk.
    var room = statvfs()
    let hasRoom = statvfs("/dev/shm", &room) == 0 && UInt64(room.f_bavail) * UInt64(room.f_frsize) > 3 << 30
    let parent = options.folder ?? (hasRoom && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    let folder = "\(parent)/safelight-rivals-\(getpid())"
    guard mkdir(folder, 0o700) == 0 else {
      throw SafelightError(
        .file, "\(folder) cannot be made: \(String(cString: strerror(errno)))",
        remedy: "name another place with --folder")
    }
    return folder
  }

  private func makeHelper(in folder: String) throws -> HelperProcess? {
    guard options.comparesRivals else { return nil }
    guard Machine.isInstalled(options.python) else {
      progress("left out: libraries, since there is no \(options.python); make bench-rivals installs them")
      return nil
    }
    guard access(options.helper, R_OK) == 0 else {
      throw SafelightError(
        .file, "There is no \(options.helper)",
        remedy: "run this from the repository's root, or name it with --helper")
    }
    let log = folder + "/helper.txt"
    do {
      return try HelperProcess(python: options.python, script: options.helper, log: log)
    } catch {
      throw SafelightError(.file, "\(error) \(textFile(log)?.suffix(600) ?? "")")
    }
  }

  private func versions(_ workshop: Workshop) -> [String] {
    let programs = [
      ["ffmpeg", "-version"], ["vips", "--version"], [imageMagick, "--version"],
      ["djpeg", "-version"],
      ["darktable-cli", "--version"], ["rawtherapee-cli", "-v"],
    ].compactMap { Machine.version($0, folder: workshop.folder) }
    let libraries = workshop.helper?.libraries ?? [:]
    return programs + libraries.keys.sorted().compactMap { libraries[$0].map { "\($0) (PyPI)" } }
  }

  private func checkFolder(_ folder: String) throws {
    guard access(folder, W_OK) == 0 else {
      throw SafelightError(
        .file, "Nothing can be written in \(folder): \(String(cString: strerror(errno)))",
        remedy: "name a folder that exists")
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  // MARK: Results

  private func write(
    _ page: ResultsPage, _ results: [ResultsPage.Result], _ judgements: [Bar.Judgement], _ commit: String
  ) throws {
    if let path = options.report { try FileContents.write(Array(page.text.utf8), to: path, overwrite: true) }
    if let folder = options.results {
      let name = Processor.current.identifier
      try FileContents.write(Array(page.text.utf8), to: "\(folder)/\(name).md", overwrite: true)
      progress("written: \(folder)/\(name).md")
    }
    if let path = options.json {
      try FileContents.write(
        try ResultsFile(results, judgements, commit: commit).bytes(), to: path, overwrite: true)
    }
  }

  /// Prints the bars that are lost and those that could not be judged.
  ///
  /// - Returns: whether one is lost, or none was measured.
  private static func reportLosses(_ judgements: [Bar.Judgement], page: String?) -> Bool {
    let figures = page.flatMap(textFile).map(PageFigures.init)
    var (lost, held) = (0, 0)
    for judgement in judgements {
      let bar = judgement.bar
      let sign = bar.sense == .atMost ? "≤" : "≥"
      let value = judgement.value.map(ResultsPage.number) ?? "no figure"
      let before = figures?[bar.name].map { "; the page has \($0)" } ?? ""
      let rival = (judgement.rival.isEmpty ? "" : " (\(judgement.rival))") + before
      switch judgement.verdict {
      case .met:
        held += 1
        progress("held: \(bar.name): \(value)\(rival); the bar is \(sign) \(ResultsPage.number(bar.bar))")
      case .knownMiss:
        held += 1
        progress(
          "below its bar, as known: \(bar.name): \(value)\(rival); the bar is \(sign) \(ResultsPage.number(bar.bar))"
        )
      case .lost:
        lost += 1
        progress(
          "LOST: \(bar.name): \(value)\(rival); it must be \(sign) \(ResultsPage.number(judgement.limit))"
        )
      case .notJudged: progress("not judged: \(bar.name): \(value); the bar is for other processors")
      case .skipped(let reason): progress("skipped: \(bar.name): \(reason)")
      }
    }
    progress("\(held) bars held, \(lost) lost, \(judgements.count - held - lost) skipped or not judged")
    if held + lost == 0 {
      progress("No bar could be measured; run make bench-rivals, which installs what is missing")
    }
    return lost > 0 || held == 0
  }

  /// The commit of the working tree, and whether it was changed since.
  private static var commit: String {
    func output(_ arguments: [String]) -> String {
      let file = "/tmp/safelight-git-\(getpid())"
      defer { unlink(file) }
      guard (try? ProcessGroup.run([["git"] + arguments], log: file).isSuccess) == true else { return "" }
      return textFile(file) ?? ""
    }
    let commit = output(["rev-parse", "--short=10", "HEAD"]).prefix { $0 != "\n" }
    guard !commit.isEmpty else { return "an unknown commit" }
    return output(["status", "--porcelain", "--untracked-files=no"]).isEmpty
      ? String(commit) : "\(commit)-modified"
  }
}
