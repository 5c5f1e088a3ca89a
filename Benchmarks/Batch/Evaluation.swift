import BenchmarkSupport
import Glibc
import Safelight

/// Measures how fast a folder of photos is edited, compared with other programs doing the same edit or less.
///
///     swift run -c release --package-path Benchmarks BatchEvaluation --help
@main struct Evaluation {
  static func main() async {
    do {
      if CommandLine.arguments.contains("--help") {
        print(Options.usage)
        return
      }
      try await Evaluation(options: Options(CommandLine.arguments.dropFirst())).run()
    } catch {
      progress("BatchEvaluation: \(error)")
      exit(1)
    }
  }

  let options: Options

  private func run() async throws {
    guard Machine.isInstalled(options.program) else {
      throw SafelightError(
        .file, "There is no program \(options.program)", remedy: "run make build, or name it with --program")
    }
    let folder = "/tmp/safelight-batch-\(getpid())"
    guard mkdir(folder, 0o700) == 0 else {
      throw SafelightError(.file, "\(folder) cannot be made: \(String(cString: strerror(errno)))")
    }
    Interruption.removes(folder)
    defer { removeFolder(folder) }
    let corpus = try await Corpus(options.photoCount, in: options.corpus ?? folder + "/corpus")
    let workshop = try Workshop(in: folder, program: options.program)
    var bench = Bench(corpus: corpus, folder: folder, runs: options.runs)

    let ours = [
      Contender.safelight(options.program, workshop, jobs: 1),
      .safelight(options.program, workshop, jobs: 2),
      .safelight(options.program, workshop, jobs: 2, isolates: false),
    ]
    let rivals = options.comparesRivals ? Contender.rivals(workshop) : []
    let missing = rivals.filter { $0.obstacle != nil || !Machine.isInstalled($0.program) }
    let present = rivals.filter { rival in !missing.contains { $0.name == rival.name } }
    for contender in missing { progress("left out: \(contender.name): \(contender.reason)") }
    // In turn, so that a temporary disturbance of the machine affects all of them.
    let fast = ours + present.filter { $0.photos == nil }
    for run in 0..<options.runs {
      for contender in fast { bench.measure(contender, named: "run \(run + 1) of \(options.runs)") }
    }
    for contender in present where contender.photos != nil {
      for _ in 0..<((contender.photos ?? 0) >= 24 ? min(2, options.runs) : 1) {
        bench.measure(contender, named: "a part")
      }
    }
    for contender in ours + present { bench.measureMemory(contender) }

    let report = Report()
    report.write(bench, ours: ours, rivals: present, missing: missing, options: options)
    if let path = options.report {
      try FileContents.write(Array(report.text.utf8), to: path, overwrite: true)
    }
    if let path = options.json {
      try FileContents.write(Array((bench.json + "\n").utf8), to: path, overwrite: true)
    }
  }
}

extension Contender {
  /// Why it is skipped.
  var reason: String { obstacle ?? "\(program) is not installed" }
}
