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

/// The built program, or a shell, beside the tests.
final class Process {
  private let child: ChildProcess

  init(_ path: String, _ arguments: [String], in folder: Scratch, environment: [String: String]) throws {
    var variables = ProcessInfo.processInfo.environment
    // Widths of help texts must not depend on the terminal, nor kernels on who tests.
    variables["COLUMNS"] = "80"
    variables["SAFELIGHT_SIMD"] = nil
    variables["SAFELIGHT"] = Program.path
    // Neither what was measured here before, by this test or another, nor which GPU somebody likes.
    variables["XDG_CACHE_HOME"] = folder.caches
    variables["SAFELIGHT_GPU"] = nil
    variables.merge(environment) { $1 }
    child = try ChildProcess(path, arguments, folder: folder.path, environment: variables)
  }

  var id: pid_t { child.id }

  func signal(_ number: Int32) { child.signal(number) }

  func wait(seconds: Int) throws -> Program.Outcome {
    let outcome = try child.wait(seconds: seconds)
    return Program.Outcome(exitCode: outcome.status, output: outcome.text, errors: outcome.errorText)
  }
}
