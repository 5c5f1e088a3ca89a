import Dispatch
import Glibc
import Safelight

/// Runs programs and measures their costs.
public enum ProcessGroup {
  /// The cost of processes together, including all that they started.
  public struct Cost: Sendable {
    public var seconds = 0.0
    /// User and system time of the processors, in seconds.
    public var processorSeconds = 0.0
    /// The peak proportional set size at one time, in bytes; 0 if it was not watched.
    public var peakMemory = 0
    /// The peak resident memory of one of the processes, without its children, in bytes; 0 if it was not
    /// watched.
    public var residentMemory = 0
    /// Whether all processes exited by themselves, with 0.
    public var isSuccess = true
  }

  /// Runs programs in parallel and waits for all of them.
  ///
  /// - Parameters:
  ///   - commands: for each process, the program, found through `PATH`, and its arguments.
  ///   - log: the file for their output.
  ///   - watchesMemory: whether memory is sampled. Reading it takes a little processor time.
  ///   - watchesResidentMemory: whether the kernel's peak of resident memory is read repeatedly, which also
  ///     takes time.
  ///   - timeLimit: the seconds after which processes that still run are killed; nil waits forever.
  public static func run(
    _ commands: [[String]], environment: [String: String] = [:], log: String = "/dev/null",
    watchesMemory: Bool = false, watchesResidentMemory: Bool = false, timeLimit: Double? = nil
  ) throws -> Cost {
    let before = childProcessorSeconds()
    let start = monotonicSeconds()
    var running = try commands.map { try spawn($0, environment: environment, log: log) }
    let limit = timeLimit.map { seconds in killing(running, after: seconds) }
    defer { limit?.cancel() }
    let polls = watchesMemory || watchesResidentMemory || running.count > 1
    var cost = Cost()
    while !running.isEmpty {
      if watchesMemory { cost.peakMemory = max(cost.peakMemory, proportionalMemory(of: running)) }
      if watchesResidentMemory {
        cost.residentMemory = running.reduce(cost.residentMemory) { max($0, residentPeak(of: $1)) }
      }
      var left: [pid_t] = []
      for process in running {
        var status: Int32 = 0
        let ended = waitpid(process, &status, polls ? WNOHANG : 0)
        if ended == 0 || (ended < 0 && errno == EINTR) {
          left.append(process)
        } else if ended < 0 || status != 0 {
          // Nothing is known about a process that cannot be waited for.
          cost.isSuccess = false
        }
      }
      running = left
      if !running.isEmpty { usleep(watchesMemory ? 50_000 : 2_000) }
    }
    cost.seconds = monotonicSeconds() - start
    cost.processorSeconds = childProcessorSeconds() - before
    return cost
  }

  /// Starts a program; the caller waits for it.
  ///
  /// - Parameters:
  ///   - log: the file for its standard error, and for its standard output if `output` is nil.
  ///   - input: a descriptor for its standard input; nil for an empty one.
  public static func spawn(
    _ command: [String], environment: [String: String] = [:], log: String = "/dev/null", input: Int32? = nil,
    output: Int32? = nil
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o666)
    posix_spawn_file_actions_adddup2(&actions, output ?? 2, 1)
    // The given variables come before those of this process; the first one of a name counts.
    var variables = environment.map { strdup("\($0.key)=\($0.value)") }
    var index = 0
    while let entry = environ[index] {
      let name = String(cString: entry).prefix { $0 != "=" }
      if environment[String(name)] == nil { variables.append(strdup(entry)) }
      index += 1
    }
    // A measuring process may block signals to clean up; the processes that it starts receive them.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = command.map { strdup($0) }
    defer { for text in variables + arguments { free(text) } }
    variables.append(nil)
    arguments.append(nil)
    var process = pid_t()
    let code = posix_spawnp(&process, command[0], &actions, &attributes, arguments, variables)
    guard code == 0 else {
      throw SafelightError(.file, "\(command[0]) cannot be started: \(String(cString: strerror(code)))")
    }
    return process
  }

  /// Kills processes and all that they have started, unless it is cancelled before.
  private static func killing(_ processes: [pid_t], after seconds: Double) -> DispatchWorkItem {
    let work = DispatchWorkItem {
      for process in descendants(of: processes) { kill(process, SIGKILL) }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: work)
    return work
  }

  // MARK: Memory

  /// The peak resident memory of a process since it was started, in bytes; 0 after it has ended.
  ///
  /// Not `ru_maxrss`: that begins with the peak of the parent, and would measure the bench.
  private static func residentPeak(of process: pid_t) -> Int {
    let status = textFile("/proc/\(process)/status") ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return 1024 * (line?.dropFirst(6).split { $0 == " " || $0 == "\t" }.first.flatMap { Int($0) } ?? 0)
  }

  /// The sum of the proportional set sizes of processes and all their descendants, in bytes.
  private static func proportionalMemory(of roots: [pid_t]) -> Int {
    descendants(of: roots).reduce(0) { sum, process in
      let rollup = textFile("/proc/\(process)/smaps_rollup") ?? ""
      let line = rollup.split(separator: "\n").first { $0.hasPrefix("Pss:") }
      return sum + 1024 * (line.flatMap { Int($0.dropFirst(4).split(separator: " ").first ?? "0") } ?? 0)
    }
  }

  // MARK: Process tree

  /// Processes and all their descendants.
  private static func descendants(of roots: [pid_t]) -> [pid_t] {
    var children: [pid_t: [pid_t]] = [:]
    for process in allProcesses() {
      // pid (name) state parent …; a name may contain spaces and parentheses.
      guard let stat = textFile("/proc/\(process)/stat"), let end = stat.lastIndex(of: ")") else { continue }
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      if fields.count > 1, let parent = pid_t(fields[1]) { children[parent, default: []].append(process) }
    }
    var (tree, open) = (roots, roots)
    while let process = open.popLast() {
      let next = children[process] ?? []
      tree += next
      open += next
    }
    return tree
  }

  /// Ends all processes that this process has started, and their descendants.
  static func endDescendants() {
    for process in descendants(of: [getpid()]) where process != getpid() { kill(process, SIGKILL) }
  }

  private static func allProcesses() -> [pid_t] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var processes: [pid_t] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = pid_t(name) { processes.append(number) }
    }
    return processes
  }

  /// The processor time of all children that were waited for, and of theirs.
  private static func childProcessorSeconds() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}
