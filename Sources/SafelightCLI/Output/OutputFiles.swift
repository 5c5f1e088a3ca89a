import ArgumentParser
import Safelight

/// `--overwrite`, for commands that write named files.
struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace existing files; files that the command reads are never replaced")
  var overwrite = false
}

/// The named files that a command writes, checked before it writes any of them.
///
/// The rule, as in docs/overwriting.md: no existing file is replaced unless the user requests it, and the
/// command's inputs are never replaced.
struct OutputFiles {
  /// A file that the command reads.
  struct Input {
    let path: String
    /// Its role, for messages: `the recipe`.
    let role: String
  }

  let overwrite: Bool
  private(set) var inputs: [Input] = []
  private var outputs: [(path: String, flag: String)] = []

  init(overwrite: Bool) { self.overwrite = overwrite }

  mutating func read(_ paths: [String], _ role: String) {
    inputs += paths.map { Input(path: $0, role: role) }
  }
  mutating func read(_ path: String?, _ role: String) { if let path { read([path], role) } }

  /// Adds the files that an edit was made from, including standard input.
  mutating func read(_ files: FileSnapshot, recipe: String?) {
    read(recipe, "the recipe of this edit")
    read(files.paths.filter { $0 != recipe }, "a file of this edit")
  }

  /// Rejects a file that must not be written.
  ///
  /// - Parameters:
  ///   - flag: the flag that names it.
  ///   - isOwn: whether an existing file was written by an earlier run and contains nothing else.
  /// - Throws: `SafelightError`; `.exists` if `--overwrite` would allow it.
  mutating func write(_ path: String, _ flag: String, isOwn: (String) -> Bool = { _ in false }) throws {
    try check(path)
    if let other = outputs.first(where: { FileContents.nameOneFile($0.path, path) }) {
      throw SafelightError(
        .invalidValue, "\(other.flag) and \(flag) name the same file, \(path)",
        remedy: "give each a name of its own")
    }
    outputs.append((path, flag))
    guard !overwrite, FileContents.isRegular(path), !isOwn(path) else { return }
    throw Self.exists(path)
  }

  /// Rejects replacing an input; to be called again when more inputs are known.
  func check(_ path: String) throws {
    guard FileContents.kind(of: path) == .file,
      let input = inputs.first(where: { FileContents.areSame($0.path, path) })
    else { return }
    throw SafelightError(
      .invalidValue, "\(path) is \(input.role), and inputs are never replaced",
      remedy: "write to another name")
  }

  /// Checks all files registered for writing so far.
  func check() throws { for output in outputs { try check(output.path) } }

  static func exists(_ path: String) -> SafelightError {
    SafelightError(
      .exists, "\(path) already exists", remedy: "give --overwrite to replace it, or another name")
  }
}

extension SafelightError {
  /// The error as reported on the command line: with its own flag instead of the API's remedy.
  var forCommandLine: SafelightError {
    // Commands that replace nothing say so themselves.
    guard code == .exists, !remedy.contains("--"), !problem.contains("replace nothing") else { return self }
    return SafelightError(code, problem, remedy: "give --overwrite to replace it, or another name")
  }
}
