import Libc
import Safelight

/// The folder with the sockets of this user's studios: `$XDG_RUNTIME_DIR/safelight`.
struct HandoverFolder: Sendable {
  let path: String

  /// The initializer returns nil where there is no such folder, or where others may write: then nothing is handed over.
  ///
  /// - Parameter parent: the folder of things that last as long as the user is logged in.
  init?(in parent: String? = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) }) {
    guard let parent, parent.hasPrefix("/"), Self.isPrivate(parent) else { return nil }
    path = FolderListing.path("safelight", in: parent)
    do { try Folder.make(path, permissions: 0o700) } catch { return nil }
    guard Self.isPrivate(path) else { return nil }
  }

  /// Whether a folder is this user's, and nobody else may write to it.
  private static func isPrivate(_ folder: String) -> Bool {
    var status = stat()
    return stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & (S_IWGRP | S_IWOTH) == 0
  }

  private static let prefix = "studio-"

  /// The socket of a process.
  func socket(of process: Int32) -> String { FolderListing.path("\(Self.prefix)\(process)", in: path) }

  /// The sockets that are there, those of programs that were killed too; in natural order.
  var sockets: [String] {
    let names = (try? FolderListing.names(in: path).names) ?? []
    return names.filter { $0.hasPrefix(Self.prefix) }.map { FolderListing.path($0, in: path) }
  }

  /// Waits until no other program is about to start a studio: of several that are started at once, as by “Open with” on
  /// a selection, the first serves and the others hand over.
  ///
  /// - Returns: what holds the others off; nil if it takes too long.
  func lock() -> FileLock? {
    try? FileLock(
      FolderListing.path("lock", in: path), O_RDWR | O_CREAT | O_NOFOLLOW,
      until: .now.advanced(bySeconds: Self.patience))
  }

  /// In seconds. To start takes less.
  private static let patience = 5.0
}
