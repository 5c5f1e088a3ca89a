import FrameCore
import Libc

/// A program of the user's and its arguments, which no shell reads.
public struct ExternalCommand: Sendable, Hashable {
  /// The words as they were written: the program's name first.
  public let words: [String]
  /// The path of the program.
  public let path: String

  /// Splits a line into words, and finds the program as a shell would: a name with a slash is a path, others are looked
  /// up in `PATH`.
  ///
  /// Words are separated by blanks. Within '…' every character stands for itself; within "…" too, but for \" and \\.
  /// Elsewhere a backslash takes the next character as it is. There are no variables, patterns, pipes or
  /// redirections: for those, name a script or `sh -c '…'`.
  ///
  /// - Throws: `SafelightError(.invalidValue)` for an empty line or a quote that is not closed, `.file` if there is no
  ///   such program or it may not be run.
  public init(_ line: String) throws {
    words = try Self.words(of: line)
    path = try Self.program(words[0])
  }

  static func words(of line: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in line {
      if isEscaped {
        isEscaped = false
        let stays = quote == "\"" && character != "\"" && character != "\\"
        word = (word ?? "") + (stays ? "\\" : "") + String(character)
      } else if character == "\\", quote != "'" {
        isEscaped = true
        word = word ?? ""
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else {
      throw SafelightError(
        .invalidValue, "The command “\(NearestName.shortened(line))” ends within a quote",
        remedy: "close it, or write \\\\ for a backslash")
    }
    if let whole = word { words.append(whole) }
    guard let first = words.first, !first.isEmpty else {
      throw SafelightError(
        .invalidValue, "The command is empty",
        remedy: "give a program and its arguments, such as './notify door'")
    }
    guard !words.contains(where: { $0.utf8.contains(0) }) else {
      throw SafelightError(.invalidValue, "The command contains a NUL character", remedy: "leave it out")
    }
    return words
  }

  private static func program(_ name: String) throws -> String {
    let folders =
      name.contains("/")
      ? []
      : (getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin")
        .split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? "." : String($0) }
    let candidates = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
    var hasFile = false
    for path in candidates {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      hasFile = true
      if access(path, X_OK) == 0 { return path }
    }
    if hasFile {
      throw SafelightError(
        .file, "\(name) may not be run as a program", remedy: "make it executable with chmod +x")
    }
    throw SafelightError(
      .file, "There is no program \(NearestName.shortened(name))",
      remedy: name.contains("/") ? "check its path" : "install it, or give its path")
  }
}
