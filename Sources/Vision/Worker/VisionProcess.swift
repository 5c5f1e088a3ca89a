import CProcess
import FrameCore
import Libc

/// A running `safelight-vision`, and the socket to it.
final class VisionProcess {
  /// What came of a request.
  enum Reply {
    case answer(VisionAnswer)
    case timeout
    /// It ended, or what it said is no answer.
    case lost(String)
  }

  let process: pid_t
  private let socket: Int32
  /// What the loader says if a library is missing; the program itself says nothing.
  private let complaints: Int32
  private var isRunning = true

  /// Starts the program.
  ///
  /// - Throws: `SafelightError` if the system does not start it.
  init(_ program: String, _ arguments: [String], frames: SharedFrames) throws {
    var (own, other): (Int32, Int32) = (-1, -1)
    let code = cprocess_socket_pair(&own, &other)
    guard code == 0 else { throw Self.failure(program, code) }
    defer { close(other) }
    var (reading, writing): (Int32, Int32) = (-1, -1)
    let piped = cprocess_pipe(&reading, &writing)
    guard piped == 0 else {
      close(own)
      throw Self.failure(program, piped)
    }
    defer { close(writing) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    // Not over the socket: what a library says when it is loaded is no answer.
    posix_spawn_file_actions_adddup2(&actions, writing, 2)
    posix_spawn_file_actions_adddup2(&actions, other, 3)
    posix_spawn_file_actions_adddup2(&actions, frames.descriptor, 4)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A group of its own: Ctrl-C ends the program that asks, and that ends this.
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = Self.environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var started: pid_t = 0
    let status = posix_spawn(&started, program, &actions, &attributes, &words, &variables)
    guard status == 0 else {
      for descriptor in [own, reading] { close(descriptor) }
      throw Self.failure(program, status)
    }
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    (process, socket, complaints) = (started, own, reading)
  }

  deinit { stop() }

  /// Threads would not be confined, and on small pictures make libraries slower: tesseract #3109.
  private static var environment: [String] {
    let names: [String] = ["PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX"]
    let kept: [String] = names.compactMap { name in
      getenv(name).map { "\(name)=" + String(cString: $0) }
    }
    return kept + ["OMP_THREAD_LIMIT=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "LC_ALL=C"]
  }

  private static func failure(_ program: String, _ code: Int32) -> SafelightError {
    SafelightError(
      .noResources, "Cannot start \(program): \(errorText(code))", remedy: "check that it may be run")
  }

  /// Sends a request and waits for its answer.
  func ask(_ request: VisionRequest) -> Reply {
    let bytes = request.bytes
    let sent = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == bytes.count else { return ended }
    return answer(to: request.sequence, seconds: request.seconds)
  }

  /// Waits for an answer.
  func answer(to sequence: UInt32, seconds: Double) -> Reply {
    let deadline = Timestamp.now.advanced(bySeconds: seconds)
    var bytes: [UInt8] = []
    switch receive(4, until: deadline, into: &bytes) {
    case .complete: break
    case .timeout: return .timeout
    case .end: return ended
    }
    let length = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= VisionAnswer.mostBytes else { return .lost("gave an answer that is none") }
    bytes = []
    switch receive(length, until: deadline, into: &bytes) {
    case .complete: break
    case .timeout: return .timeout
    case .end: return .lost("ended in the middle of its answer")
    }
    guard let answer = try? VisionAnswer(bytes), answer.sequence == sequence else {
      return .lost("gave an answer that is none")
    }
    return .answer(answer)
  }

  private var ended: Reply { .lost(missingLibrary.map { "lacks the library \($0)" } ?? "ended") }

  /// The library that the loader complains of; nil if it does not.
  private var missingLibrary: String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { read(complaints, $0.baseAddress, $0.count) }
    let words = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split {
      " :\n".contains($0) || !$0.isASCII
    }
    return words.first { $0.hasPrefix("lib") && $0.contains(".so") }.map(String.init)
  }

  private enum Received { case complete, timeout, end }

  private func receive(_ count: Int, until deadline: Timestamp, into bytes: inout [UInt8]) -> Received {
    let whole = bytes.count + count
    var chunk = [UInt8](repeating: 0, count: min(count, 65_536))
    while bytes.count < whole {
      let left = deadline.seconds(since: .now)
      guard left > 0 else { return .timeout }
      var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let ready = poll(&watched, 1, Int32(min(left * 1000 + 1, 1_000_000)))
      guard ready > 0 else { continue }
      let wanted = min(chunk.count, whole - bytes.count)
      let got = chunk.withUnsafeMutableBytes { recv(socket, $0.baseAddress, wanted, 0) }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return .end }
      bytes += chunk[..<got]
    }
    return .complete
  }

  /// Ends the process, whatever it does, and waits for its end.
  ///
  /// - Returns: the signal that had ended it before, or 0.
  @discardableResult
  func stop() -> Int32 {
    guard isRunning else { return 0 }
    isRunning = false
    for descriptor in [socket, complaints] { close(descriptor) }
    kill(process, SIGKILL)
    var (status, peak): (Int32, UInt64) = (0, 0)
    _ = cprocess_wait(process, &status, &peak)
    return status & 0x7F
  }
}
