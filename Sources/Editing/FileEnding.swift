import FrameCore

/// The kind of file that a path asks for by its extension.
enum FileEnding {
  /// - Parameter lack: what a path without one is, such as `has no extension of a table that is written`.
  /// - Throws: `SafelightError` listing the extensions if the path has none of them.
  static func format<Format: RawRepresentable<String> & CaseIterable>(
    of path: String, lack: String
  ) throws -> Format {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
    guard let format = Format(rawValue: ending) else {
      throw SafelightError(
        .unsupported, "\(path) \(lack)",
        remedy: "give " + Format.allCases.map { "." + $0.rawValue }.joined(separator: ", "))
    }
    return format
  }
}
