import FrameCore
import Libc

/// Whole files: recipes, tables, lists, reports.
public enum FileContents {
  /// Writes a file that appears only when complete.
  ///
  /// - Returns: the attributes of a replaced file that could not be kept, one sentence each.
  /// - Throws: `SafelightError`: `.exists` if the file exists and `overwrite` is false.
  @discardableResult
  public static func write(_ bytes: [UInt8], to path: String, overwrite: Bool = false) throws -> [String] {
    let file = try OutputFile(path: path, overwrite: overwrite)
    try file.write(bytes)
    try file.commit()
    return file.warnings
  }

  /// - Throws: `SafelightError(.file)` if a file at `path` could not be written: because its folder is missing or
  ///   not writable, or because it is a folder itself.
  package static func checkWritable(_ path: String) throws {
    let file = try OutputFile(path: path, overwrite: true)
    file.discard()
  }

  /// Returns the path of `name` in a folder; an empty folder is the working folder.
  public static func path(_ name: String, in folder: String) -> String {
    FolderListing.path(name, in: folder)
  }

  /// The folder that relative paths start from; nil if it no longer exists.
  package static var workingFolder: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(validatingCString: path)
  }

  /// The kind of object at a path.
  public enum Kind: Sendable, Hashable {
    case file, folder, missing
  }

  /// Returns what a path leads to; symbolic links are followed, and devices and pipes count as files.
  public static func kind(of path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// Whether a path leads to a regular file, not to a folder, a device or a pipe.
  package static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the size of a regular file in bytes; nil for anything else.
  package static func size(of path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Whether both paths lead to the same existing file.
  package static func areSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Whether files written to both paths would be the same file, even if neither exists yet.
  package static func nameOneFile(_ a: String, _ b: String) -> Bool {
    func resolved(_ path: String) -> String? {
      guard let folder = realpath(FolderListing.parent(of: path), nil) else { return nil }
      defer { free(folder) }
      return String(cString: folder) + "/" + (path.split(separator: "/").last ?? "")
    }
    if areSame(a, b) { return true }
    guard let first = resolved(a), let second = resolved(b) else { return a == b }
    return PathKey(first) == PathKey(second)
  }
}
