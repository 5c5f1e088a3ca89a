import FrameCore
import Libc

/// Watches for sound devices that appear, disappear or are closed, by inotify on /dev/snd.
final class SoundWatcher: Sendable {
  private let descriptor: Int32
  private let directory: SoundDirectory
  private let node: String?

  /// The polling interval if inotify is unavailable because its limits are reached.
  private static let fallbackInterval = 1.0

  /// - Parameter node: a device whose closing is also reported.
  init(_ directory: SoundDirectory, node: String? = nil) {
    self.directory = directory
    self.node = node
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    watchFolders()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The folders come with the first card and go with the last, so that of /dev/snd is watched too. Adding a
  /// watch twice has no effect.
  private func watchFolders() {
    guard descriptor >= 0 else { return }
    let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM)
    if let parent = directory.nodes.lastIndex(of: "/") {
      inotify_add_watch(descriptor, String(directory.nodes[..<parent]), changes)
    }
    inotify_add_watch(descriptor, directory.nodes, changes)
    inotify_add_watch(descriptor, directory.links, changes)
    if let node { inotify_add_watch(descriptor, node, UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)) }
  }

  /// Waits for a change, which may concern another device.
  ///
  /// - Returns: false if `deadline` came first.
  func wait(until deadline: Timestamp) -> Bool {
    guard descriptor >= 0 else {
      let end = min(deadline, Timestamp.now.advanced(bySeconds: Self.fallbackInterval))
      _ = poll(nil, 0, end.millisecondsLeft)
      return Timestamp.now < deadline
    }
    var events = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&events, 1, deadline.millisecondsLeft) > 0 else { return false }
    clear()
    return true
  }

  /// Discards past changes.
  func clear() {
    guard descriptor >= 0 else { return }
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
      while read(descriptor, bytes.baseAddress, bytes.count) > 0 {}
    }
    watchFolders()
  }
}
