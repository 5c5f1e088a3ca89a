import FrameCore
import PhotoIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whole files that people write by hand: recipes and tables.
public enum FileContents {
  /// Larger files are refused: a 256³ table takes about 450 MB as text.
  static let limit = 512 << 20

  /// - Parameter path: of a file, or a name of `ShippedFiles`.
  /// - Throws: `SafelightError(.file)` that says why the file cannot be read, `.tooLarge` beyond 512 MiB.
  public static func read(_ path: String) throws -> [UInt8] { try read(path, atMost: limit) }

  /// A file that another file names: `read`, and nothing but a regular file, since whoever wrote that name may mean harm,
  /// and a pipe keeps its reader waiting.
  public static func readRegular(_ path: String) throws -> [UInt8] {
    try read(path, atMost: limit, onlyRegular: true)
  }

  /// - Parameters:
  ///   - limit: the most bytes that the file may have, in whole MiB.
  ///   - onlyRegular: whether pipes, devices and the like are refused.
  static func read(_ path: String, atMost limit: Int, onlyRegular: Bool = false) throws -> [UInt8] {
    guard !path.hasPrefix(ShippedFiles.prefix) else { return try ShippedFiles.contents(path) }
    func failure(_ remedy: String) -> SafelightError {
      SafelightError(.file, "Cannot read \(path): \(String(cString: strerror(errno)))", remedy: remedy)
    }
    // Opening a pipe waits for its writer, unless it is told not to.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | (onlyRegular ? O_NONBLOCK : 0))
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR:
        throw SafelightError(
          .file, "Cannot read \(path): there is no such file", remedy: "check the spelling")
      case EACCES, EPERM:
        throw SafelightError(
          .file, "Cannot read \(path): permission is denied", remedy: "change the file's permissions")
      default: throw failure("check the path")
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("check the path") }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw SafelightError(.file, "Cannot read \(path): it is a folder", remedy: "name a file in it")
    }
    guard !onlyRegular || status.st_mode & S_IFMT == S_IFREG else {
      throw SafelightError(
        .file, "Cannot read \(path): it is not a regular file", remedy: "name a regular file")
    }
    guard status.st_size <= limit else {
      throw SafelightError(
        .tooLarge, "Cannot read \(path): it is larger than \(limit >> 20) MiB",
        remedy: "give a smaller file")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: max(65_536, Int(status.st_size) + 1))
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("check the disk") }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= limit else {
        throw SafelightError(
          .tooLarge, "Cannot read \(path): it is larger than \(limit >> 20) MiB",
          remedy: "give a smaller file")
      }
    }
  }

  /// Writes a file that appears only whole.
  ///
  /// - Throws: `SafelightError`: `.exists` where a file is there and `overwrite` is false.
  public static func write(_ bytes: [UInt8], to path: String, overwrite: Bool = false) throws {
    let file = try OutputFile(path: path, overwrite: overwrite)
    try file.write(bytes)
    try file.commit()
  }

  /// - Throws: `SafelightError(.file)` where a file at `path` could not be written: its folder is missing or may not be
  ///   written to, or it is a folder itself.
  public static func checkWritable(_ path: String) throws {
    let file = try OutputFile(path: path, overwrite: true)
    file.discard()
  }

  /// The path of `name` in a folder, which is the working folder where it is empty.
  public static func path(_ name: String, in folder: String) -> String {
    FolderListing.path(name, in: folder)
  }

  /// The folder that relative paths start from; nil where it is gone.
  public static var workingFolder: String? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return String(validatingCString: path)
  }

  /// What a path leads to.
  public enum Kind: Sendable, Hashable {
    case file, folder, missing
  }

  public static func kind(of path: String) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  /// Whether a path leads to a regular file: not a folder, a device or a pipe.
  public static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether both paths lead to the same existing file.
  public static func areSame(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Whether files written to both paths would be one, though neither may exist yet.
  public static func nameOneFile(_ a: String, _ b: String) -> Bool {
    func resolved(_ path: String) -> String? {
      guard let folder = realpath(FolderListing.parent(of: path), nil) else { return nil }
      defer { free(folder) }
      return String(cString: folder) + "/" + (path.split(separator: "/").last ?? "")
    }
    if areSame(a, b) { return true }
    guard let first = resolved(a), let second = resolved(b) else { return a == b }
    return PathKey(first) == PathKey(second)
  }

  /// Makes a folder, and the folders that it lies in, where there are none.
  public static func makeFolders(_ path: String) throws {
    guard kind(of: path) != .folder else { return }
    let parent = FolderListing.parent(of: path)
    if parent != path, parent != ".", kind(of: parent) == .missing { try makeFolders(parent) }
    try makeFolder(path)
  }

  /// Makes a folder where there is none; its parent must exist.
  public static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o777) != 0 else { return }
    if errno == EEXIST {
      guard kind(of: path) == .file else { return }
      throw SafelightError(
        .file, "Cannot make the folder \(path): there is a file of this name", remedy: "choose another name")
    }
    let problem = "Cannot make the folder \(path): "
    switch errno {
    case ENOENT where path.isEmpty:
      throw SafelightError(.invalidValue, "The name of the folder is empty", remedy: "give it a name")
    case ENOENT:
      throw SafelightError(
        .file, problem + "the folder that it would be in does not exist", remedy: "create that first")
    case ENOTDIR:
      throw SafelightError(
        .file, problem + "what it would be in is not a folder", remedy: "choose another place")
    case EACCES, EPERM:
      throw SafelightError(.file, problem + "permission is denied", remedy: "choose another place")
    case ENOSPC, EDQUOT:
      throw SafelightError(
        .noSpace, problem + "the disk is full", remedy: "free some space and try again")
    default:
      throw SafelightError(
        .file, problem + String(cString: strerror(errno)), remedy: "choose another place")
    }
  }
}

/// read(2); a method named `read` hides it above.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
