import Files
import FilterGraph
import FrameCore
import Libc
import Sidecars

/// Where the files of a deferred photo are, and where its final ones go.
struct DeferredPlaces: Sendable {
  /// The folder of photos.
  let folder: String

  /// Returns the name of a path in the folder, or below it.
  ///
  /// - Throws: `SafelightError` if the path is elsewhere, as by a link to another folder: a record, which anybody may
  ///   have written, must not lead there.
  static func name(of path: String, below folder: String) throws -> String {
    let prefix = folder.isEmpty ? "" : FolderListing.path("", in: folder)
    let name = String(path.hasPrefix(prefix) ? path.dropFirst(prefix.count) : path[...])
    guard DeferredManifest.isName(name), isReallyBelow(folder, path) else {
      throw SafelightError(
        .unsupported,
        "\(path) is not in the folder \(folder.isEmpty ? "." : folder), but behind a link in it",
        remedy: "give the folder that the link leads to")
    }
    return name
  }

  /// Returns the path of a name that a record has.
  ///
  /// - Throws: `SafelightError` if the folder of the name is gone, or elsewhere.
  func path(of name: String) throws -> String {
    let path = FolderListing.path(name, in: folder)
    let parent = FolderListing.parent(of: path)
    guard FileContents.kind(of: parent) == .folder else {
      throw SafelightError(
        .file, "The folder \(parent) of the photo is gone", remedy: "put it back, or make it, and try again")
    }
    guard DeferredManifest.isName(name), Self.isReallyBelow(folder, path) else {
      throw SafelightError(
        .file, "\(path) is behind a link to another folder",
        remedy: "put the folder back in the link's place")
    }
    return path
  }

  private static func isReallyBelow(_ folder: String, _ path: String) -> Bool {
    guard let root = realpath(folder.isEmpty ? "." : folder, nil) else { return false }
    defer { free(root) }
    guard let parent = realpath(FolderListing.parent(of: path), nil) else { return false }
    defer { free(parent) }
    let (outer, inner) = (String(cString: root), String(cString: parent))
    return inner == outer || inner.hasPrefix(outer.hasSuffix("/") ? outer : outer + "/")
  }

  /// A place for a final photo.
  struct Choice {
    var path: String
    /// Whether the proxy there is replaced; otherwise the name is free.
    var replaces = false
    /// What the user is to know about it.
    var note: String?
  }

  /// Chooses the place of a final photo: the proxy's, wherever it is in its folder, unless the user has changed it.
  ///
  /// - Parameters:
  ///   - isAnnounced: whether the proxy got its name.
  /// - Throws: `SafelightError` if its folder is gone or cannot be read.
  func choose(for output: DeferredManifest.Output, isAnnounced: Bool, catalog: FilterCatalog) throws -> Choice
  {
    let path = try path(of: output.name)
    let free = PhotoNames.numbered(path) { path in
      var status = stat()
      if lstat(path, &status) == 0 { return true }
      // An edit that was made for the proxy belongs to the photo.
      guard RecipeSidecar.exists(forPhoto: path) else { return false }
      return (try? RecipeSidecar.read(forPhoto: path, catalog: catalog))??.photo != output.proxy
    }
    guard isAnnounced else { return Choice(path: free) }
    if Self.isProxy(path, output.proxy) { return Choice(path: path, replaces: true) }
    var status = stat()
    guard lstat(path, &status) != 0 else {
      return Choice(
        path: free, note: "\(path) was changed meanwhile, so it was kept, and the final photo is \(free)")
    }
    if let renamed = try renamed(output, in: FolderListing.parent(of: path)) {
      return Choice(path: renamed, replaces: true, note: "\(path) was renamed \(renamed) meanwhile")
    }
    let place = free == path ? "there" : "as \(free)"
    return Choice(
      path: free, note: "\(path) was moved or deleted meanwhile; its final photo was written \(place)")
  }

  /// Whether a path leads to the proxy as it was written, which may be replaced.
  static func isProxy(_ path: String, _ fingerprint: FileFingerprint) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && Int(status.st_size) == fingerprint.bytes && access(path, W_OK) == 0
      && (try? FileFingerprint(contentsOf: path)) == fingerprint
  }

  private func renamed(_ output: DeferredManifest.Output, in parent: String) throws -> String? {
    let parent = parent == "." && !output.name.contains("/") && folder.isEmpty ? "" : parent
    return try FolderListing.names(in: parent).names.lazy.map { FolderListing.path($0, in: parent) }
      .first { Self.isProxy($0, output.proxy) }
  }
}
