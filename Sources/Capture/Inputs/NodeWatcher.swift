import FrameCore
import Libc

/// Watches for device nodes that appear, disappear or change, by inotify on their folders.
final class NodeWatcher: Sendable {
  private let descriptor: Int32
  private let folders: [String]
  private let node: String?
  private let concerns: @Sendable (String) -> Bool

  /// The polling interval if inotify is unavailable because its limits are reached.
  private static let fallbackInterval = 1.0

  /// - Parameters:
  ///   - folders: outer ones before those in them, which need not exist yet.
  ///   - node: a device whose closing is also reported.
  ///   - concerns: whether a change of this name in a folder is reported.
  init(folders: [String], node: String?, concerns: @escaping @Sendable (String) -> Bool = { _ in true }) {
    self.folders = folders
    self.node = node
    self.concerns = concerns
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    watch()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Folders may come with the first device and go with the last. Adding a watch twice has no effect.
  private func watch() {
    guard descriptor >= 0 else { return }
    let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM)
    for folder in folders { inotify_add_watch(descriptor, folder, changes) }
    if let node { inotify_add_watch(descriptor, node, UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)) }
  }

  /// Waits for a change, which may concern another device.
  ///
  /// - Parameter wake: also ends the wait.
  /// - Returns: false if `deadline` or the wake-up came first.
  func wait(until deadline: Timestamp, wake: WakeSignal? = nil) -> Bool {
    guard descriptor >= 0 else {
      let end = min(deadline, Timestamp.now.advanced(bySeconds: Self.fallbackInterval))
      var signal = pollfd(fd: wake?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
      let woken = poll(&signal, 1, end.millisecondsLeft) > 0
      return !woken && Timestamp.now < deadline
    }
    while true {
      let left = deadline.millisecondsLeft
      var descriptors = (
        pollfd(fd: wake?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      )
      _ = withUnsafeMutableBytes(of: &descriptors) {
        poll($0.baseAddress?.assumingMemoryBound(to: pollfd.self), 2, left)
      }
      if descriptors.0.revents != 0 { return false }
      if descriptors.1.revents != 0, clear() { return true }
      if left == 0 { return false }
    }
  }

  /// Discards past changes.
  ///
  /// - Returns: whether any is to be reported.
  @discardableResult
  func clear() -> Bool {
    guard descriptor >= 0 else { return false }
    var isConcerned = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
      while true {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        guard count > 0 else { return }
        if reports(UnsafeRawBufferPointer(rebasing: bytes[..<count])) { isConcerned = true }
      }
    }
    if isConcerned { watch() }
    return isConcerned
  }

  private func reports(_ events: UnsafeRawBufferPointer) -> Bool {
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= events.count {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let name = events[(offset + header)...].prefix(Int(event.len)).prefix { $0 != 0 }
      // Events of a watched node or folder itself have no name.
      if name.isEmpty || concerns(String(decoding: name, as: UTF8.self)) { return true }
      offset += header + Int(event.len)
    }
    return false
  }
}

extension NodeWatcher {
  /// Watches video devices.
  ///
  /// - Parameter node: a device whose closing is also reported.
  static func video(node: String? = nil) -> NodeWatcher {
    // udev creates the folders of links with the first camera.
    NodeWatcher(folders: ["/dev", "/dev/v4l", "/dev/v4l/by-id"], node: node) { name in
      // /dev changes for many reasons; for example, terminals come and go. Names in by-id start with the bus.
      name.hasPrefix("video") || name.hasPrefix("v4l") || name.hasPrefix("usb-") || name == "by-id"
    }
  }

  /// Watches sound devices.
  ///
  /// - Parameter node: a device whose closing is also reported.
  static func sound(_ directory: SoundDirectory, node: String? = nil) -> NodeWatcher {
    // The folders come with the first card and go with the last, so that of /dev/snd is watched too.
    let parent = directory.nodes.lastIndex(of: "/").map { String(directory.nodes[..<$0]) }
    return NodeWatcher(folders: [parent, directory.nodes, directory.links].compactMap(\.self), node: node)
  }
}
