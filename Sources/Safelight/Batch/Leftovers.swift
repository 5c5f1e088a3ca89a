#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Unfinished files of processes that were killed.
enum Leftovers {
  /// Removes the temporary files that were to become `output`, a name relative to `folder`.
  static func remove(of output: String, in folder: String) {
    let path = FolderListing.path(output, in: folder)
    let parent = FolderListing.parent(of: path)
    guard let name = path.split(separator: "/").last, let directory = opendir(parent) else { return }
    defer { closedir(directory) }
    // As `OutputFile` names them: hidden, with the name and up to 13 letters and digits.
    let prefix = Array(".\(String(decoding: name.utf8.prefix(200), as: UTF8.self)).".utf8)
    let suffix = Array(".tmp".utf8)
    while let entry = readdir(directory) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes.count > prefix.count + suffix.count, bytes.starts(with: prefix),
        bytes.suffix(suffix.count).elementsEqual(suffix)
      else { continue }
      let middle = bytes[prefix.count..<bytes.count - suffix.count]
      guard middle.count <= 13,
        middle.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
      else { continue }
      unlinkat(dirfd(directory), String(decoding: bytes, as: UTF8.self), 0)
    }
  }
}
