import Files
import PhotoIO
import Libc

/// Unfinished files of processes that were killed.
enum Leftovers {
  /// Removes the temporary files of `outputs`, which are names relative to `folder`.
  static func remove(of outputs: some Sequence<String>, in folder: String) {
    // Each folder is listed once, however many results it holds.
    var names: [PathKey: Set<[UInt8]>] = [:]
    for output in outputs {
      let path = FolderListing.path(output, in: folder)
      guard let name = path.split(separator: "/").last else { continue }
      names[PathKey(FolderListing.parent(of: path)), default: []].insert(
        Array(OutputFile.temporaryPrefix(for: String(name)).utf8))
    }
    for (parent, prefixes) in names { remove(prefixes, in: parent.path) }
  }

  /// - Parameter prefixes: the prefixes of the names, including the dot before the random part.
  private static func remove(_ prefixes: Set<[UInt8]>, in folder: String) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    let suffix = Array(OutputFile.temporarySuffix.utf8)
    while let entry = readdir(directory) {
      var bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard bytes.first == UInt8(ascii: "."), bytes.suffix(suffix.count).elementsEqual(suffix) else {
        continue
      }
      guard let dot = bytes.dropLast(suffix.count).lastIndex(of: UInt8(ascii: ".")),
        prefixes.contains(Array(bytes[...dot]))
      else { continue }
      let random = bytes[(dot + 1)..<(bytes.count - suffix.count)]
      guard (1...13).contains(random.count),
        random.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
      else { continue }
      bytes.append(0)
      bytes.withUnsafeBytes { bytes in
        guard let name = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
        unlinkat(dirfd(directory), name, 0)
      }
    }
  }
}
