import LibraryTestSupport
import FoundationEssentials
import Testing
import Libc

/// The built program, run as a user runs it.
enum Program {
  /// What a run left behind.
  struct Outcome {
    /// As a shell reports it: 128 and the signal's number where a signal ended the program.
    let exitCode: Int32
    let output: String
    let errors: String

    /// The sentence after `Error: `, without the usage that ArgumentParser adds.
    var error: String? {
      errors.split(separator: "\n").first.flatMap { line in
        line.hasPrefix("Error: ") ? String(line.dropFirst("Error: ".count)) : nil
      }
    }
  }

  /// `safelight`, which `swift test` builds beside the tests.
  static let path: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return String(tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)]) + "/safelight"
  }()

  /// Runs the program in `folder` and waits for its end, at most `seconds`.
  static func run(
    _ arguments: [String], in folder: Scratch, environment: [String: String] = [:], seconds: Int = 120
  ) throws -> Outcome {
    let process = try Process(path, arguments, in: folder, environment: environment)
    return try process.wait(seconds: seconds)
  }

  /// Runs a line of `sh`; the program is `"$SAFELIGHT"` in it.
  static func shell(_ line: String, in folder: Scratch, environment: [String: String] = [:]) throws -> Outcome
  {
    try Process("/bin/sh", ["-c", line], in: folder, environment: environment).wait(seconds: 120)
  }

  /// Whether a line of `sh` succeeds: what tests that need a privilege ask first.
  static func succeeds(_ line: String) -> Bool {
    guard let folder = try? Scratch() else { return false }
    return (try? shell(line, in: folder).exitCode == 0) ?? false
  }

  /// The package's folder, found from this file.
  static let package: String =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
}

/// A child process whose output goes to files, so that no pipe can fill up.
final class Process {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  let id: pid_t
  private let outputs = FileManager.default.temporaryDirectory.path + "/safelight-run-" + UUID().uuidString

  init(_ path: String, _ arguments: [String], in folder: Scratch, environment: [String: String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (descriptor, suffix) in [(Int32(1), ".out"), (2, ".err")] {
      posix_spawn_file_actions_addopen(
        &actions, descriptor, outputs + suffix, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    }
    // Swift's threads block signals, and tests may run where some are ignored: a child starts with neither.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var variables = ProcessInfo.processInfo.environment
    // Widths of help texts must not depend on the terminal, nor kernels on who tests.
    variables["COLUMNS"] = "80"
    variables["SAFELIGHT_SIMD"] = nil
    variables["SAFELIGHT"] = Program.path
    // Neither what was measured here before, by this test or another, nor which GPU somebody likes.
    variables["XDG_CACHE_HOME"] = folder.caches
    variables["SAFELIGHT_GPU"] = nil
    variables.merge(environment) { $1 }
    var child = pid_t()
    // env becomes the program itself; posix_spawn's own way to change folders is not visible to Swift.
    let words = (["env", "-C", folder.path, path] + arguments).map { strdup($0) } + [nil]
    let pairs = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + pairs { free(text) } }
    let code = posix_spawn(&child, "/usr/bin/env", &actions, &attributes, words, pairs)
    guard code == 0 else { throw Failed(description: "\(path): \(String(cString: strerror(code)))") }
    id = child
  }

  deinit { for suffix in [".out", ".err"] { unlink(outputs + suffix) } }

  func signal(_ number: Int32) { kill(id, number) }

  func wait(seconds: Int) throws -> Program.Outcome {
    var status: Int32 = 0
    for _ in 0..<seconds * 200 {
      if waitpid(id, &status, WNOHANG) == id {
        let signal = status & 0x7F
        return Program.Outcome(
          exitCode: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: text(".out"),
          errors: text(".err"))
      }
      usleep(5000)
    }
    kill(id, SIGKILL)
    waitpid(id, &status, 0)
    throw Failed(description: "still running after \(seconds) s; it printed: \(text(".err"))")
  }

  private func text(_ suffix: String) -> String {
    String(decoding: (try? Data(contentsOf: URL(filePath: outputs + suffix))) ?? Data(), as: UTF8.self)
  }
}
