import Files
import FrameCore
import Libc

/// Finds the pictures that a name or pattern denotes.
package enum ImageSequenceFiles {
  /// Lower-case extensions of picture files; others in a folder are ignored. So are camera raws, which take
  /// seconds to develop and lie beside pictures of the same photo.
  static let endings = PhotoFileFormat.picturePathExtensions

  /// - Parameter pattern: a folder, a file, or a pattern of glob(7) such as `frames/*.jpg`.
  /// - Returns: paths in natural order, at least one.
  /// - Throws: `SafelightError(.file)` if there is no picture.
  package static func find(_ pattern: String) throws -> [String] {
    var status = stat()
    var paths: [String]
    if stat(pattern, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { return [pattern] }
      paths = try picturesInFolder(pattern)
    } else {
      paths = matches(pattern)
    }
    guard !paths.isEmpty else {
      throw SafelightError(
        .file, "There are no pictures at \(pattern)",
        remedy: "name a folder of pictures or a pattern such as 'frames/*.jpg'")
    }
    paths.sort(by: naturallyPrecedes)
    return paths
  }

  private static func picturesInFolder(_ folder: String) throws -> [String] {
    guard let directory = opendir(folder) else {
      throw SafelightError(
        .file, "Cannot read the folder \(folder): \(errorText(errno))",
        remedy: "check its permissions")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { continue }
      if endings.contains(name[name.index(after: dot)...].lowercased()) { names.append(name) }
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return names.map { prefix + $0 }
  }

  package static func matches(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0, let paths = found.gl_pathv else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
  }
}
