import CFiles
import FrameCore
import Libc

/// A file that appears under its name only when it is complete.
///
/// It is written under a temporary name in the same folder; `commit` makes it durable and renames it. Until then
/// it is removed on every error, on `discard`, when its last reference is released and (with `TemporaryFiles`
/// installed) on SIGINT, SIGTERM and SIGHUP, and an existing file of the same name stays untouched.
package final class OutputFile {
  /// The suffix of temporary names.
  package static let temporarySuffix = ".tmp"

  /// The name given by the caller.
  package let path: String
  /// Open for writing until `commit` or `discard`, then -1.
  package private(set) var descriptor: Int32 = -1

  private let folder: Descriptor
  private let name: String
  private let temporaryName: String
  private let overwrite: Bool
  private var slot: Int32 = -1
  /// The attributes of the replaced file that could not be kept, one sentence each.
  package private(set) var warnings: [String] = []
  /// The version that must still be under the name for it to be replaced; nil replaces any.
  package var replaced: FileVersion?

  /// - Parameter followsLinks: whether the target of a symbolic link is written, which need not exist yet; if
  ///   false the link itself is replaced, for callers that may write only below a folder. Links among the folders
  ///   of `path` are always followed.
  /// - Throws: `SafelightError(.file)` if the folder is missing or not writable, or if `path` is a folder or not a
  ///   regular file; `.exists` if the file exists and `overwrite` is false.
  package init(path: String, overwrite: Bool = false, followsLinks: Bool = true) throws {
    self.path = path
    self.overwrite = overwrite
    let target = try OutputTarget(path, overwrite: overwrite, followsLinks: followsLinks)
    let (folderPath, fileName) = Self.split(target.path)
    name = fileName

    let folderNumber = retryingInterrupted { open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard folderNumber >= 0 else {
      throw Self.folderError(errno, path: path, folder: folderPath, isLink: target.path != path)
    }
    folder = Descriptor(folderNumber)

    // The replaced file may be private: until this one has its permissions, nobody else may open it.
    let mode: mode_t = target.replacesFile ? 0o600 : 0o666
    var temporary = ""
    var number: Int32 = -1
    var failure: Int32 = 0
    repeat {
      temporary = Self.makeTemporaryName(for: fileName)
      // Before the file is there: a signal may come right after.
      slot = temporary_files_add(folderNumber, temporary)
      number = retryingInterrupted {
        openat(folderNumber, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      }
      failure = errno
      if number < 0 { temporary_files_remove(slot) }
    } while number < 0 && failure == EEXIST
    temporaryName = temporary
    guard number >= 0 else {
      throw Self.folderError(failure, path: path, folder: folderPath, isLink: target.path != path)
    }
    descriptor = number
    // To its users, it is the same file with other contents; a new file has the permissions that the umask leaves.
    if target.replacesFile { warnings = Self.keepAttributes(of: target.path, in: number, path: path) }
  }

  private static func keepAttributes(of old: String, in descriptor: Int32, path: String) -> [String] {
    let lost = Int(cfiles_keep_attributes(old, descriptor))
    var warnings: [String] = []
    if lost & Int(CFILES_OWNER) != 0 {
      warnings.append("\(path) belonged to another user; only root can keep that, so it is yours now")
    }
    if lost & Int(CFILES_GROUP) != 0 {
      warnings.append("\(path) had a group that you are not in; it has one of yours now")
    }
    if lost & Int(CFILES_EXTENDED) != 0 {
      warnings.append("\(path) had permissions or extended attributes that could not be kept")
    }
    return warnings
  }

  deinit { discard() }

  /// Appends bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var done = 0
    while done < bytes.count {
      let written = retryingInterrupted {
        Self.writeCall(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      }
      // A regular file accepts no bytes without setting errno only if the disk is full.
      guard written > 0 else { throw failure(written < 0 ? errno : ENOSPC) }
      done += written
    }
  }

  package func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

  /// The number of bytes written so far.
  package var length: Int {
    get throws {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
      return Int(status.st_size)
    }
  }

  /// Flushes what was written to the disk.
  package func sync() throws {
    if retryingInterrupted({ fsync(descriptor) }) != 0 { throw failure(errno) }
  }

  /// Flushes the file to the disk, if `durable`, and gives it its name.
  ///
  /// - Throws: `SafelightError`, also if the file under the name is no longer `replaced`; that file is then kept.
  package func commit(durable: Bool = true) throws {
    if durable { try sync() }
    let number = descriptor
    descriptor = -1
    // Network file systems report a full disk here at the latest. Linux closes the descriptor even if interrupted.
    if close(number) != 0, errno != EINTR { throw failure(errno) }
    // As late as possible: only these two calls separate the check from the rename.
    if let replaced, FileVersion(path) != replaced {
      discard()
      throw SafelightError(
        .file, "Cannot replace \(path): another program has changed it in the meantime",
        remedy: "edit it again")
    }
    guard rename() == 0 else { throw failure(errno) }
    temporary_files_remove(slot)
    slot = -1
    committed = true
    // Some file systems cannot sync a folder; the file itself is safe by then.
    if durable, retryingInterrupted({ fsync(folder.number) }) != 0, ![EINVAL, ENOTSUP].contains(errno) {
      throw Self.writeError(errno, path: path)
    }
  }
  private var committed = false

  /// Removes the temporary file. Does nothing after `commit`.
  package func discard() {
    if descriptor >= 0 {
      close(descriptor)
      descriptor = -1
    }
    guard !committed, !temporaryName.isEmpty else { return }
    unlinkat(folder.number, temporaryName, 0)
    temporary_files_remove(slot)
    slot = -1
    committed = true
  }

  /// Removes the temporary file and returns the error for a write that failed with `code`.
  package func failure(_ code: Int32) -> SafelightError {
    discard()
    return Self.writeError(code, path: path)
  }

  private func rename() -> Int32 {
    if overwrite { return renameat(folder.number, temporaryName, folder.number, name) }
    // Another program may have created the file meanwhile: a link fails if the name is taken, a rename would
    // replace it.
    let isLinked = linkat(folder.number, temporaryName, folder.number, name, 0) == 0
    let code = errno
    // A network's server that answers late is asked again, and then finds the link that it has made itself.
    guard !isLinked, !(code == EEXIST && isOwn(name)) else {
      // The file is complete under its name; a leftover second name is no reason to report failure.
      unlinkat(folder.number, temporaryName, 0)
      return 0
    }
    // FAT and some network file systems do not support links.
    var status = stat()
    guard code != EEXIST, fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else {
      errno = EEXIST
      return -1
    }
    return renameat(folder.number, temporaryName, folder.number, name)
  }

  /// Whether a name in the folder is one of the temporary file.
  private func isOwn(_ name: String) -> Bool {
    var (own, other) = (stat(), stat())
    return fstatat(folder.number, temporaryName, &own, AT_SYMLINK_NOFOLLOW) == 0
      && fstatat(folder.number, name, &other, AT_SYMLINK_NOFOLLOW) == 0
      && (own.st_dev, own.st_ino) == (other.st_dev, other.st_ino)
  }

  private static func writeCall(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, base, count)
    #else
      Musl.write(descriptor, base, count)
    #endif
  }

  /// - Throws: `SafelightError(.file)` if `path` is a folder or ends like one.
  package static func refuseFolder(_ path: String) throws {
    var status = stat()
    let exists = stat(path, &status) == 0
    if path.hasSuffix("/") || exists && status.st_mode & S_IFMT == S_IFDIR { throw isFolder(path) }
  }

  package static func isFolder(_ path: String) -> SafelightError {
    SafelightError(.file, "Cannot write \(path): it is a folder", remedy: "give the name of a file")
  }

  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
  }

  /// Returns a hidden name within the limit of 255 bytes that no other process creates.
  private static func makeTemporaryName(for name: String) -> String {
    temporaryPrefix(for: name) + String(UInt64.random(in: .min ... .max), radix: 36) + temporarySuffix
  }

  /// Returns the prefix of the temporary names of `name`; up to 13 digits and lower-case letters and the suffix
  /// follow. It is unique to `name`: if truncated, a hash of the whole name replaces the rest.
  package static func temporaryPrefix(for name: String) -> String {
    let bytes = Array(name.utf8)
    guard bytes.count > 200 else { return ".\(name)." }
    var length = 180
    // Not in the middle of a character.
    while length > 0, bytes[length] & 0xC0 == 0x80 { length -= 1 }
    // FNV-1a with 64 bits, www.isthe.com/chongo/tech/comp/fnv.
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return ".\(String(decoding: bytes[..<length], as: UTF8.self))~\(String(hash, radix: 16))."
  }

  static func folderError(_ code: Int32, path: String, folder: String, isLink: Bool)
    -> SafelightError
  {
    switch code {
    case ENOENT where isLink:
      SafelightError(
        .file, "Cannot write \(path): it is a link into the folder \(folder), which does not exist",
        remedy: "create that first, or give another name")
    // As in /proc.
    case ENOENT where FileContents.kind(of: folder) == .folder:
      SafelightError(
        .file, "Cannot write \(path): the folder \(folder) takes no files", remedy: "choose another folder")
    case ENOENT:
      SafelightError(
        .file, "Cannot write \(path): the folder \(folder) does not exist", remedy: "create it first")
    case ENOTDIR:
      SafelightError(
        .file, "Cannot write \(path): \(folder) is not a folder", remedy: "choose another place")
    case EACCES, EPERM:
      SafelightError(
        .file, "Cannot write \(path): the folder \(folder) is not writable",
        remedy: "choose another folder or change its permissions")
    default: writeError(code, path: path)
    }
  }

  static func writeError(_ code: Int32, path: String) -> SafelightError {
    let problem = "Cannot write \(path): "
    return switch code {
    case EEXIST:
      SafelightError(
        .exists, problem + "the file already exists", remedy: "allow overwriting or choose another name")
    case ENOSPC:
      SafelightError(.noSpace, problem + "the disk is full", remedy: "free some space and try again")
    case EDQUOT:
      SafelightError(
        .noSpace, problem + "your disk quota is used up", remedy: "free some space and try again")
    case EFBIG:
      SafelightError(
        .file, problem + "the file would exceed the limit for its size", remedy: "raise the limit (ulimit -f)"
      )
    case EROFS:
      SafelightError(
        .file, problem + "the file system is read-only", remedy: "choose another folder")
    case ENAMETOOLONG:
      SafelightError(.file, problem + "the name is too long", remedy: "choose a shorter one")
    default: SafelightError(.file, problem + errorText(code), remedy: "check the disk and try again")
    }
  }
}

/// The temporary files of writers in progress.
public enum TemporaryFiles {
  /// Makes SIGINT, SIGTERM and SIGHUP remove unfinished files before they end the process.
  ///
  /// For command lines, once at startup. Signals already ignored or handled are left alone.
  public static func removeOnSignals() { temporary_files_install_signal_handlers() }
}
