import FoundationEssentials
import Libc

/// A program that runs beside the tests. What it prints goes into files, so that no pipe fills up.
package final class ChildProcess {
  package struct Failed: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// What a run left behind.
  package struct Outcome {
    /// As a shell reports it: 128 and the signal's number where a signal ended the program.
    package let status: Int32
    package let output: [UInt8]
    package let errors: [UInt8]

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  package let id: pid_t
  private let files: Scratch
  private let hasOwnGroup: Bool
  /// How it ended; nil as long as it runs.
  private var status: Int32?

  /// - Parameters:
  ///   - folder: where it runs; nil is where the tests do.
  ///   - input: what it reads; nothing if empty.
  ///   - mergesErrors: whether its errors come with its output, in the order in which it prints them.
  ///   - hasOwnGroup: whether it is ended with the children that it has. It cannot use the terminal then.
  package init(
    _ path: String, _ arguments: [String], folder: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment, input: [UInt8] = [],
    mergesErrors: Bool = false, hasOwnGroup: Bool = false
  ) throws {
    self.hasOwnGroup = hasOwnGroup
    files = try Scratch()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let source = input.isEmpty ? "/dev/null" : try files.write(input, to: "input")
    posix_spawn_file_actions_addopen(&actions, 0, source, O_RDONLY, 0)
    for (descriptor, name) in [(Int32(1), "output"), (2, "errors")] {
      posix_spawn_file_actions_addopen(&actions, descriptor, files(name), O_WRONLY | O_CREAT, 0o600)
    }
    if mergesErrors { posix_spawn_file_actions_adddup2(&actions, 1, 2) }
    // Swift's threads block signals, and tests may run where some are ignored: a child starts with neither.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    // env becomes the program itself; posix_spawn's own way to change folders is not visible to Swift.
    let prefix = folder.map { ["/usr/bin/env", "-C", $0] } ?? []
    let words = (prefix + [path] + arguments).map { strdup($0) } + [nil]
    let pairs = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + pairs { free(text) } }
    var child = pid_t()
    let code = posix_spawn(&child, prefix.first ?? path, &actions, &attributes, words, pairs)
    guard code == 0 else { throw Failed(description: "\(path): \(String(cString: strerror(code)))") }
    id = child
  }

  package func signal(_ number: Int32) { kill(id, number) }

  /// Waits for the end of the program, which is ended at the deadline.
  ///
  /// - Throws: `Failed` if it had to be.
  package func wait(seconds: Int) throws -> Outcome {
    for _ in 0..<seconds * 200 {
      if hasEnded() { return try outcome() }
      usleep(5000)
    }
    end()
    let printed = try outcome().errorText
    throw Failed(description: "still running after \(seconds) s; it printed: \(printed)")
  }

  /// Waits until the program has printed a text, and ends it; also at its own end, and at the deadline.
  package func wait(until text: String, seconds: Int) throws -> Outcome {
    for _ in 0..<seconds * 10 {
      if try hasEnded() || outcome().text.contains(text) { break }
      usleep(100_000)
    }
    end()
    return try outcome()
  }

  private func end() {
    guard status == nil else { return }
    kill(hasOwnGroup ? -id : id, SIGKILL)
    while !hasEnded(0), errno == EINTR {}
  }

  private func hasEnded(_ options: Int32 = WNOHANG) -> Bool {
    if status != nil { return true }
    var ended: Int32 = 0
    guard waitpid(id, &ended, options) == id else { return false }
    let signal = ended & 0x7F
    status = signal == 0 ? ended >> 8 & 0xFF : 128 + signal
    return true
  }

  private func outcome() throws -> Outcome {
    Outcome(status: status ?? -1, output: try files.read("output"), errors: try files.read("errors"))
  }
}
