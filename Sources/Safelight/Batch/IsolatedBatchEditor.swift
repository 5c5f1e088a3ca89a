import CProcess
import FrameCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Edits photos in a process of its own, so that a file which makes a codec crash, hang or want all memory costs that
/// file and no other. A process that is lost is replaced for the next photo.
public final class IsolatedBatchEditor: BatchEditor {
  /// How to start a worker: a program that calls `WorkerService.run`.
  public struct Command: Sendable {
    public var executable: String
    public var arguments: [String]

    public init(executable: String, arguments: [String]) {
      self.executable = executable
      self.arguments = arguments
    }
  }

  /// Seconds that a photo may take, and seconds more for each megapixel.
  public struct Patience: Sendable, Hashable {
    public var base: Double
    public var perMegapixel: Double

    public init(base: Double = 60, perMegapixel: Double = 4) {
      self.base = base
      self.perMegapixel = perMegapixel
    }
  }

  private struct Worker {
    let process: pid_t
    let requests: Int32
    var replies: PipeLineReader
  }

  private let command: Command
  private let patience: Patience
  private var worker: Worker?
  private var examined: (input: String, megapixels: Double)?

  public init(_ command: Command, patience: Patience = Patience()) {
    self.command = command
    self.patience = patience
  }

  deinit { stop(kill: false) }

  public func examine(_ input: String) throws -> BatchExamination {
    examined = nil
    if worker == nil { worker = try start() }
    let reply = try ask(.examine(input: input), about: input, seconds: patience.base)
    guard case .examined(let examination) = reply else { throw confusion(input) }
    examined = (input, Double(examination.width * examination.height) / 1e6)
    return examination
  }

  public func edit(to output: String, overwrite: Bool) throws -> BatchResult {
    guard let (input, megapixels) = examined else {
      throw SafelightError(.invalidValue, "No photo was examined before the edit")
    }
    let reply = try ask(
      .edit(output: output, overwrite: overwrite), about: input,
      seconds: patience.base + patience.perMegapixel * megapixels)
    guard case .edited(let result) = reply else { throw confusion(input) }
    return result
  }

  private func ask(_ request: WorkerRequest, about input: String, seconds: Double) throws -> WorkerReply {
    guard var worker else { throw confusion(input) }
    let isSent = writeToPipe(try WorkerLine.encode(request), worker.requests)
    let line = isSent ? worker.replies.next(until: Timestamp.now.advanced(bySeconds: seconds)) : .end
    self.worker = worker
    switch line {
    case .line(let bytes):
      let reply = try WorkerLine.decode(WorkerReply.self, from: bytes)
      if case .failed(let failure) = reply { throw failure.error }
      return reply
    case .timeout:
      stop(kill: true)
      throw SafelightError(
        .corruptData, "\(input) took more than \(PlainNumber.fixed(seconds, 0)) s and was given up",
        remedy: "look at it with another program, or give more time")
    case .end:
      let status = stop(kill: false)
      throw SafelightError(
        .corruptData, "Reading \(input) ended the process that did it\(Self.words(status))",
        remedy: "the file is probably damaged; look at it with another program")
    }
  }

  private func confusion(_ input: String) -> SafelightError {
    stop(kill: true)
    return SafelightError(.corruptData, "The worker process gave no answer for \(input)")
  }

  // MARK: The process

  private func start() throws -> Worker {
    var (requestEnd, requests, replies, replyEnd): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
    func failure(_ code: Int32) -> SafelightError {
      for descriptor in [requestEnd, requests, replies, replyEnd] where descriptor >= 0 { close(descriptor) }
      return SafelightError(
        .file, "Cannot start a worker process: \(String(cString: strerror(code)))",
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
    // A group of its own: Ctrl-C asks the batch to end, and the photo at hand is finished first.
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
    var process: pid_t = 0
    let code = posix_spawn(&process, command.executable, &actions, &attributes, arguments, environ)
    guard code == 0 else { throw failure(code) }
    close(requestEnd)
    close(replyEnd)
    var worker = Worker(process: process, requests: requests, replies: PipeLineReader(replies))
    if case .line(let line) = worker.replies.next(until: Timestamp.now.advanced(bySeconds: 30)),
      try WorkerLine.decode(WorkerReply.self, from: line) == .ready
    {
      return worker
    }
    self.worker = worker
    let status = stop(kill: true)
    throw SafelightError(
      .file, "A worker process ended before it was ready\(Self.words(status))",
      remedy: "use --no-isolate to see why")
  }

  /// Closes the pipes, which ends an idle worker, and waits for it.
  @discardableResult
  private func stop(kill isKilled: Bool) -> Int32 {
    guard let worker else { return 0 }
    self.worker = nil
    if isKilled { kill(worker.process, SIGKILL) }
    close(worker.requests)
    close(worker.replies.descriptor)
    var status: Int32 = 0
    while waitpid(worker.process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// ` (segmentation fault)`, from what waitpid(2) said.
  private static func words(_ status: Int32) -> String {
    let signal = status & 0x7F
    guard signal != 0 else { return (status >> 8) & 0xFF == 0 ? "" : " (exit code \((status >> 8) & 0xFF))" }
    guard let text = strsignal(signal) else { return " (signal \(signal))" }
    return " (\(String(cString: text).lowercased()))"
  }
}
