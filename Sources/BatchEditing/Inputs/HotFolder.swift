import Files
import CFiles
import FrameCore
import Libc

/// A watched folder, which reports photos as soon as they are completely written.
///
/// The kernel reports files that are closed after writing or moved in (inotify(7)). The folder is also scanned
/// every few seconds: other machines write to network folders without events, and a burst of files can overflow
/// the kernel's queue. A photo is complete once its size and time have not changed for a while and no program of
/// this machine has it open for writing, if the kernel reports that; an empty file is not complete.
public final class HotFolder {
  /// Seconds without a change after which a file is complete: after an event, and otherwise. A file that had not
  /// changed for long when it was found is not being written.
  private static let settling = (told: 0.3, found: 5.0)
  private static let longAgo = 60
  private static let rescanInterval = 5.0

  private struct Candidate {
    var photo: BatchInputs.Photo
    var state: BatchJournal.FileState
    /// When the state was last seen to change.
    var since: Timestamp
    var isTold: Bool
    /// Whether it has changed since it was found.
    var hasChanged = false
  }

  public let path: String
  private let isRecursive: Bool
  /// The output folder; it may be created later.
  private let outputPath: String
  private var output: FileIdentity? { FileIdentity(outputPath) }
  private let events: FolderEvents?
  private var candidates: [PathKey: Candidate] = [:]
  /// The reported files, with their state at that time.
  private(set) var told: [PathKey: BatchJournal.FileState] = [:]
  private var nextScan = Timestamp.now
  private var pendingNotes: [String] = []
  /// The notes of the previous scan, and of this one.
  private var noted: Set<String> = []
  private var notedNow: Set<String> = []

  /// - Parameters:
  ///   - recursive: whether subfolders are watched too, including those created later.
  ///   - output: a folder that is never searched: results are not inputs.
  /// - Throws: `SafelightError(.file)` if `path` is not a readable folder, `.invalidValue` if it is the output
  ///   folder.
  public init(_ path: String, recursive: Bool, output: String) throws {
    self.path = path
    isRecursive = recursive
    guard let identity = FileIdentity(path), identity.isFolder else {
      let isThere = FileContents.kind(of: path) != .missing
      throw SafelightError(
        .file, "Cannot watch \(path): " + (isThere ? "it is not a folder" : "there is no such folder"),
        remedy: isThere ? "name a folder" : "create it first, or check the spelling")
    }
    outputPath = output
    guard identity != FileIdentity(output) else {
      throw SafelightError(
        .invalidValue, "The watched folder \(path) is also the output folder",
        remedy: "write to another one, which may be inside it")
    }
    _ = try FolderListing.names(in: path)
    events = FolderEvents()
    if events == nil {
      pendingNotes.append(
        "The system grants no more watches (fs.inotify.max_user_instances); \(path) is scanned every "
          + "\(Int(Self.rescanInterval)) s instead")
    }
  }

  /// The files that are empty or, as far as can be determined, being written. Others that were not reported yet
  /// may be complete.
  public var incomplete: [String] {
    candidates.filter { key, candidate in
      candidate.hasChanged || candidate.state.bytes == 0 || Self.isBeingWritten(key.path)
    }.map(\.key.path).sorted(by: naturallyPrecedes)
  }

  /// Returns the notes for the user since the previous call, each only once.
  public func takeNotes() -> [String] {
    defer { pendingNotes = [] }
    return pendingNotes
  }

  /// Returns the photos that have become complete since the previous call. To be called several times a second.
  ///
  /// - Throws: `SafelightError(.file)` if the folder has gone or can no longer be read.
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

  /// Whether the kernel reports that a program has the file open for writing, which it does not for every file.
  static func isBeingWritten(_ path: String) -> Bool { cfiles_is_being_written(path) == 1 }

  private func found(_ name: String, in folder: String, below: String, isTold: Bool) {
    // Files that are being downloaded do not have a picture's extension: x.jpg.part, x.jpg.crdownload.
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
        .file, "The watched folder \(path) is gone", remedy: "restore it and start again")
    }
    var seen = Seen()
    notedNow = []
    try scan(path, below: "", &seen)
    // Removed files are forgotten, since a folder may be watched for years.
    noted = notedNow
    told = told.filter { seen.files.contains($0.key) }
  }

  /// What a scan has found.
  private struct Seen {
    var folders: Set<FileIdentity> = []
    var files: Set<PathKey> = []
  }

  private func scan(_ folder: String, below: String, _ seen: inout Seen) throws {
    guard let identity = FileIdentity(folder), identity != output, seen.folders.insert(identity).inserted
    else { return }
    // Watched before it is listed: files that arrive in between are seen twice rather than never.
    if let events, !events.watch(folder, below: below) {
      note(
        "The system grants no more watches (fs.inotify.max_user_watches); \(folder) is scanned every "
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
        // A subfolder may have gone in the meantime; the folder that was named must not.
        if FileIdentity(child) != nil { note("\(error)") }
      }
    }
  }

  private func note(_ text: String) {
    if notedNow.insert(text).inserted, !noted.contains(text) { pendingNotes.append(text) }
  }
}
