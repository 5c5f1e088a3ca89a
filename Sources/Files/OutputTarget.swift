import FrameCore
import Libc

/// The final path of a file written to a given path, and whether a file exists there.
struct OutputTarget {
  /// After following symbolic links, if they are to be followed.
  package let path: String
  /// Whether a regular file exists there and may be replaced.
  let replacesFile: Bool

  /// The limit of Linux.
  private static let mostLinks = 40

  /// - Parameter followsLinks: whether to write the target of a symbolic link rather than replace the link itself.
  /// - Throws: `SafelightError` if what exists there cannot or may not be replaced by a file.
  init(_ path: String, overwrite: Bool, followsLinks: Bool) throws {
    guard !path.isEmpty else {
      throw SafelightError(.invalidValue, "The name of the output file is empty", remedy: "give it a name")
    }
    guard !path.hasSuffix("/") else { throw OutputFile.isFolder(path) }
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      // Only if the kernel followed all links and found nothing: following them by hand after a refusal would
      // bypass the protection against links of other users (fs.protected_symlinks).
      guard errno == ENOENT || errno == ENOTDIR else { throw Self.lookupError(errno, path) }
      self.path = followsLinks ? try Self.followingLinks(path) : path
      replacesFile = false
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw OutputFile.isFolder(path)
    case S_IFREG: break
    case S_IFLNK:
      guard overwrite else { throw OutputFile.writeError(EEXIST, path: path) }
      // A link has no permissions to keep.
      (self.path, replacesFile) = (path, false)
      return
    default:
      throw SafelightError(
        .file, "Cannot write \(path): it is not a regular file", remedy: "give the name of a file")
    }
    guard overwrite else { throw OutputFile.writeError(EEXIST, path: path) }
    // A rename would replace it anyway, but removing the permission was meant to protect it.
    guard access(path, W_OK) == 0 else {
      throw SafelightError(
        .file, "Cannot write \(path): the file is write-protected",
        remedy: "choose another name or change its permissions")
    }
    self.path = followsLinks ? Self.resolvingLinks(path) : path
    replacesFile = true
  }

  /// Returns the reason why the object at a path cannot be determined.
  private static func lookupError(_ code: Int32, _ path: String) -> SafelightError {
    var status = stat()
    switch code {
    case ELOOP: return circle(path)
    case EACCES, EPERM:
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
        return OutputFile.folderError(code, path: path, folder: OutputFile.split(path).folder, isLink: false)
      }
      return SafelightError(
        .file, "Cannot write \(path): the link may not be followed",
        remedy: "give the name of the file that it leads to")
    // Includes names that are too long: the temporary one is not, and the rename would fail at the very end.
    default: return OutputFile.writeError(code, path: path)
    }
  }

  private static func circle(_ path: String) -> SafelightError {
    SafelightError(
      .file, "Cannot write \(path): its symbolic links lead in a circle", remedy: "give the name of a file")
  }

  /// Returns the path that a dangling link leads to: writing creates the file that it names, just as writing
  /// through a link to a file replaces that file.
  private static func followingLinks(_ path: String) throws -> String {
    var place = path
    for _ in 0...mostLinks {
      var status = stat()
      guard lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return place }
      var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let count = readlink(place, &bytes, bytes.count - 1)
      guard count > 0 else { throw OutputFile.writeError(errno, path: path) }
      let target = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let folder = OutputFile.split(place).folder
      place = target.hasPrefix("/") ? target : folder == "." ? target : folder + "/" + target
    }
    throw circle(path)
  }

  private static func resolvingLinks(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
