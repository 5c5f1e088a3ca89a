import Files
import FrameCore
import Libc

/// The folder of one photo that is yet to be finished, locked as long as this object exists.
///
/// | file | holds |
/// |---|---|
/// | `lock` | nothing |
/// | `frames` | the bytes of all frames |
/// | `files` | the files that the edit names |
/// | `proxy-0.jpg` … | proxies that are not under their names yet |
/// | `manifest` | `DeferredManifest`; its appearance completes the record |
/// | `final-0.jpg` … | final photos that are not under their names yet |
/// | `finals` | `DeferredFinals`; its appearance completes the final photos |
final class DeferredRecord {
  static let (frames, files, manifest, finals) = ("frames", "files", "manifest", "finals")

  let name: String
  let folder: DeferredFolder
  let path: String
  private let lock: FileLock

  /// Locks a record; nil if another program has it, or if there is none.
  ///
  /// - Throws: `SafelightError` if it cannot be locked.
  init?(_ name: String, in folder: DeferredFolder) throws {
    (self.name, self.folder, path) = (name, folder, folder.recordPath(name))
    let file = FolderListing.path(DeferredFolder.lockName, in: path)
    do {
      guard let lock = try FileLock(file, O_RDWR | O_CREAT | O_NOFOLLOW, until: .now) else {
        guard DeferredFolder.isFolder(path) else { return nil }
        throw DeferredFolder.cannotLock(path)
      }
      self.lock = lock
    } catch is FileLock.Occupied {
      return nil
    }
  }

  static func hasManifest(_ record: String) -> Bool {
    FileContents.kind(of: FolderListing.path(manifest, in: record)) != .missing
  }

  /// Looks whether the frames can be those of the manifest, without reading them. Photos that are made do not need
  /// them any more.
  ///
  /// - Throws: `SafelightError(.corruptData)`.
  static func checkFrames(_ record: String, _ manifest: DeferredManifest) throws {
    guard FileContents.kind(of: FolderListing.path(finals, in: record)) == .missing else { return }
    var status = stat()
    guard lstat(FolderListing.path(frames, in: record), &status) == 0,
      status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == manifest.contents.bytes
    else { throw SealedJSON.damage(record) }
  }

  func file(_ name: String) -> String { FolderListing.path(name, in: path) }

  func has(_ name: String) -> Bool { FileContents.kind(of: file(name)) != .missing }

  /// - Parameter export: how the file is written.
  static func proxy(_ index: Int, _ export: StoredExport) -> String {
    "proxy-\(index).\(export.pathExtension)"
  }
  static func final(_ index: Int, _ export: StoredExport) -> String {
    "final-\(index).\(export.pathExtension)"
  }

  // MARK: Contents

  /// Writes a file, durably but for its name.
  func write(_ name: String, _ body: (OutputFile) throws -> Void) throws {
    let file = try OutputFile(path: file(name), overwrite: true, followsLinks: false)
    try body(file)
    try file.sync()
    try file.commit(durable: false)
  }

  /// Writes a file that completes what was written before, durably with all names.
  func complete(_ name: String, _ bytes: [UInt8]) throws {
    let file = try OutputFile(path: file(name), overwrite: true, followsLinks: false)
    try file.write(bytes)
    try file.commit()
  }

  /// - Parameter limit: the largest size in bytes, in whole MiB.
  /// - Throws: `SafelightError`: `.corruptData` if the file is missing, or a link.
  func read(_ name: String, atMost limit: Int) throws -> [UInt8] {
    try requireFile(name)
    return try FileContents.read(file(name), .regularFile, atMost: limit)
  }

  func requireFile(_ name: String) throws {
    var status = stat()
    guard lstat(file(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw SealedJSON.damage(path)
    }
  }

  /// - Throws: `SafelightError`, also if the file is not the one that the fingerprint is of.
  func check(_ name: String, _ fingerprint: FileFingerprint) throws {
    try requireFile(name)
    guard FileContents.size(of: file(name)) == fingerprint.bytes,
      try FileFingerprint(contentsOf: file(name)) == fingerprint
    else { throw SealedJSON.damage(path) }
  }

  // MARK: Places

  /// Gives a file of the record a name outside of it, which must be free.
  ///
  /// If the process ends in between, the file has both names; see `isPlaced`.
  ///
  /// - Throws: `SafelightError`: `.exists` if the name is taken.
  func place(_ name: String, at destination: String) throws {
    let source = file(name)
    if link(source, destination) != 0 {
      guard errno != EEXIST else { throw Self.cannotPlace(destination, EEXIST) }
      // FAT and some network file systems do not support links.
      var status = stat()
      guard lstat(destination, &status) != 0 else { throw Self.cannotPlace(destination, EEXIST) }
      guard rename(source, destination) == 0 else { throw Self.cannotPlace(destination, errno) }
    } else {
      DeferredFolder.syncFolder(FolderListing.parent(of: destination))
      unlink(source)
    }
    DeferredFolder.syncFolder(FolderListing.parent(of: destination))
    DeferredFolder.syncFolder(path)
  }

  /// Replaces a file outside of the record, whole; the new one gets its permissions and extended attributes.
  ///
  /// - Parameter version: of the file that is replaced.
  /// - Returns: sentences on attributes that could not be kept.
  /// - Throws: `SafelightError`: `.exists` if the file has changed meanwhile; then it is kept.
  func place(_ name: String, over destination: String, replacing version: FileVersion) throws -> [String] {
    var source = file(name)
    var warnings: [String] = []
    let dressed = file("dressed-" + name)
    unlink(dressed)
    // A second name of the replaced file here, so that what is unfinished is here too.
    if link(destination, dressed) == 0 {
      let output = try OutputFile(path: dressed, overwrite: true, followsLinks: false)
      try output.write(FileContents.read(source, .regularFile, atMost: .max - 1))
      try output.commit()
      warnings = output.warnings
      source = dressed
    }
    // As late as possible: only these two calls separate the check from the rename.
    guard FileVersion(destination) == version else { throw Self.cannotPlace(destination, EEXIST) }
    guard rename(source, destination) == 0 else { throw Self.cannotPlace(destination, errno) }
    DeferredFolder.syncFolder(FolderListing.parent(of: destination))
    unlink(file(name))
    DeferredFolder.syncFolder(path)
    return warnings
  }

  /// Whether a file of the record is under its name outside of it: it is not here any more, or has both names.
  func isPlaced(_ name: String, at destination: String) -> Bool {
    guard has(name) else { return true }
    guard FileContents.areSame(file(name), destination) else { return false }
    unlink(file(name))
    return true
  }

  static func cannotPlace(_ path: String, _ code: Int32) -> SafelightError {
    if code == EEXIST {
      return SafelightError(.exists, "Cannot write \(path): the file already exists", remedy: "try again")
    }
    return SafelightError(
      code == ENOSPC || code == EDQUOT ? .noSpace : .file, "Cannot write \(path): \(errorText(code))",
      remedy: "check the folder and its disk, and try again")
  }

  // MARK: The end

  /// Removes the record, first what makes it one.
  func remove() {
    unlink(file(Self.manifest))
    DeferredFolder.syncFolder(path)
    Self.removeFiles(path)
  }

  /// Removes the files of a record, and its folder. Nothing below is a folder, and links are not followed.
  static func removeFiles(_ path: String) {
    removeFiles(path) { $0 != DeferredFolder.lockName }
    // Last, so that nobody else begins meanwhile.
    unlink(FolderListing.path(DeferredFolder.lockName, in: path))
    rmdir(path)
  }

  /// Removes what a process that was killed left of a file that it wrote, as long as no other one writes it.
  static func removeTemporaryFiles(of path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let prefix = OutputFile.temporaryPrefix(for: name)
    removeFiles(FolderListing.parent(of: path)) {
      $0.hasPrefix(prefix) && $0.hasSuffix(OutputFile.temporarySuffix)
    }
  }

  private static func removeFiles(_ folder: String, where isUnwanted: (String) -> Bool) {
    guard let directory = opendir(folder) else { return }
    var names: [String] = []
    while let entry = readdir(directory) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      let name = String(decoding: bytes, as: UTF8.self)
      if isUnwanted(name) { names.append(name) }
    }
    closedir(directory)
    for name in names { unlink(FolderListing.path(name, in: folder)) }
  }
}
