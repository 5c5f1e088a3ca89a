import CFiles
import FrameCore
import Libc

/// A file that appears under its name only when it is complete.
///
/// It is written under a temporary name in the same folder; `commit` makes it durable and renames it. Until
/// then every error, `discard`, the last reference going and (with `TemporaryFiles` installed) SIGINT, SIGTERM
/// and SIGHUP remove it, and what stood under the name before stays untouched.
package final class OutputFile {
  /// How temporary names end.
  package static let temporarySuffix = ".tmp"

  /// The name that the caller gave.
  package let path: String
  /// Open for writing until `commit` or `discard`, then -1.
  package private(set) var descriptor: Int32 = -1

  private let folder: Descriptor
  private let name: String
  private let temporaryName: String
  private let overwrite: Bool
  private var slot: Int32 = -1
  /// What of the file that is replaced could not be kept, one sentence each.
  package private(set) var warnings: [String] = []
  /// What must stand under the name for it to be replaced; nil replaces whatever does.
  package var replaced: FileVersion?

  /// - Parameter followsLinks: whether, behind a symbolic link, the file that it leads to is written, though it may not
  ///   exist yet; else the link is replaced, for who may write below a folder only. Links among the folders of `path` are
  ///   followed in any case.
  /// - Throws: `SafelightError(.file)` where the folder is missing or may not be written, or where `path` is a folder or
  ///   not a regular file; `.exists` where a file is there although `overwrite` is false.
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

    // The file that is replaced may be private: until this one has its permissions, nobody else may open it.
    let mode: mode_t = target.replacesFile ? 0o600 : 0o666
    var temporary = ""
    var number: Int32 = -1
    repeat {
      temporary = Self.makeTemporaryName(for: fileName)
      number = retryingInterrupted {
        openat(folderNumber, temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      }
    } while number < 0 && errno == EEXIST
    temporaryName = temporary
    guard number >= 0 else {
      throw Self.folderError(errno, path: path, folder: folderPath, isLink: target.path != path)
    }
    descriptor = number
    slot = temporary_files_add(folderNumber, temporary)
    // To whoever uses the file, it is the same file with other content; a new one has what the umask leaves.
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
      // A regular file takes nothing without an errno only where the disk is full.
      guard written > 0 else { throw failure(written < 0 ? errno : ENOSPC) }
      done += written
    }
  }

  package func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

  /// Bytes written so far.
  package var length: Int {
    get throws {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
      return Int(status.st_size)
    }
  }

  /// Makes what was written durable.
  package func sync() throws {
    if retryingInterrupted({ fsync(descriptor) }) != 0 { throw failure(errno) }
  }

  /// Makes the file durable, unless that is not asked for, and gives it its name.
  ///
  /// - Throws: `SafelightError`, also where what stands under the name is no longer `replaced`; it stays then.
  package func commit(durable: Bool = true) throws {
    if durable { try sync() }
    let number = descriptor
    descriptor = -1
    // Network file systems report a full disk here at the latest. Linux closes also where it is interrupted.
    if close(number) != 0, errno != EINTR { throw failure(errno) }
    // As late as can be: between this and the renaming nothing but the two calls takes time.
    if let replaced, FileVersion(path) != replaced {
      discard()
      throw SafelightError(
        .file, "Cannot replace \(path): another program has changed it meanwhile", remedy: "edit it again")
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

  /// The error for a write that failed with `code`; the temporary file is removed.
  package func failure(_ code: Int32) -> SafelightError {
    discard()
    return Self.writeError(code, path: path)
  }

  private func rename() -> Int32 {
    if overwrite { return renameat(folder.number, temporaryName, folder.number, name) }
    // Another program may have made the file meanwhile: a link fails where the name is taken, a rename would
    // replace it.
    guard linkat(folder.number, temporaryName, folder.number, name, 0) != 0 else {
      // The file stands whole under its name; a second name that stays is no reason to call it unwritten.
      unlinkat(folder.number, temporaryName, 0)
      return 0
    }
    guard errno != EEXIST else { return -1 }
    // FAT and some network file systems know no links.
    var status = stat()
    if fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
      errno = EEXIST
      return -1
    }
    return renameat(folder.number, temporaryName, folder.number, name)
  }

  private static func writeCall(_ descriptor: Int32, _ base: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, base, count)
    #else
      Musl.write(descriptor, base, count)
    #endif
  }

  /// - Throws: `SafelightError(.file)` where `path` is that of a folder, whether it exists or only says so.
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

  /// A hidden name that does not hit the limit of 255 bytes and that no other process makes.
  private static func makeTemporaryName(for name: String) -> String {
    temporaryPrefix(for: name) + String(UInt64.random(in: .min ... .max), radix: 36) + temporarySuffix
  }

  /// How the temporary names of `name` begin; up to 13 figures and lower-case letters and the suffix follow. No other name
  /// has the same: where one is cut, a hash of the whole stands for the rest.
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
    case ENOENT:
      SafelightError(
        .file, "Cannot write \(path): the folder \(folder) does not exist", remedy: "create it first")
    case ENOTDIR:
      SafelightError(
        .file, "Cannot write \(path): \(folder) is not a folder", remedy: "choose another place")
    case EACCES, EPERM:
      SafelightError(
        .file, "Cannot write \(path): the folder \(folder) may not be written to",
        remedy: "choose another folder or change its permissions")
    default: writeError(code, path: path)
    }
  }

  static func writeError(_ code: Int32, path: String) -> SafelightError {
    let problem = "Cannot write \(path): "
    return switch code {
    case EEXIST:
      SafelightError(
        .exists, problem + "the file exists already", remedy: "allow overwriting or choose another name")
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

/// The temporary files of writers that are under way.
public enum TemporaryFiles {
  /// Makes SIGINT, SIGTERM and SIGHUP remove unfinished files before they end the process.
  ///
  /// For command lines, once at their start. Signals that are ignored or handled already stay as they are.
  public static func removeOnSignals() { temporary_files_install_signal_handlers() }
}
