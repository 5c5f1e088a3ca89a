import Files
import FrameCore
import PhotoIO

/// Which XMP file belongs to a photo.
///
/// darktable and digiKam name it `harbour.jpg.xmp`; Lightroom, Bridge and Capture One `DSC_0061.xmp`, and write into it
/// which of several files it is for (`photoshop:SidecarForExtension`). An existing file is used, whoever wrote it; a new
/// one gets the name that the programs for its kind of photo look for: `DSC_0061.xmp` for camera raws, `harbour.jpg.xmp`
/// for all others.
package struct MarkFiles: Sendable {
  /// The names in the photo's folder, if they were read before.
  private let names: Set<String>?
  /// In lower case, without their extensions.
  private let rawStems: Set<String>?

  static let suffix = ".xmp"

  /// Looks for the files of single photos.
  package init() { (names, rawStems) = (nil, nil) }

  /// Looks for the files of many photos of a folder, whose names are known.
  package init(names: [String]) {
    self.names = Set(names)
    rawStems = Set(names.filter(Self.isRaw).map { Self.stem($0).lowercased() })
  }

  /// Whether a file may hold marks.
  package static func isMarkFile(_ name: String) -> Bool { name.lowercased().hasSuffix(suffix) }

  /// Whether there is a file that may belong to a photo.
  package func hasFile(_ photo: String) -> Bool { !((try? candidates(forPhoto: photo)) ?? []).isEmpty }

  /// Returns the paths of the files that exist and may belong to a photo, the likeliest first.
  func candidates(forPhoto photo: String) throws -> [String] {
    let folder = FolderListing.parent(of: photo)
    let name = Self.name(of: photo)
    var found = [name + Self.suffix, name + Self.suffix.uppercased()].filter { exists($0, in: folder) }
    let short = [Self.stem(name) + Self.suffix, Self.stem(name) + Self.suffix.uppercased()]
      .filter { exists($0, in: folder) }
    if !short.isEmpty, try Self.isRaw(name) || !isBesideRaw(name, in: folder) { found += short }
    return found.map { FolderListing.path($0, in: photo.contains("/") ? folder : "") }
  }

  /// Returns the path of the file to be made for a photo that has none.
  ///
  /// - Parameter isTaken: whether the short name belongs to another photo.
  static func newPath(forPhoto photo: String, isTaken: Bool) -> String {
    isRaw(photo) && !isTaken ? stem(photo) + suffix : photo + suffix
  }

  private func exists(_ name: String, in folder: String) -> Bool {
    names?.contains(name) ?? (FileContents.kind(of: FolderListing.path(name, in: folder)) != .missing)
  }

  /// Whether a camera raw has the same name but for the extension: then `NAME.xmp` is for the raw.
  private func isBesideRaw(_ name: String, in folder: String) throws -> Bool {
    let stem = Self.stem(name).lowercased()
    if let rawStems { return rawStems.contains(stem) }
    return try FolderListing.names(in: folder).names.contains {
      Self.isRaw($0) && Self.stem($0).lowercased() == stem
    }
  }

  // MARK: Names

  static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The path without its extension.
  package static func stem(_ path: String) -> String {
    guard let dot = path.lastIndex(of: "."), dot > path.lastIndex(of: "/") ?? path.startIndex else {
      return path
    }
    return String(path[..<dot])
  }

  /// In lower case, without the dot.
  static func pathExtension(_ path: String) -> String {
    String(path.dropFirst(stem(path).count).dropFirst()).lowercased()
  }

  /// Whether a photo is in a camera's own format. Adobe's programs write XMP into DNG.
  static func isRaw(_ path: String) -> Bool { rawExtensions.contains(pathExtension(path)) }

  private static let rawExtensions = PhotoFileFormat.readablePathExtensions.subtracting(
    PhotoFileFormat.picturePathExtensions
  ).subtracting(["dng"])
}
