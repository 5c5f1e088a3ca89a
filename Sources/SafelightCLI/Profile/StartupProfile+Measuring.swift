import FoundationEssentials
import Profiling
import Safelight
import Libc

/// The program is run repeatedly, as a user would run it, for one frame of the synthetic scene. It reports when
/// each of its steps was done, and the system reports what it counted.
extension StartupProfile {
  private struct Run {
    /// Milliseconds of each step.
    var steps: [Double]
    var firstFrame: Double
    var whole: Double
    var usage: rusage
  }

  private static let texts = [
    ("system", "loading the program and its libraries, reading the command line"),
    ("look", "reading presets and tables"),
    ("prepare", "making renderer, targets and threads"),
    ("source", "opening the source; the scene paints its static parts"),
    ("frame", "making the first frame"),
    ("plan", "turning the look into a plan for the frame's format"),
    ("render", "rendering the frame through the plan"),
    ("end", "handing the picture over and waking the main thread"),
    ("close", "closing source, threads and targets"),
    ("exit", "returning memory to the system"),
  ]

  /// - Parameters:
  ///   - arguments: arguments of `live`, for one frame.
  ///   - progress: called with the part that is done, 0…1.
  /// - Throws: `SafelightError` with the program's own error if it rendered no frame.
  init(_ arguments: [String], runs count: Int = 15, progress: (Double) -> Void) throws {
    let words = arguments + ["--startup-times"]
    // One run first, so that the files are cached.
    _ = try Self.run(words)
    var runs: [Run] = []
    for index in 0..<count {
      progress(Double(index) / Double(count))
      runs.append(try Self.run(words))
    }
    func step(_ name: String, _ text: String, _ value: (Run) -> Double) -> Step {
      let sorted = runs.map(value).sorted()
      return Step(
        name: name, text: text, milliseconds: PlainNumber.rounded(sorted[sorted.count / 2]),
        minimum: PlainNumber.rounded(sorted[0]))
    }
    let median = runs.sorted { $0.whole < $1.whole }[count / 2].usage
    self.init(
      command: (["safelight"] + arguments).joined(separator: " "), runs: count,
      steps: Self.texts.enumerated().map { index, entry in step(entry.0, entry.1) { $0.steps[index] } },
      firstFrame: step("first frame", "from the start of the program") { $0.firstFrame },
      whole: step("whole", "to the end of the program") { $0.whole },
      pageFaults: median.ru_minflt + median.ru_majflt, involuntarySwitches: median.ru_nivcsw,
      processorMilliseconds: PlainNumber.rounded(
        1000 * (Self.seconds(median.ru_utime) + Self.seconds(median.ru_stime)), 1))
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  /// Runs this program once.
  private static func run(_ arguments: [String]) throws -> Run {
    func failure(_ problem: String, said: String? = nil) -> SafelightError {
      // The program's own error ends with a remedy.
      SafelightError(
        .unsupported, "Cannot measure a start: \(said ?? problem)",
        remedy: said == nil ? "try it: safelight \(arguments.joined(separator: " "))" : "")
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw failure(errorText(errno)) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    // A file, because nobody reads a second pipe while the first is being read.
    let said = tmpfile()
    defer { if let said { fclose(said) } }
    if let said {
      posix_spawn_file_actions_adddup2(&actions, fileno(said), 2)
    } else {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    let words = (["safelight"] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let began = Timestamp.now
    var child = pid_t()
    let code = posix_spawn(&child, "/proc/self/exe", &actions, nil, words, environ)
    close(ends[1])
    guard code == 0 else { throw failure(errorText(code)) }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let got = read(ends[0], &chunk, chunk.count)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { break }
      text += chunk[..<got]
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
    let ended = Timestamp.now
    guard status == 0, let times = try? JSONDecoder().decode(StartupTimes.self, from: Data(text)) else {
      let error = said.flatMap { Self.lastError(in: fileno($0)) }
      throw failure("the program did not render a frame", said: error)
    }
    let marks = [
      times.arguments, times.look, times.prepared, times.opened, times.received, times.planned,
      times.rendered, times.ended, times.closed, ended.nanoseconds,
    ]
    // Threads work in parallel: a step that was done before the one ahead of it took no time of its own.
    var last = began.nanoseconds
    let steps = marks.map { mark in
      defer { last = max(last, mark) }
      return Double(max(0, mark - last)) / 1e6
    }
    return Run(
      steps: steps, firstFrame: Double(times.rendered - began.nanoseconds) / 1e6,
      whole: Double(ended.nanoseconds - began.nanoseconds) / 1e6, usage: usage)
  }

  /// Returns the last error that a program printed, without its prefix and full stop; nil if there is none.
  private static func lastError(in file: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let start = max(0, lseek(file, 0, SEEK_END) - bytes.count)
    let count = pread(file, &bytes, bytes.count, start)
    guard count > 0 else { return nil }
    let mark = "Error: "
    let line = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").last {
      $0.hasPrefix(mark)
    }
    guard let sentence = line?.dropFirst(mark.count) else { return nil }
    return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
  }

  /// A table for people.
  var text: String {
    let rows = steps + [firstFrame, whole]
    let lines = rows.map { row in
      row.name.padded(to: 12, left: true) + ProfileText.figure(row.milliseconds).padded(to: 8)
        + ProfileText.figure(row.minimum).padded(to: 8) + "  " + row.text
    }
    let time = ProfileText.figure(processorMilliseconds)
    return
      ([command, "step          ms p50   least"] + lines + [
        "\(runs) runs; the median run took \(time) ms of processor time, had \(pageFaults) page faults,",
        "and had a thread preempted by another program or thread \(involuntarySwitches) times",
      ]).joined(separator: "\n")
  }
}
