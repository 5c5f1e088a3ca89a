import Foundation
import TestSupport
import Testing

/// The programs ffmpeg and ffprobe: the independent source of what is in the files that we write.
enum MediaProgram {
  static let reason: Comment = "the programs ffmpeg and ffprobe are not installed"
  static let isInstalled = ["ffmpeg", "ffprobe"].allSatisfy { tool in
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)")
    }
  }

  struct Output {
    var bytes: [UInt8]
    var complaints: String
  }

  /// Runs a program, which must succeed.
  @discardableResult
  static func run(_ tool: String, _ arguments: [String]) throws -> Output {
    // Into files, so that no pipe fills up.
    let scratch = try Scratch()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, scratch("output"), O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, scratch("complaints"), O_WRONLY | O_CREAT, 0o600)
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
    let complaints = String(decoding: try scratch.read("complaints"), as: UTF8.self)
    try #require(status == 0, "\(tool) \(arguments.joined(separator: " ")): \(complaints)")
    return Output(bytes: try scratch.read("output"), complaints: complaints)
  }

  /// All pictures as ffmpeg decodes them, tight. Its complaints about the file are a failure.
  static func decodeVideo(_ path: String, format: String) throws -> [UInt8] {
    let output = try run(
      "ffmpeg",
      ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-pix_fmt", format]
        + ["-f", "rawvideo", "-"])
    #expect(output.complaints == "", "\(path)")
    return output.bytes
  }

  /// The sound as ffmpeg decodes it, interleaved, with what the file declares as padding left out.
  ///
  /// - Parameter startsAtZero: leaves out what lies before time 0, as players do. FFmpeg 5.1 does not trim
  ///   AAC in Matroska by itself.
  static func decodeAudio(_ path: String, startsAtZero: Bool = false) throws -> [Float] {
    let trim = startsAtZero ? ["-af", "aresample=async=1:first_pts=0"] : []
    let output = try run(
      "ffmpeg", ["-v", "error", "-copyts", "-i", path, "-map", "0:a"] + trim + ["-f", "f32le", "-"])
    #expect(output.complaints == "", "\(path)")
    return output.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// What ffprobe says of each packet of a kind of stream: its time in seconds, and whether decoding can
  /// begin there.
  static func packets(_ path: String, _ stream: String = "v:0") throws -> [(time: Double, isKey: Bool)] {
    try lines(path, ["-select_streams", stream, "-show_entries", "packet=pts_time,flags"]).map { line in
      let fields = line.split(separator: ",")
      return (try #require(Double(fields[0])), fields[1].contains("K"))
    }
  }

  /// What ffprobe says of a stream, by name.
  static func stream(_ path: String, _ stream: String = "v:0") throws -> [String: String] {
    let output = try run(
      "ffprobe",
      ["-v", "error", "-select_streams", stream, "-show_streams", "-of", "default=noprint_wrappers=1", path])
    let text = String(decoding: output.bytes, as: UTF8.self)
    return text.split(separator: "\n").reduce(into: [:]) { result, line in
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
    }
  }

  static func lines(_ path: String, _ options: [String]) throws -> [String] {
    let output = try run("ffprobe", ["-v", "error"] + options + ["-of", "csv=p=0", path])
    return String(decoding: output.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
