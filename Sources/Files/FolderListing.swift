import FrameCore
import Libc

/// The identity of the file that a path leads to, whatever its name.
package struct FileIdentity: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64
  package let isFolder: Bool

  /// Follows symbolic links; nil if nothing exists there.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }

  /// Returns the files that paths lead to, each with the first such path, so that membership can be tested without
  /// examining all of them again.
  ///
  /// - Parameter identity: how a file is examined; tests count how often that is done.
  package static func paths(
    of paths: [String], identity: (String) -> FileIdentity? = FileIdentity.init
  ) -> [FileIdentity: String] {
    Dictionary(paths.compactMap { path in identity(path).map { ($0, path) } }) { first, _ in first }
  }
}

/// The names in a folder.
package enum FolderListing {
  /// - Returns: the names in natural order, without hidden ones; separately, in readable form, those that are not
  ///   UTF-8, because such files cannot be named here.
  /// - Throws: `SafelightError(.file)` if the folder cannot be read.
  package static func names(in folder: String) throws -> (names: [String], unreadable: [String]) {
    guard let directory = opendir(folder.isEmpty ? "." : folder) else {
      throw SafelightError(
        .file, "Cannot read the folder \(folder): \(errorText(errno))",
        remedy: "check its permissions")
    }
    defer { closedir(directory) }
    var (names, unreadable): ([String], [String]) = ([], [])
    errno = 0
    while let entry = readdir(directory) {
      // The array in the structure is longer than what readdir guarantees.
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes.first != UInt8(ascii: ".") else { continue }
      if let name = String(validating: bytes, as: UTF8.self) {
        names.append(name)
      } else {
        unreadable.append(String(decoding: bytes, as: UTF8.self))
      }
      errno = 0
    }
    guard errno == 0 else {
      throw SafelightError(
        .file, "Cannot read the folder \(folder): \(errorText(errno))",
        remedy: "check the disk")
    }
    return (names.sorted(by: naturallyPrecedes), unreadable)
  }

  /// Returns the error for a name that is not UTF-8.
  package static func unreadableName(_ path: String) -> SafelightError {
    SafelightError(
      .file, "Cannot read \(path): its name is not UTF-8", remedy: "rename it, for example with convmv")
  }

  package static func path(_ name: String, in folder: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// Returns the folder that contains `path`; `.` for a bare name.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether an untrusted name relative to a folder stays below it. The empty name is the folder itself.
  package static func isBelowFolder(_ name: String) -> Bool {
    let bytes = name.utf8
    guard let first = bytes.first, first != 0x2F, !bytes.contains(0) else { return bytes.isEmpty }
    guard bytes.contains(0x2E) || bytes.last == 0x2F else { return true }
    return !name.split(separator: "/", omittingEmptySubsequences: false).contains {
      $0.isEmpty || $0 == "." || $0 == ".."
    }
  }
}
