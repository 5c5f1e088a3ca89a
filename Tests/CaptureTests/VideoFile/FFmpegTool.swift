import TestSupport

/// The program ffmpeg, which makes the test files and is the independent source of what is in them.
enum FFmpegTool {
  /// Makes a file from a source of libavfilter, such as `testsrc2=size=64x48:rate=25:duration=1`.
  static func make(_ path: String, source: String, _ options: [String]) throws {
    try ExternalProgram.ffmpeg.run(["-v", "error", "-y", "-f", "lavfi", "-i", source] + options + [path])
  }

  /// All frames as ffmpeg decodes them, tight.
  static func decode(_ path: String, format: String, _ options: [String] = []) throws -> [UInt8] {
    try ExternalProgram.ffmpeg.run(
      ["-v", "error", "-i", path] + options + ["-fps_mode", "passthrough", "-pix_fmt", format]
        + ["-f", "rawvideo", "-"]
    ).output
  }
}
