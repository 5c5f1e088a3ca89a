import Files
import Libc

/// The kernel's events about files in folders (inotify(7)).
final class FolderEvents {
  enum Event: Sendable, Hashable {
    /// A file was closed after writing, moved in or linked.
    case file(name: String, folder: String, below: String)
    /// Folders were created, removed or moved: the watched ones have to be determined again.
    case foldersChanged
    /// Events were lost.
    case overflow
  }

  private struct Watched {
    var folder: String
    var below: String
  }

  private let descriptor: Int32
  private var watched: [Int32: Watched] = [:]
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Returns nil if the system grants no more inotify instances.
  init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches a folder; does nothing if it is watched already.
  ///
  /// - Parameter below: its path relative to the folder that was named.
  /// - Returns: false if the system grants no more watches.
  func watch(_ folder: String, below: String) -> Bool {
    let mask =
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
      | IN_EXCL_UNLINK
    let number = inotify_add_watch(descriptor, folder, UInt32(mask))
    guard number >= 0 else { return errno != ENOSPC && errno != ENOMEM }
    watched[number] = Watched(folder: folder, below: below)
    return true
  }

  /// Returns the events since the previous call; does not wait.
  func take() -> [Event] {
    var events: [Event] = []
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return events }
      buffer.withUnsafeBytes { parse(UnsafeRawBufferPointer(rebasing: $0[..<count]), into: &events) }
    }
  }

  private func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) {
    let head = MemoryLayout<inotify_event>.size
    var place = 0
    while place + head <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
      let name = bytes[(place + head)..<min(place + head + Int(event.len), bytes.count)].prefix { $0 != 0 }
      place += head + Int(event.len)
      note(event, name: String(validating: name, as: UTF8.self), &events)
    }
  }

  private func note(_ event: inotify_event, name: String?, _ events: inout [Event]) {
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return events.append(.overflow) }
    if event.mask & UInt32(IN_IGNORED) != 0 {
      watched[event.wd] = nil
      return events.append(.foldersChanged)
    }
    let isFolder = event.mask & UInt32(IN_ISDIR) != 0
    let isSelf = event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0
    guard !isFolder, !isSelf else {
      // A moved folder would be reported under its old path: it is watched again where it is found.
      if event.mask & UInt32(IN_MOVE_SELF) != 0 { inotify_rm_watch(descriptor, event.wd) }
      return events.append(.foldersChanged)
    }
    guard event.mask & UInt32(IN_MOVED_FROM) == 0, let name, let place = watched[event.wd] else { return }
    // A link is complete when it is created; a file that was only created is still being written.
    let isWritten = event.mask & UInt32(IN_CLOSE_WRITE | IN_MOVED_TO) != 0
    if isWritten || isLink(name, in: place.folder) {
      events.append(.file(name: name, folder: place.folder, below: place.below))
    }
  }

  private func isLink(_ name: String, in folder: String) -> Bool {
    var status = stat()
    guard lstat(FolderListing.path(name, in: folder), &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
  }
}
