import FrameCore
import Libc

/// A folder that nobody else can read, for as long as it is needed.
package struct TemporaryFolder {
  package let path: String

  /// - Throws: `SafelightError(.file)` if it cannot be made.
  package init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var name = Array((parent + "/safelight-XXXXXX").utf8CString)
    guard mkdtemp(&name) != nil else {
      throw SafelightError(
        .file, "Cannot make a folder in \(parent): \(errorText(errno))",
        remedy: "set TMPDIR to a folder with room")
    }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes the folder and the files in it.
  package func remove() {
    for name in (try? FolderListing.names(in: path).names) ?? [] {
      unlink(FolderListing.path(name, in: path))
    }
    rmdir(path)
  }
}
