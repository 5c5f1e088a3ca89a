/// Tells videos by their names, where an error is to say what takes them.
enum VideoNames {
  private static let pathExtensions: Set<String> = [
    "avi", "m2ts", "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "webm", "wmv",
  ]

  static func isOne(_ path: String) -> Bool {
    guard let dot = path.lastIndex(of: ".") else { return false }
    return pathExtensions.contains(path[path.index(after: dot)...].lowercased())
  }
}
