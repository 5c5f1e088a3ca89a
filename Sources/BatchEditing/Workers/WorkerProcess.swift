import Files
import CProcess
import FrameCore
import Libc

/// A process that edits photos, and the pipes to it.
final class WorkerProcess {
  /// How a process ended.
  struct End {
    /// The status as of waitpid(2).
    var status: Int32
    /// The peak resident memory, in bytes.
    var peak: Int

    /// - Parameter bound: the bytes it was allowed to allocate.
    func reason(_ input: String, bound: Int?) -> SafelightError {
      let signal = status & 0x7F
      let look = "open it with another program, or allow more with --memory"
      if signal == SIGKILL {
        return SafelightError(
          .noMemory,
          "The process that edited \(input) was killed from outside, as the system does when it runs out of memory",
          remedy: "use fewer --jobs, and try again with --resume")
      }
      // A process that cannot allocate may end in many ways; its memory use tells the reason.
      if let bound, peak > bound / 3 {
        return SafelightError(
          .noMemory, "\(input) ran out of memory: its edit may take \(bound >> 20) MiB", remedy: look)
      }
      return SafelightError(
        .corruptData, "\(input) crashed the process that edited it\(words)",
        remedy: "the file is probably damaged; open it with another program")
    }

    /// The cause in parentheses, such as ` (segmentation fault)`.
    var words: String {
      let signal = status & 0x7F
      guard signal != 0 else {
        return (status >> 8) & 0xFF == 0 ? "" : " (exit code \((status >> 8) & 0xFF))"
      }
      guard let text = strsignal(signal) else { return " (signal \(signal))" }
      return " (\(String(cString: text).lowercased()))"
    }
  }

  private let process: pid_t
  private let requests: Int32
  private var replies: PipeLineReader
  private var isRunning = true
  /// Its memory limit, in bytes.
  private var limit: Int?

  /// Starts a worker and waits until it is ready.
  init(_ command: IsolatedBatchEditor.Command) throws {
    var (requestEnd, requests, replies, replyEnd): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
    func failure(_ code: Int32) -> SafelightError {
      for descriptor in [requestEnd, requests, replies, replyEnd] where descriptor >= 0 { close(descriptor) }
      return SafelightError(
        .file, "Cannot start a worker process: \(errorText(code))",
        remedy: "use fewer --jobs, or --no-isolate")
    }
    let pipes = [cprocess_pipe(&requestEnd, &requests), cprocess_pipe(&replies, &replyEnd)]
    if let code = pipes.first(where: { $0 != 0 }) { throw failure(code) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, requestEnd, 0)
    posix_spawn_file_actions_adddup2(&actions, replyEnd, 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A process group of its own: Ctrl-C asks the batch to end, and the current photo is finished first.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = ([command.executable] + command.arguments).map {
      strdup($0)
    }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    // A backtrace of Swift's would hold a worker that crashed for up to a minute.
    let quiet = getenv("SWIFT_BACKTRACE") == nil ? strdup("SWIFT_BACKTRACE=enable=no") : nil
    defer { free(quiet) }
    var environment: [UnsafeMutablePointer<CChar>?] = []
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    while let variable = next?.pointee {
      environment.append(variable)
      next = next?.successor()
    }
    environment += quiet == nil ? [nil] : [quiet, nil]
    var started: pid_t = 0
    let code = posix_spawn(&started, command.executable, &actions, &attributes, arguments, environment)
    guard code == 0 else { throw failure(code) }
    close(requestEnd)
    close(replyEnd)
    (process, self.requests, self.replies) = (started, requests, PipeLineReader(replies))
    if case .line(let line) = self.replies.next(until: Timestamp.now.advanced(bySeconds: 30)),
      let hello = try? WorkerLine.decode(WorkerHello.self, from: line),
      hello.protocol == WorkerProtocol.version
    {
      return
    }
    let end = stop(kill: true)
    throw SafelightError(
      .file, "A worker process ended before it was ready\(end.words)", remedy: "use --no-isolate to see why")
  }

  deinit { if isRunning { _ = stop(kill: true) } }

  /// Sends a request and waits for the reply.
  func ask(_ request: WorkerRequest, seconds: Double) throws -> PipeLineReader.Line {
    guard writeAll(try WorkerLine.encode(request), to: requests) else { return .end }
    return replies.next(until: Timestamp.now.advanced(bySeconds: seconds))
  }

  /// Limits the memory the process may allocate. If the system has no such limit, only time is bounded.
  func limitMemory(_ bytes: Int) {
    guard limit != bytes else { return }
    limit = bytes
    _ = cprocess_limit_data(process, UInt64(bytes))
  }

  /// Closes the pipes, which ends an idle worker, and waits for it.
  func stop(kill isKilled: Bool) -> End {
    guard isRunning else { return End(status: 0, peak: 0) }
    isRunning = false
    if isKilled { kill(process, SIGKILL) }
    close(requests)
    close(replies.descriptor)
    var (status, peak): (Int32, UInt64) = (0, 0)
    _ = cprocess_wait(process, &status, &peak)
    return End(status: status, peak: Int(clamping: peak))
  }
}
