import Files
import FrameCore
import Libc

/// The hidden folder, in a folder of photos, that has a record for each photo that is yet to be finished.
///
///     photos/a.jpg
///     photos/.safelight-unfinished/lock
///     photos/.safelight-unfinished/20261123-123456-789-1f2e3d4c/…
///
/// A record without a manifest is being made, as long as its lock is held, and a leftover otherwise. Records are made
/// only while the folder's lock is held, so that none is taken for a leftover before it has a lock.
struct DeferredFolder: Sendable {
  static let name = ".safelight-unfinished"
  static let lockName = "lock"

  /// The folder of photos; empty is the working folder.
  let photos: String
  /// The hidden folder.
  var path: String { FolderListing.path(Self.name, in: photos) }

  /// The seconds to wait for another program, which holds the lock only briefly.
  private static let patience = 10.0

  init(_ photos: String) { self.photos = photos }

  /// Whether there is one.
  var exists: Bool { Self.isFolder(path) }

  /// Whether a path is that of a folder, rather than of a link to one.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The records' names, oldest first.
  ///
  /// - Throws: `SafelightError` if the folder cannot be read.
  func recordNames() throws -> [String] {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return [] }
      throw SafelightError(
        .file, "\(path) cannot be looked at: \(errorText(errno))", remedy: "check the folder’s permissions")
    }
    guard exists else {
      throw SafelightError(
        .file, "\(path) is not a folder, so that no photo there can be finished", remedy: "move it away")
    }
    return try FolderListing.names(in: path).names.filter { Self.isFolder(recordPath($0)) }
  }

  func recordPath(_ name: String) -> String { FolderListing.path(name, in: path) }

  /// Makes an empty record, which is locked.
  ///
  /// - Throws: `SafelightError`; then there is no record.
  func makeRecord(named name: String) throws -> DeferredRecord {
    while true {
      let isNew = !exists
      try Folder.make(path)
      guard exists else {
        throw SafelightError(.file, "\(path) is not a folder", remedy: "move it away")
      }
      // Another program may have removed it in between, because it was empty.
      guard let lock = try lock() else { continue }
      defer { withExtendedLifetime(lock) {} }
      let record = recordPath(name)
      guard FileContents.kind(of: record) == .missing else {
        throw SafelightError(.exists, "\(record) already exists", remedy: "try again")
      }
      try Folder.make(record)
      do {
        if isNew { Self.syncFolder(photos) }
        Self.syncFolder(path)
        guard let made = try DeferredRecord(name, in: self) else { throw Self.cannotLock(record) }
        return made
      } catch {
        DeferredRecord.removeFiles(record)
        throw error
      }
    }
  }

  /// Removes records that were never complete, and the folder if nothing is left in it.
  ///
  /// - Throws: `SafelightError` if the folder cannot be read or locked.
  func removeLeftovers() throws {
    guard exists, let lock = try lock() else { return }
    defer { withExtendedLifetime(lock) {} }
    for name in try recordNames() {
      let path = recordPath(name)
      guard !DeferredRecord.hasManifest(path), let record = try DeferredRecord(name, in: self)
      else { continue }
      if !DeferredRecord.hasManifest(path) { DeferredRecord.removeFiles(path) }
      withExtendedLifetime(record) {}
    }
    guard try recordNames().isEmpty else { return }
    // While it is locked: who waits for it finds that it is gone, and makes another one.
    unlink(FolderListing.path(Self.lockName, in: path))
    rmdir(path)
  }

  /// Nil if the folder is gone.
  private func lock() throws -> FileLock? {
    let file = FolderListing.path(Self.lockName, in: path)
    do {
      let deadline = Timestamp.now.advanced(bySeconds: Self.patience)
      if let lock = try FileLock(file, O_RDWR | O_CREAT | O_NOFOLLOW, until: deadline) { return lock }
    } catch is FileLock.Occupied {
      throw SafelightError(
        .file, "Another program has held \(file) for \(Int(Self.patience)) s",
        remedy: "wait for it, or end it")
    }
    guard exists else { return nil }
    throw Self.cannotLock(path)
  }

  static func cannotLock(_ path: String) -> SafelightError {
    SafelightError(
      .file, "Cannot lock \(path)",
      remedy: "check that you may write to it, and that its disk has space and supports locks")
  }

  /// Makes names in a folder durable; some file systems cannot.
  static func syncFolder(_ path: String) {
    let number = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    close(number)
  }
}
