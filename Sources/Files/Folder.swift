import FrameCore
import Libc

/// Creates folders.
package enum Folder {
  /// The bytes that an unprivileged user may still write on the file system of a path; nil if it cannot be asked.
  package static func freeSpace(at path: String) -> Int64? {
    var status = statvfs()
    // File systems such as /proc have no blocks, so nothing is said of them.
    return statvfs(path, &status) == 0 && status.f_blocks > 0 ? freeSpace(status) : nil
  }

  /// The bytes that an unprivileged user may still write on a file system.
  static func freeSpace(_ status: statvfs) -> Int64 {
    Int64(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
  }

  /// Creates a folder and its missing parents.
  ///
  /// - Parameter permissions: for the folders created, before the process's umask.
  /// - Throws: `SafelightError`: `.file` if it cannot be created, `.noSpace` if the disk is full.
  package static func makeWithParents(_ path: String, permissions: mode_t = 0o777) throws {
    guard FileContents.kind(of: path) != .folder else { return }
    let parent = FolderListing.parent(of: path)
    if parent != path, parent != ".", FileContents.kind(of: parent) == .missing {
      try makeWithParents(parent, permissions: permissions)
    }
    try make(path, permissions: permissions)
  }

  /// Creates a folder unless it exists; its parent must exist.
  package static func make(_ path: String, permissions: mode_t = 0o777) throws {
    guard mkdir(path, permissions) != 0 else { return }
    if errno == EEXIST {
      guard FileContents.kind(of: path) == .file else { return }
      throw SafelightError(
        .file, "Cannot create the folder \(path): there is a file with this name",
        remedy: "choose another name")
    }
    let problem = "Cannot create the folder \(path): "
    switch errno {
    case ENOENT where path.isEmpty:
      throw SafelightError(.invalidValue, "The name of the folder is empty", remedy: "give it a name")
    case ENOENT:
      throw SafelightError(
        .file, problem + "its parent folder does not exist", remedy: "create that first")
    case ENOTDIR:
      throw SafelightError(
        .file, problem + "its parent is not a folder", remedy: "choose another place")
    case EACCES, EPERM:
      throw SafelightError(.file, problem + "permission is denied", remedy: "choose another place")
    case ENOSPC, EDQUOT:
      throw SafelightError(
        .noSpace, problem + "the disk is full", remedy: "free some space and try again")
    default:
      throw SafelightError(
        .file, problem + errorText(errno), remedy: "choose another place")
    }
  }
}
