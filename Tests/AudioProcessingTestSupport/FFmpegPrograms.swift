import Foundation

/// FFmpeg's programs, as an independent reader of files.
public enum FFmpegPrograms {
  public static let areInstalled = ["ffmpeg", "ffprobe"].allSatisfy { path($0) != nil }

  private static func path(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile(atPath:))
  }

  /// Returns what a program writes to standard output, or throws what it writes to standard error if it
  /// fails.
  public static func run(_ name: String, _ arguments: [String]) throws -> [UInt8] {
    struct Failure: Error { var text: String }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path(name) ?? name)
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(text: String(decoding: text, as: UTF8.self)) }
    return Array(bytes)
  }

  /// Returns the values of a file's first stream and its container, by ffprobe's names.
  public static func probe(_ path: String) throws -> [String: String] {
    let text = try run(
      "ffprobe", ["-v", "error", "-show_streams", "-show_format", "-of", "default=noprint_wrappers=1", path])
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    return Dictionary(
      lines.compactMap { line in
        line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
      }
    ) { first, _ in first }
  }

  /// Returns a file's samples, interleaved.
  public static func samples(of path: String, from seconds: Double = 0) throws -> [Float] {
    let bytes = try run(
      "ffmpeg", ["-v", "error", "-ss", "\(seconds)", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"])
    return bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }
}
