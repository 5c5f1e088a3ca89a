import Foundation
import TestSupport
import Testing

/// The program ffmpeg, which makes the test files and is the independent source of what is in them.
enum FFmpegTool {
  static let reason: Comment = "the programs ffmpeg and ffprobe are not installed"
  static let isInstalled = ["ffmpeg", "ffprobe"].allSatisfy { tool in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
    }
  }

  /// Runs a program and returns what it wrote to its standard output.
  @discardableResult
  static func run(_ tool: String, _ arguments: [String]) throws -> [UInt8] {
    // Into a file, so that no pipe fills up.
    let scratch = try Scratch()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, scratch("output"), O_WRONLY | O_CREAT, 0o600)
    // Swift's threads block signals; a child starts with none blocked.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = ([tool] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    try #require(posix_spawnp(&child, tool, &actions, &attributes, words, environ) == 0)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    try #require(status == 0, "\(tool) \(arguments.joined(separator: " "))")
    return try scratch.read("output")
  }

  /// Makes a file from a source of libavfilter, such as `testsrc2=size=64x48:rate=25:duration=1`.
  static func make(_ path: String, source: String, _ options: [String]) throws {
    try run("ffmpeg", ["-v", "error", "-y", "-f", "lavfi", "-i", source] + options + [path])
  }

  /// All frames as ffmpeg decodes them, tight.
  static func decode(_ path: String, format: String, _ options: [String] = []) throws -> [UInt8] {
    try run(
      "ffmpeg",
      ["-v", "error", "-i", path] + options + ["-fps_mode", "passthrough", "-pix_fmt", format]
        + ["-f", "rawvideo", "-"])
  }
}
