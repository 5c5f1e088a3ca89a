import Safelight

/// The photos that a studio may open. The page knows them by opaque ids and never names a path, so that it cannot
/// reach any other file.
struct StudioPhotos: Sendable {
  struct Entry: Sendable, Hashable {
    let id: String
    let name: String
    let path: String
  }

  /// The name of the folder; nil for a single photo.
  let folder: String?
  let entries: [Entry]
  private let byID: [String: Entry]

  subscript(id: String) -> Entry? { byID[id] }

  /// Returns the photo behind one and the one before it, which people often look at next.
  func neighbours(of id: String) -> [Entry] {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return [] }
    return [index + 1, index - 1].filter(entries.indices.contains).map { entries[$0] }
  }

  /// - Parameter path: a photo, or a folder, whose photos are listed in natural order; subfolders are not entered.
  /// - Throws: `SafelightError` if the path cannot be read, or if a folder has no photos.
  init(_ path: String) throws {
    guard FileContents.kind(of: path) == .folder else {
      // Names the problem before a browser opens.
      _ = try PhotoHeader.read(path)
      self.init(folder: nil, paths: [path])
      return
    }
    let names = try FolderListing.names(in: path).names.filter(Self.isPhoto).sorted(by: naturallyPrecedes)
    guard !names.isEmpty else {
      throw SafelightError(.file, "\(path) has no photos", remedy: "name a folder with photos, or a photo")
    }
    self.init(
      folder: Self.name(of: path.hasSuffix("/") ? String(path.dropLast()) : path),
      paths: names.map { FolderListing.path($0, in: path) })
  }

  private init(folder: String?, paths: [String]) {
    self.folder = folder
    entries = paths.map { Entry(id: Self.id(of: $0), name: Self.name(of: $0), path: $0) }
    byID = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
  }

  private static func isPhoto(_ name: String) -> Bool {
    guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
    return PhotoFileFormat.readablePathExtensions.contains(name[name.index(after: dot)...].lowercased())
  }

  private static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The same for a path in every run, so that a page finds its photo again after the server was restarted. FNV-1a.
  private static func id(of path: String) -> String {
    let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
