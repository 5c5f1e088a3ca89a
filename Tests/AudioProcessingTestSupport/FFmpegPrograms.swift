import TestSupport

/// FFmpeg's programs, as an independent reader of files.
public enum FFmpegPrograms {
  /// Returns the values of a file's first stream and its container, by ffprobe's names.
  public static func probe(_ path: String) throws -> [String: String] {
    let text = try ExternalProgram.ffprobe.run(
      ["-v", "error", "-show_streams", "-show_format", "-of", "default=noprint_wrappers=1", path]
    ).text
    let lines = text.split(separator: "\n")
    return Dictionary(
      lines.compactMap { line in
        line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
      }
    ) { first, _ in first }
  }

  /// Returns a file's samples, interleaved.
  public static func samples(of path: String, from seconds: Double = 0) throws -> [Float] {
    let bytes = try ExternalProgram.ffmpeg.run(
      ["-v", "error", "-ss", "\(seconds)", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"]
    ).output
    return bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }
}
