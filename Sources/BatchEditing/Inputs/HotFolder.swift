import Files
import CFiles
import FrameCore
import Libc

/// A folder whose photos are told as soon as they are completely written.
///
/// The kernel says what is closed after writing or moved in (inotify(7)). Everything is also looked at every few seconds:
/// other machines write into network folders without a word, and a burst of files can overflow the kernel's queue. A
/// photo is complete once its size and time have stayed the same for a while, and no program of this machine has it open
/// for writing, where the kernel tells that; an empty file is not complete.
public final class HotFolder {
  /// Seconds without a change after which a file is complete: after an event that says so, and otherwise; one that was
  /// not changed for long when it was found is not being written.
  private static let settling = (told: 0.3, found: 5.0)
  private static let longAgo = 60
  private static let rescanInterval = 5.0

  private struct Candidate {
    var photo: BatchInputs.Photo
    var state: BatchJournal.FileState
    /// When the state was last seen to change.
    var since: Timestamp
    var isTold: Bool
    /// Whether it was seen to change since it was found.
    var hasChanged = false
  }

  public let path: String
  private let isRecursive: Bool
  /// The output folder; it may be made after this.
  private let outputPath: String
  private var output: FileIdentity? { FileIdentity(outputPath) }
  private let events: FolderEvents?
  private var candidates: [PathKey: Candidate] = [:]
  /// What was told, as it was then.
  private(set) var told: [PathKey: BatchJournal.FileState] = [:]
  private var nextScan = Timestamp.now
  private var pendingNotes: [String] = []
  /// What the scan before, and this one, had to say.
  private var noted: Set<String> = []
  private var notedNow: Set<String> = []

  /// - Parameters:
  ///   - recursive: whether folders in it are watched too, also those that are made later.
  ///   - output: a folder that is never looked into: results are no inputs.
  /// - Throws: `SafelightError(.file)` where `path` is no folder that can be read, or is the output folder.
  public init(_ path: String, recursive: Bool, output: String) throws {
    self.path = path
    isRecursive = recursive
    guard let identity = FileIdentity(path), identity.isFolder else {
      let isThere = FileContents.kind(of: path) != .missing
      throw SafelightError(
        .file, "Cannot watch \(path): " + (isThere ? "it is not a folder" : "there is no such folder"),
        remedy: isThere ? "name a folder" : "make it first, or check the spelling")
    }
    outputPath = output
    guard identity != FileIdentity(output) else {
      throw SafelightError(
        .invalidValue, "The watched folder \(path) is the output folder too",
        remedy: "write to another one, which may lie inside it")
    }
    _ = try FolderListing.names(in: path)
    events = FolderEvents()
    if events == nil {
      pendingNotes.append(
        "The system grants no more watches (fs.inotify.max_user_instances); \(path) is looked at every "
          + "\(Int(Self.rescanInterval)) s instead")
    }
  }

  /// Files that are being written, as far as can be told, or are empty. Others that were not told yet may be complete.
  public var incomplete: [String] {
    candidates.filter { key, candidate in
      candidate.hasChanged || candidate.state.bytes == 0 || Self.isBeingWritten(key.path)
    }.map(\.key.path).sorted(by: naturallyPrecedes)
  }

  /// What a person should know, once each, since this was asked last.
  public func takeNotes() -> [String] {
    defer { pendingNotes = [] }
    return pendingNotes
  }

  /// The photos that have become complete since this was asked last. To be called several times a second.
  ///
  /// - Throws: `SafelightError(.file)` where the folder has gone or cannot be read any more.
  public func takePhotos() throws -> [BatchInputs.Photo] {
    var isScanDue = Timestamp.now >= nextScan
    for event in events?.take() ?? [] {
      switch event {
      case .overflow, .foldersChanged: isScanDue = true
      case .file(let name, let folder, let below): found(name, in: folder, below: below, isTold: true)
      }
    }
    if isScanDue { try scan() }
    return takeComplete().sorted { naturallyPrecedes($0.path, $1.path) }
  }

  private func takeComplete() -> [BatchInputs.Photo] {
    var photos: [BatchInputs.Photo] = []
    let now = Timestamp.now
    for (key, candidate) in candidates {
      let path = key.path
      let patience = candidate.isTold ? Self.settling.told : Self.settling.found
      guard now.seconds(since: candidate.since) >= patience else { continue }
      guard let state = BatchJournal.FileState(path) else {
        candidates[key] = nil
        continue
      }
      guard state == candidate.state, state.bytes > 0, !Self.isBeingWritten(path) else {
        if state != candidate.state { candidates[key]?.hasChanged = true }
        candidates[key]?.state = state
        candidates[key]?.since = now
        continue
      }
      candidates[key] = nil
      told[key] = state
      photos.append(candidate.photo)
    }
    return photos
  }

  /// Whether the kernel says that a program has the file open for writing; it does not tell that of every file.
  static func isBeingWritten(_ path: String) -> Bool { cfiles_is_being_written(path) == 1 }

  private func found(_ name: String, in folder: String, below: String, isTold: Bool) {
    // Names of files that are being loaded down do not end like a picture's: x.jpg.part, x.jpg.crdownload.
    guard !name.hasPrefix("."), BatchInputs.isPicture(name) else { return }
    let path = FolderListing.path(name, in: folder)
    guard let state = BatchJournal.FileState(path), told[PathKey(path)] != state else { return }
    guard let identity = FileIdentity(path), !identity.isFolder else { return }
    if let old = candidates[PathKey(path)], old.state == state, old.isTold || !isTold { return }
    let hasChanged = candidates[PathKey(path)].map { $0.hasChanged || $0.state != state } ?? false
    let isTold = isTold || time(nil) - state.modified[0] > Self.longAgo
    candidates[PathKey(path)] = Candidate(
      photo: BatchInputs.Photo(path: path, folder: below, isNamed: false), state: state, since: .now,
      isTold: isTold, hasChanged: hasChanged)
  }

  // MARK: Scanning

  private func scan() throws {
    nextScan = Timestamp.now.advanced(bySeconds: Self.rescanInterval)
    guard FileIdentity(path)?.isFolder == true else {
      throw SafelightError(
        .file, "The watched folder \(path) has gone", remedy: "bring it back and start again")
    }
    var seen = Seen()
    notedNow = []
    try scan(path, below: "", &seen)
    // What has gone is not remembered: a folder may be watched for years.
    noted = notedNow
    told = told.filter { seen.files.contains($0.key) }
  }

  /// What a scan has come by.
  private struct Seen {
    var folders: Set<FileIdentity> = []
    var files: Set<PathKey> = []
  }

  private func scan(_ folder: String, below: String, _ seen: inout Seen) throws {
    guard let identity = FileIdentity(folder), identity != output, seen.folders.insert(identity).inserted
    else { return }
    // Watched before it is listed: what comes in between is seen twice rather than never.
    if let events, !events.watch(folder, below: below) {
      note(
        "The system grants no more watches (fs.inotify.max_user_watches); \(folder) is looked at every "
          + "\(Int(Self.rescanInterval)) s instead")
    }
    let names = try FolderListing.names(in: folder)
    for name in names.unreadable where BatchInputs.isPicture(name) {
      note("\(FolderListing.unreadableName(FolderListing.path(name, in: folder)))")
    }
    for name in names.names {
      let child = FolderListing.path(name, in: folder)
      guard isRecursive, FileIdentity(child)?.isFolder == true else {
        seen.files.insert(PathKey(child))
        found(name, in: folder, below: below, isTold: false)
        continue
      }
      do {
        try scan(child, below: FolderListing.path(name, in: below), &seen)
      } catch {
        // It may have gone meanwhile; the folder that was named must not.
        if FileIdentity(child) != nil { note("\(error)") }
      }
    }
  }

  private func note(_ text: String) {
    if notedNow.insert(text).inserted, !noted.contains(text) { pendingNotes.append(text) }
  }
}
