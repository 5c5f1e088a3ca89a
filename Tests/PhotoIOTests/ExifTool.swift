import Foundation
import TestSupport
import Testing

/// The program exiftool, which checks the metadata of files.
enum ExifTool {
  static let isInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains
  {
    FileManager.default.isExecutableFile(atPath: "\($0)/exiftool")
  }

  /// Returns what it complains about in some files, a line each; empty if nothing.
  static func complaints(_ paths: [String]) throws -> [String] {
    let output = try run(["-validate", "-warning", "-error", "-a", "-G1", "-s"] + paths)
    return output.split(separator: "\n").map(String.init).filter { line in
      !line.hasPrefix("====") && !line.contains("image files read") && !line.hasSuffix(": OK")
    }
  }

  private static func run(_ arguments: [String]) throws -> String {
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
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = (["exiftool"] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    try #require(posix_spawnp(&child, "exiftool", &actions, &attributes, words, environ) == 0)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return String(decoding: try scratch.read("output"), as: UTF8.self)
  }
}

extension Trait where Self == ConditionTrait {
  static var exifToolIsInstalled: Self { .enabled(if: ExifTool.isInstalled, "exiftool is not installed") }
}
