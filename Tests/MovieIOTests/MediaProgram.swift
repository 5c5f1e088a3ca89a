import TestSupport
import Testing

/// The programs ffmpeg and ffprobe: the independent source of what is in the files that we write.
enum MediaProgram {
  /// All pictures as ffmpeg decodes them, tight. Its complaints about the file are a failure.
  static func decodeVideo(_ path: String, format: String) throws -> [UInt8] {
    let outcome = try ExternalProgram.ffmpeg.run(
      ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-pix_fmt", format]
        + ["-f", "rawvideo", "-"])
    #expect(outcome.errorText == "", "\(path)")
    return outcome.output
  }

  /// The sound as ffmpeg decodes it, interleaved, with what the file declares as padding left out.
  ///
  /// - Parameter startsAtZero: leaves out what lies before time 0, as players do. FFmpeg 5.1 does not trim
  ///   AAC in Matroska by itself.
  static func decodeAudio(_ path: String, startsAtZero: Bool = false) throws -> [Float] {
    let trim = startsAtZero ? ["-af", "aresample=async=1:first_pts=0"] : []
    let outcome = try ExternalProgram.ffmpeg.run(
      ["-v", "error", "-copyts", "-i", path, "-map", "0:a"] + trim + ["-f", "f32le", "-"])
    #expect(outcome.errorText == "", "\(path)")
    return outcome.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
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
    let text = try ExternalProgram.ffprobe.run(
      ["-v", "error", "-select_streams", stream, "-show_streams", "-of", "default=noprint_wrappers=1", path]
    ).text
    return text.split(separator: "\n").reduce(into: [:]) { result, line in
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
    }
  }

  /// The lines that ffprobe prints for a query.
  static func lines(_ path: String, _ options: [String]) throws -> [String] {
    try ExternalProgram.ffprobe.run(["-v", "error"] + options + ["-of", "csv=p=0", path]).text
      .split(separator: "\n").map(String.init)
  }

  /// The lines that ffprobe prints for a query, with what it complains about.
  static func transcript(_ path: String, _ query: String...) throws -> [String] {
    try ExternalProgram.ffprobe.transcript(["-v", "error", "-of", "csv=p=0"] + query + [path])
      .split(separator: "\n").map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
      .filter { !$0.hasPrefix("Unsupported codec") }
  }
}
