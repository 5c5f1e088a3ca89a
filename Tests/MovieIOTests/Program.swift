import Foundation
import TestSupport
import Testing

/// Programs of others that files are checked with.
enum Program {
  static func isInstalled(_ name: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  /// Returns what a program prints, its errors too.
  ///
  /// - Parameter text: a program that does not end by itself is ended when it has printed this, or after a
  ///   minute.
  static func run(_ name: String, _ arguments: [String], until text: String? = nil) throws -> String {
    // Into a file, so that no pipe fills up.
    let scratch = try Scratch()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, scratch("output"), O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // Swift's threads block signals; a child starts with none blocked.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A group of its own, which is ended with the children that it has.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let words = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    try #require(posix_spawnp(&child, name, &actions, &attributes, words, environ) == 0)
    var status: Int32 = 0
    if let text {
      for _ in 0..<1800 where !String(decoding: try scratch.read("output"), as: UTF8.self).contains(text) {
        usleep(100_000)
      }
      kill(-child, SIGKILL)
    }
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return String(decoding: try scratch.read("output"), as: UTF8.self)
  }

  /// Returns the lines that ffprobe prints for a query, sorted as they come.
  static func ffprobe(_ path: String, _ query: String...) throws -> [String] {
    try run("ffprobe", ["-v", "error", "-of", "csv=p=0"] + query + [path])
      .split(separator: "\n").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
      .filter { !$0.hasPrefix("Unsupported codec") }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips what needs a program where it is not installed.
  static func installed(_ name: String) -> Self {
    .enabled(if: Program.isInstalled(name), "\(name) is not installed")
  }
}
