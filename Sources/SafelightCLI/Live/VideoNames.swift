/// Recognizes videos by their names, so that an error can suggest the command for them.
enum VideoNames {
  private static let pathExtensions: Set<String> = [
    "avi", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "webm", "wmv",
  ]

  static func isOne(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: ".") else { return false }
    return pathExtensions.contains(path[path.index(after: dot)...].lowercased())
  }
}
