import Files
import FrameCore
import PhotoIO

/// Finds the photo that an `.xmp` file belongs to.
enum AdobePhoto {
  /// Extensions of camera raws: Adobe's programs write an `.xmp` file beside them, but embed XMP in other photos.
  private static let rawEndings = PhotoFileFormat.readablePathExtensions.subtracting(
    PhotoFileFormat.picturePathExtensions)

  /// - Parameter path: the path of an `.xmp` file: `harbour.xmp` belongs to `harbour.nef`, `harbour.jpg.xmp` to
  ///   `harbour.jpg`.
  /// - Throws: `SafelightError` if there is none, or if it is ambiguous.
  static func find(forXMP path: String) throws -> String {
    let stem = String(path.dropLast(".xmp".count))
    if FileContents.kind(of: stem) == .file { return stem }
    let folder = FolderListing.parent(of: path)
    let name = stem.split(separator: "/").last.map(String.init) ?? stem
    let names = try FolderListing.names(in: folder).names.filter { candidate in
      guard let dot = candidate.lastIndex(of: "."), candidate[..<dot] == name else { return false }
      let ending = candidate[candidate.index(after: dot)...].lowercased()
      return PhotoFileFormat.readablePathExtensions.contains(ending)
    }
    let raws = names.filter { name in
      rawEndings.contains(name.split(separator: ".").last.map { $0.lowercased() } ?? "")
    }
    let found = raws.count == 1 ? raws : names
    guard let photo = found.first else {
      throw SafelightError(
        .file, "There is no photo for \(path) beside it", remedy: "give the photo as the second argument")
    }
    guard found.count == 1 else {
      throw SafelightError(
        .invalidValue, "\(path) may be for \(found.joined(separator: " or "))",
        remedy: "give the photo as the second argument")
    }
    return stem.contains("/") ? FolderListing.path(photo, in: folder) : photo
  }
}

extension AdobeSettings {
  /// Returns the photo that settings belong to, by the name of their file.
  ///
  /// - Parameter path: the path of an `.xmp` file, or of a photo, which is returned as it is.
  public static func photo(for path: String) throws -> String {
    path.lowercased().hasSuffix(".xmp") ? try AdobePhoto.find(forXMP: path) : path
  }
}
