import TestSupport

/// The program exiftool, which checks the metadata of files.
enum ExifTool {
  /// Returns what it complains about in some files, a line each; empty if nothing.
  static func complaints(_ paths: [String]) throws -> [String] {
    let arguments = ["-validate", "-warning", "-error", "-a", "-G1", "-s"] + paths
    let lines = try ExternalProgram.exiftool.transcript(arguments).split(separator: "\n").map(String.init)
    return lines.filter { line in
      !line.hasPrefix("====") && !line.contains("image files read") && !line.hasSuffix(": OK")
    }
  }
}
