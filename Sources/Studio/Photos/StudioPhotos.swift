import Safelight
import Synchronization

/// The photos that a studio may open. The page knows them by opaque ids and never names a path, so that it cannot
/// reach any other file.
///
/// Photos come and go while the studio runs: a camera takes some, other programs add and remove some. The list may be
/// read and changed on any thread; pages are told of changes by the desk, which is where changes are best made
/// (`StudioDesk.added`).
final class StudioPhotos: Sendable {
  struct Entry: Sendable, Hashable {
    let id: String
    let name: String
    let path: String
  }

  private struct List {
    var entries: [Entry] = []
    var byID: [String: Entry] = [:]
    /// What pages open first; nil for the first of all.
    var first: String?
  }

  /// The name of the folder; nil for a single photo.
  let folder: String?
  /// The path of the folder, which need not exist yet; nil for a single photo.
  let folderPath: String?
  private let list = Mutex(List())

  /// In natural order of their names.
  var entries: [Entry] { list.withLock { $0.entries } }

  subscript(id: String) -> Entry? { list.withLock { $0.byID[id] } }

  /// The photo that pages open first.
  var first: Entry? {
    list.withLock { list in list.first.flatMap { list.byID[$0] } ?? list.entries.first }
  }

  /// Whether somebody has asked for a photo rather than for the folder or the camera.
  var isFirstChosen: Bool { list.withLock { $0.first } != nil }

  func showFirst(_ id: String) { list.withLock { $0.first = id } }

  /// Returns the photo behind one and the one before it, which people often look at next.
  func neighbours(of id: String) -> [Entry] {
    let entries = entries
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return [] }
    return [index + 1, index - 1].filter(entries.indices.contains).map { entries[$0] }
  }

  /// - Parameters:
  ///   - path: a photo, or a folder, whose photos are listed in natural order; subfolders are not entered.
  ///   - isToBeFilled: whether a folder may have no photos yet, or not exist yet: a camera fills it.
  /// - Throws: `SafelightError` if the path cannot be read, or if a folder has no photos.
  init(_ path: String, isToBeFilled: Bool = false) throws {
    let kind = FileContents.kind(of: path)
    guard kind == .folder || isToBeFilled && kind == .missing else {
      // Names the problem before a browser opens.
      _ = try PhotoHeader.read(path)
      (folder, folderPath) = (nil, nil)
      replace([path])
      return
    }
    let plain = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    (folder, folderPath) = (Self.name(of: plain), plain)
    let paths = kind == .folder ? try Self.photos(in: plain) : []
    guard !paths.isEmpty || isToBeFilled else {
      throw SafelightError(.file, "\(path) has no photos", remedy: "name a folder with photos, or a photo")
    }
    replace(paths)
  }

  private func replace(_ paths: [String]) {
    list.withLock { list in
      list.entries = paths.map(Self.entry)
      list.byID = Dictionary(list.entries.map { ($0.id, $0) }) { first, _ in first }
    }
  }

  // MARK: Changes

  /// Adds a photo at its place in the order of names, unless it is there.
  ///
  /// - Returns: its entry, and whether it is new.
  @discardableResult
  func add(_ path: String) -> (entry: Entry, isNew: Bool) {
    let entry = Self.entry(listed(path))
    return list.withLock { list in
      if let known = list.byID[entry.id] { return (known, false) }
      var (low, high) = (0, list.entries.count)
      while low < high {
        let middle = (low + high) / 2
        if naturallyPrecedes(list.entries[middle].name, entry.name) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      list.entries.insert(entry, at: low)
      list.byID[entry.id] = entry
      return (entry, true)
    }
  }

  /// Takes a photo off the list, whose file is gone; returns whether it was there.
  @discardableResult
  func remove(_ id: String) -> Bool {
    list.withLock { list in
      guard list.byID.removeValue(forKey: id) != nil else { return false }
      list.entries.removeAll { $0.id == id }
      return true
    }
  }

  /// Reads the folder again: photos in it that are new are added, and those that are gone taken off. Photos of other
  /// folders stay.
  ///
  /// - Returns: whether anything has changed.
  /// - Throws: `SafelightError` if the folder cannot be read; one that does not exist has no photos.
  func readFolder() throws -> Bool {
    guard let folderPath else { return false }
    let isThere = FileContents.kind(of: folderPath) == .folder
    let found = isThere ? try Self.photos(in: folderPath) : []
    let now = Set(found)
    let known = entries
    let old = Set(known.map(\.path))
    let gone = known.filter { !now.contains($0.path) && FolderListing.parent(of: $0.path) == folderPath }
    let new = found.filter { !old.contains($0) }
    guard !gone.isEmpty || !new.isEmpty else { return false }
    let goneIDs = Set(gone.map(\.id))
    list.withLock { list in
      let rest = list.entries.filter { !goneIDs.contains($0.id) }
      let added = new.map(Self.entry).filter { list.byID[$0.id] == nil }
      list.entries = (rest + added).sorted { naturallyPrecedes($0.name, $1.name) }
      list.byID = Dictionary(list.entries.map { ($0.id, $0) }) { first, _ in first }
    }
    return true
  }

  /// Returns the path by which a photo of another program's is listed here: in the folder, or among single photos. Nil if
  /// it does not belong here, or is no photo.
  func path(handedOver path: String) -> String? {
    guard FileContents.kind(of: path) == .file else { return nil }
    if let known = entries.first(where: { Self.name(of: $0.path) == Self.name(of: path) }),
      FileContents.areSame(known.path, path)
    {
      return known.path
    }
    let parent = FolderListing.parent(of: path)
    // As the folder, or the photos beside it, are named: what is watched is found by these names.
    let folders = folderPath.map { [$0] } ?? entries.map { FolderListing.parent(of: $0.path) }
    let folder = folders.first { FileContents.areSame($0, parent) }
    guard folder != nil || folderPath == nil, (try? PhotoHeader.read(path)) != nil else { return nil }
    return folder.map { self.path(Self.name(of: path), in: $0) } ?? path
  }

  // MARK: Names

  /// The path of a file of a watched folder as the list has it.
  func path(_ name: String, in folder: String) -> String {
    folderPath == nil && folder == "." ? name : FolderListing.path(name, in: folder)
  }

  /// A path by which the folder's own photos are listed once, however its folder is named.
  private func listed(_ path: String) -> String {
    guard let folderPath, FileContents.areSame(FolderListing.parent(of: path), folderPath) else {
      return path
    }
    return FolderListing.path(Self.name(of: path), in: folderPath)
  }

  private static func photos(in folder: String) throws -> [String] {
    try FolderListing.names(in: folder).names.filter(isPhoto).map { FolderListing.path($0, in: folder) }
  }

  /// Whether a file with this name is listed.
  static func isPhoto(_ name: String) -> Bool {
    guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
    return PhotoFileFormat.readablePathExtensions.contains(name[name.index(after: dot)...].lowercased())
  }

  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func entry(_ path: String) -> Entry {
    Entry(id: id(of: path), name: name(of: path), path: path)
  }

  /// The same for a path in every run, so that a page finds its photo again after the server was restarted. FNV-1a.
  static func id(of path: String) -> String {
    let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
