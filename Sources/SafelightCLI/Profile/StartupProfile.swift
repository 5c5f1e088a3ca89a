import FoundationEssentials
import Safelight

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the time goes from the start of the program to the first rendered live frame, and to its end.
///
/// The program is run again and again as anybody would run it, for one frame of the synthetic scene; it says when each of
/// its steps was done, and the system says what it counted.
struct StartupProfile: Codable {
  struct Step: Codable {
    let name: String
    /// What is done in it.
    let text: String
    /// The median.
    let milliseconds: Double
    let minimum: Double
  }
  let version: Int
  let command: String
  let runs: Int
  let steps: [Step]
  /// From the start of the program to its first rendered frame, and to its end: medians and shortest.
  let firstFrame: Step
  let whole: Step
  /// What the system counted in the run in the middle.
  let pageFaults: Int
  let involuntarySwitches: Int
  let processorMilliseconds: Double

  private struct Run {
    /// Milliseconds of each step.
    var steps: [Double]
    var firstFrame: Double
    var whole: Double
    var usage: rusage
  }

  private static let texts = [
    ("system", "the program, its libraries, the command line"),
    ("look", "presets and tables"),
    ("prepare", "renderer, targets and threads"),
    ("source", "opening it: the scene paints what stands still"),
    ("frame", "the source makes the first frame"),
    ("plan", "lowering the look for the frame's format"),
    ("render", "the frame through the plan"),
    ("end", "handing over, and waking who waits for it"),
    ("close", "source, threads and targets"),
    ("exit", "giving memory back to the system"),
  ]

  /// - Parameters:
  ///   - arguments: of `live`, for one frame.
  ///   - progress: called with the part that is done.
  init(_ arguments: [String], runs count: Int = 15, progress: (Double) -> Void) throws {
    let words = arguments + ["--startup-times"]
    // Once more first: files come from the disk then.
    _ = try Self.run(words)
    var runs: [Run] = []
    for index in 0..<count {
      progress(Double(index) / Double(count))
      runs.append(try Self.run(words))
    }
    func step(_ name: String, _ text: String, _ value: (Run) -> Double) -> Step {
      let sorted = runs.map(value).sorted()
      return Step(
        name: name, text: text, milliseconds: Output.rounded(sorted[sorted.count / 2]),
        minimum: Output.rounded(sorted[0]))
    }
    version = 1
    command = (["safelight"] + arguments).joined(separator: " ")
    self.runs = count
    steps = Self.texts.enumerated().map { index, entry in step(entry.0, entry.1) { $0.steps[index] } }
    firstFrame = step("first frame", "from the start of the program") { $0.firstFrame }
    whole = step("whole", "to the end of the program") { $0.whole }
    let middle = runs.sorted { $0.whole < $1.whole }[count / 2].usage
    pageFaults = middle.ru_minflt + middle.ru_majflt
    involuntarySwitches = middle.ru_nivcsw
    processorMilliseconds = Output.rounded(
      1000 * (Self.seconds(middle.ru_utime) + Self.seconds(middle.ru_stime)), 1)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  /// Runs this program once.
  private static func run(_ arguments: [String]) throws -> Run {
    func failure(_ problem: String) -> SafelightError {
      SafelightError(
        .unsupported, "Cannot measure a start: \(problem)",
        remedy: "try it: safelight \(arguments.joined(separator: " "))")
    }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let words = (["safelight"] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let began = Timestamp.now
    var child = pid_t()
    let code = posix_spawn(&child, "/proc/self/exe", &actions, nil, words, environ)
    close(ends[1])
    guard code == 0 else { throw failure(String(cString: strerror(code))) }
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
      throw failure("the program did not render a frame")
    }
    let marks = [
      times.arguments, times.look, times.prepared, times.opened, times.received, times.planned,
      times.rendered, times.ended, times.closed, ended.nanoseconds,
    ]
    // Threads work side by side: what was done before the step before it took no time of its own.
    var last = began.nanoseconds
    let steps = marks.map { mark in
      defer { last = max(last, mark) }
      return Double(max(0, mark - last)) / 1e6
    }
    return Run(
      steps: steps, firstFrame: Double(times.rendered - began.nanoseconds) / 1e6,
      whole: Double(ended.nanoseconds - began.nanoseconds) / 1e6, usage: usage)
  }

  /// For people.
  var text: String {
    let rows = steps + [firstFrame, whole]
    let lines = rows.map { row in
      row.name.padded(to: 12, left: true) + ProfileText.figure(row.milliseconds).padded(to: 8)
        + ProfileText.figure(row.minimum).padded(to: 8) + "  " + row.text
    }
    return
      ([command, "step          ms p50   least"] + lines + [
        "\(runs) runs; in the one in the middle \(ProfileText.figure(processorMilliseconds)) ms of processors, "
          + "\(pageFaults) page faults,",
        "\(involuntarySwitches) times a thread was made to wait for another program or thread",
      ]).joined(separator: "\n")
  }
}
