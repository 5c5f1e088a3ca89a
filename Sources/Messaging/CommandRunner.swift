import CProcess
import FrameCore
import Libc

/// Runs programs of the user's beside the work of this one: a few at once, each with a text on its standard input and a
/// deadline.
///
/// Starting one never waits. What a program prints goes nowhere, but for the last line of its standard error, which says
/// why it failed. A program runs in a process group of its own, with signals as at login; at its end and at its deadline
/// the whole group is killed, so that nothing that it started is left.
public final class CommandRunner: Sendable {
  /// Why a run did not do what it should.
  public enum Failure: Sendable, Hashable, CustomStringConvertible {
    case notStarted(String)
    /// The exit code, and the last line that it printed on standard error.
    case exited(Int32, String)
    case signalled(Int32)
    /// It was killed after so many seconds.
    case late(Double)

    /// What failed, without the words of one time: for telling each sort once.
    public var sort: String {
      switch self {
      case .notStarted: "not started"
      case .exited(let code, _): "exited \(code)"
      case .signalled(let number): "signalled \(number)"
      case .late: "late"
      }
    }

    public var description: String {
      switch self {
      case .notStarted(let reason): "could not be started: \(reason)"
      case .exited(let code, let words): "failed with exit code \(code)" + (words.isEmpty ? "" : ": \(words)")
      case .signalled(let number): "ended by signal \(number)"
      case .late(let seconds): "was killed, because it still ran after \(PlainNumber.text(seconds)) s"
      }
    }
  }

  private struct State {
    var running = 0
    /// Nil until the end is near; then the moment at which what still runs is killed.
    var end: Timestamp?
  }
  private let state = Monitor(State())
  private let mostAtOnce: Int
  private let deadline: Double

  /// - Parameters:
  ///   - mostAtOnce: the most programs at once, at least 1.
  ///   - deadline: seconds that each may take.
  public init(mostAtOnce: Int = 4, deadline: Double = 10) {
    (self.mostAtOnce, self.deadline) = (max(1, mostAtOnce), deadline)
  }

  /// The programs that run now.
  public var running: Int { state.read { $0.running } }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - input: its standard input.
  ///   - ended: called once, on another thread, when it has ended; nil if it exited with 0.
  /// - Returns: false if as many run as may, or the runner has ended: nothing was done then.
  public func start(
    _ command: ExternalCommand, input: String, ended: @escaping @Sendable (Failure?) -> Void
  ) -> Bool {
    let isFree = state.update { state in
      guard state.running < mostAtOnce, state.end == nil else { return false }
      state.running += 1
      return true
    }
    guard isFree else { return false }
    do {
      try WorkerThread(name: "sl-command") { [self] in
        let failure = CommandRun(command, input: input, deadline: deadline).run { [state] in
          state.read { $0.end }
        }
        ended(failure)
        state.update { $0.running -= 1 }
      }.detach()
    } catch {
      state.update { $0.running -= 1 }
      ended(.notStarted("\(error)"))
    }
    return true
  }

  /// Starts nothing more, gives what runs so many seconds, kills the rest, and returns when all have ended.
  public func finish(patience: Double) {
    state.update { $0.end = Timestamp.now.advanced(bySeconds: patience) }
    state.wait { $0.running == 0 ? () : nil }
  }
}

/// One program, from its start to its end, on a thread of its own.
private struct CommandRun {
  private let command: ExternalCommand
  private let input: [UInt8]
  private let deadline: Double
  /// Bytes of standard error that are kept.
  private static let mostWords = 400

  init(_ command: ExternalCommand, input: String, deadline: Double) {
    (self.command, self.input, self.deadline) = (command, Array(input.utf8), deadline)
  }

  /// - Parameter end: returns the moment at which the run must end in any case; nil for none yet.
  func run(until end: () -> Timestamp?) -> CommandRunner.Failure? {
    // A program that does not read must not end this one: the signal stays with this thread.
    var broken = sigset_t()
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &broken, nil)
    var (stdinEnd, writing, reading, stderrEnd): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
    var code = cprocess_pipe(&stdinEnd, &writing)
    if code == 0 { code = cprocess_pipe(&reading, &stderrEnd) }
    var process: pid_t = 0
    if code == 0 { code = spawn(&process, stdinEnd, stderrEnd) }
    for descriptor in [stdinEnd, stderrEnd] where descriptor >= 0 { close(descriptor) }
    guard code == 0 else {
      for descriptor in [writing, reading] where descriptor >= 0 { close(descriptor) }
      return .notStarted(errorText(code))
    }
    for descriptor in [writing, reading] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    defer { close(reading) }
    return follow(process, writing: writing, reading: reading, until: end)
  }

  private func spawn(_ process: inout pid_t, _ stdinEnd: Int32, _ stderrEnd: Int32) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, stdinEnd, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, stderrEnd, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&usual)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = command.words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    return posix_spawn(&process, command.path, &actions, &attributes, arguments, environ)
  }

  /// Feeds a process and reads what it complains of until it has ended.
  private func follow(_ process: pid_t, writing: Int32, reading: Int32, until end: () -> Timestamp?)
    -> CommandRunner.Failure?
  {
    let began = Timestamp.now
    let latest = began.advanced(bySeconds: deadline)
    var (rest, input) = (self.input[...], writing)
    var words: [UInt8] = []
    defer { if input >= 0 { close(input) } }
    while true {
      if input >= 0 {
        let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) }
        // The reader has gone, or has everything.
        if rest.isEmpty || count < 0 && errno != EAGAIN && errno != EINTR {
          close(input)
          input = -1
        }
      }
      read(reading, into: &words)
      var (status, peak): (Int32, UInt64) = (0, 0)
      switch cprocess_has_ended(process) {
      case 0: break
      case 1:
        // As long as nobody has waited for it, its number is its group's and nobody else's.
        kill(-process, SIGKILL)
        _ = cprocess_wait(process, &status, &peak)
        read(reading, into: &words)
        return Self.failure(status, words)
      default:
        // Where the starter of this program ignores the ends of children, nobody learns how one ended, and its number may
        // be another's by now.
        return nil
      }
      let now = Timestamp.now
      if now >= latest || end().map({ now >= $0 }) == true {
        kill(-process, SIGKILL)
        _ = cprocess_wait(process, &status, &peak)
        return .late(PlainNumber.rounded(Timestamp.now.seconds(since: began), 1))
      }
      var waits = [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)]
      if input >= 0 { waits.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
      // A closed standard error is ready at once, for ever.
      let isClosed = poll(&waits, nfds_t(waits.count), 20) > 0 && waits[0].revents & Int16(POLLIN) == 0
      if isClosed { usleep(10_000) }
    }
  }

  /// Keeps the end of what is there; a flood takes no memory and ends with the deadline.
  private func read(_ descriptor: Int32, into words: inout [UInt8]) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { bytes in
      for _ in 0..<16 {
        let count = Libc.read(descriptor, bytes.baseAddress, bytes.count)
        guard count > 0 else { return }
        words += bytes[..<count]
        words.removeFirst(max(0, words.count - Self.mostWords))
      }
    }
  }

  private static func failure(_ status: Int32, _ words: [UInt8]) -> CommandRunner.Failure? {
    let signal = status & 0x7F
    guard signal == 0 else { return .signalled(signal) }
    let code = status >> 8 & 0xFF
    let last = String(decoding: words, as: UTF8.self).split(whereSeparator: \.isNewline).last ?? ""
    return code == 0 ? nil : .exited(code, String(last))
  }
}
