import ArgumentParser
import Safelight

/// `--overwrite`, of commands that write files which were named.
struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace files that exist; files that the command reads are never replaced")
  var overwrite = false
}

/// The named files that a command writes, checked before it writes any of them.
///
/// The rule, which docs/overwriting.md tells: nothing that exists is replaced unless the user says so, and what the command
/// reads is not replaced at all.
struct OutputFiles {
  /// A file that the command reads.
  struct Input {
    let path: String
    /// What it is, for messages: `the recipe`.
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

  /// The files that an edit was made of, and what came through standard input.
  mutating func read(_ files: FileSnapshot, recipe: String?) {
    read(recipe, "the recipe of this edit")
    read(files.paths.filter { $0 != recipe }, "a file of this edit")
  }

  /// Refuses a file that must not be written.
  ///
  /// - Parameters:
  ///   - flag: what names it.
  ///   - isOwn: whether a file that exists was written by an earlier run, and holds nothing else.
  /// - Throws: `SafelightError`: `.exists` where `--overwrite` would do.
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

  /// Refuses to replace what is read; to be called again when more is known of that.
  func check(_ path: String) throws {
    guard FileContents.kind(of: path) == .file,
      let input = inputs.first(where: { FileContents.areSame($0.path, path) })
    else { return }
    throw SafelightError(
      .invalidValue, "\(path) is \(input.role), and what is read is never replaced",
      remedy: "write to another name")
  }

  /// As `check`, all files that were to be written so far.
  func check() throws { for output in outputs { try check(output.path) } }

  static func exists(_ path: String) -> SafelightError {
    SafelightError(
      .exists, "\(path) exists already", remedy: "give --overwrite to replace it, or another name")
  }
}

extension SafelightError {
  /// The error as the command line tells it: with its own flag in place of what a program would do.
  var forCommandLine: SafelightError {
    guard code == .exists, !remedy.contains("--") else { return self }
    return SafelightError(code, problem, remedy: "give --overwrite to replace it, or another name")
  }
}
