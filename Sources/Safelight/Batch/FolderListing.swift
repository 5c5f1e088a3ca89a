import FrameCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which file a path leads to, whatever its name.
struct FileIdentity: Sendable, Hashable {
  let device: UInt64
  let inode: UInt64
  let isFolder: Bool

  /// Follows symbolic links; nil where there is nothing.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}

/// The names in a folder.
enum FolderListing {
  /// - Returns: names in natural order, without hidden ones.
  /// - Throws: `SafelightError(.file)` where the folder cannot be read.
  static func names(in folder: String) throws -> [String] {
    guard let directory = opendir(folder) else {
      throw SafelightError(
        .file, "Cannot read the folder \(folder): \(String(cString: strerror(errno)))",
        remedy: "check its permissions")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted(by: naturallyPrecedes)
  }

  static func path(_ name: String, in folder: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : folder + "/" + name
  }

  /// The folder that holds `path`; `.` for a mere name.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
