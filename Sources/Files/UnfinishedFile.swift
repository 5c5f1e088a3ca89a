import CFiles
import Libc

/// A file under its own name that is worth nothing before it is complete: it is removed if the program is ended by a
/// signal, and by `remove`.
package final class UnfinishedFile {
  private let folder: Int32
  private let name: String
  private var slot: Int32

  /// - Parameter path: of a file that was created.
  package init(_ path: String) {
    let parts = OutputFile.split(path)
    name = parts.name
    folder = open(parts.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    slot = folder < 0 ? -1 : temporary_files_add(folder, parts.name)
  }

  deinit {
    keep()
    if folder >= 0 { close(folder) }
  }

  /// Leaves the file where it is.
  package func keep() {
    temporary_files_remove(slot)
    slot = -1
  }

  package func remove() {
    keep()
    if folder >= 0 { unlinkat(folder, name, 0) }
  }
}
