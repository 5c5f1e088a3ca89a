import Safelight

/// Where commands that draw a picture for each photo write: a file for one photo, a folder for several.
struct PictureTarget {
  /// The flag that asks for the pictures, for messages.
  let flag: String
  /// What is appended to a photo's name in a folder: `harbour.jpg` gives `harbour-scopes.png`.
  let suffix: String
  let path: String
  /// Whether pictures that exist are replaced.
  let overwrite: Bool

  /// Whether the path means a folder: it ends with `/` or is one.
  private var isFolder: Bool { path.hasSuffix("/") || FileContents.kind(of: path) == .folder }

  /// Where the picture of each photo goes.
  ///
  /// Makes the folder where there is none, after everything else has been found good; mistyped names of photos leave no
  /// folder behind.
  ///
  /// - Parameter identity: how a file is examined; tests count how often that is done.
  /// - Throws: `SafelightError` where a picture would replace one of the photos or another picture, or exists and is not
  ///   to be replaced, or the format cannot be written.
  func paths(
    for photos: [String], identity: (String) -> FileIdentity? = FileIdentity.init
  ) throws -> [String] {
    var paths = [path]
    if isFolder {
      let folder = path.hasSuffix("/") ? path : path + "/"
      paths = photos.map { folder + Self.stem(of: $0) + suffix }
    } else if photos.count > 1 {
      throw SafelightError(
        .invalidValue, "\(flag) \(path) names one picture, but \(photos.count) photos are given",
        remedy: "name a folder, such as \(flag) \(Self.stem(of: path))/")
    }
    var owners: [String: String] = [:]
    let originals = FileIdentity.paths(of: photos, identity: identity)
    for (photo, target) in zip(photos, paths) {
      _ = try PhotoFileFormat(forWritingTo: target)
      if let other = owners.updateValue(photo, forKey: target) {
        throw SafelightError(
          .invalidValue, "\(other) and \(photo) would both be drawn to \(target)",
          remedy: "draw them one at a time, or into different folders")
      }
      if let file = identity(target), let original = originals[file] {
        throw SafelightError(
          .invalidValue, "\(target) is the photo \(original) itself", remedy: "write to another name")
      }
      guard overwrite || !FileContents.isRegular(target) else { throw OutputFiles.exists(target) }
    }
    if isFolder, photos.contains(where: { FileContents.kind(of: $0) == .file }) {
      try Folder.make(Self.withoutEndingSlashes(path))
    }
    return paths
  }

  /// A file's name with a slash after it is no name at all, and would not be found to be in the way.
  private static func withoutEndingSlashes(_ path: String) -> String {
    let end = path.lastIndex { $0 != "/" }
    return end.map { String(path[...$0]) } ?? path
  }

  /// `harbour` for `photos/harbour.jpg`.
  private static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last ?? "picture"
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}
