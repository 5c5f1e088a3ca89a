import Safelight

/// Reads the marks of photos and whether they have edits, a moment's worth at a time, so that what is urgent comes
/// between: first of those with a file beside them, then of the rest, whose own XMP must be looked for.
struct LibraryReading: Sendable {
  /// What was read.
  struct Found: Sendable {
    var marks: [String: PhotoMark] = [:]
    var edited: [String: Bool] = [:]
  }

  private let worker: SerialWorker
  private let report: @Sendable (Found) -> Void
  /// Seconds at a time.
  private static let slice = 0.05

  /// - Parameter report: called on the worker's thread.
  init(on worker: SerialWorker, report: @escaping @Sendable (Found) -> Void) {
    (self.worker, self.report) = (worker, report)
  }

  func read(_ entries: [StudioPhotos.Entry], isUrgent: Bool = false) {
    worker.run(isUrgent: isUrgent) {
      let byFolder = Dictionary(grouping: entries) { FolderListing.parent(of: $0.path) }
      var folders: [String: (names: Set<String>, files: MarkFiles)] = [:]
      // A few photos are not worth reading a folder of thousands.
      for (folder, photos) in byFolder where photos.count > Self.few {
        let names = (try? FolderListing.names(in: folder).names) ?? []
        folders[folder] = (Set(names), MarkFiles(names: names))
      }
      let known = folders
      func isFirst(_ entry: StudioPhotos.Entry) -> Bool {
        guard let folder = known[FolderListing.parent(of: entry.path)] else { return true }
        return folder.names.contains(entry.name + RecipeSidecar.suffix) || folder.files.hasFile(entry.path)
      }
      let first = entries.filter(isFirst)
      let order = first.count == entries.count ? entries : first + entries.filter { !isFirst($0) }
      self.step(order, from: 0, known.mapValues(\.files), isUrgent: isUrgent)
    }
  }

  private static let few = 8

  private func step(
    _ entries: [StudioPhotos.Entry], from first: Int, _ folders: [String: MarkFiles], isUrgent: Bool
  ) {
    let end = Timestamp.now.advanced(bySeconds: Self.slice)
    var found = Found()
    var index = first
    while index < entries.count, index == first || Timestamp.now < end {
      let entry = entries[index]
      index += 1
      let files = folders[FolderListing.parent(of: entry.path)] ?? MarkFiles()
      // A file that cannot be read is told of when it is to be changed.
      found.marks[entry.id] = (try? PhotoMark.read(forPhoto: entry.path, files)) ?? .neutral
      found.edited[entry.id] = StoredEdit.isThere(forPhoto: entry.path)
    }
    report(found)
    let next = index
    if next < entries.count {
      worker.run(isUrgent: isUrgent) { self.step(entries, from: next, folders, isUrgent: isUrgent) }
    }
  }
}

extension StoredEdit {
  /// Whether a photo has an edit beside it that does something, or one that cannot be read.
  static func isThere(forPhoto path: String) -> Bool {
    guard RecipeSidecar.exists(forPhoto: path) else { return false }
    do {
      return try RecipeSidecar.read(forPhoto: path)?.recipe.map { !$0.filters.isEmpty } ?? false
    } catch {
      return true
    }
  }
}
