import FrameCore
import Libc

/// Watches for device nodes that appear, disappear or change, by inotify on /dev.
final class DeviceWatcher: Sendable {
  private let descriptor: Int32
  private let linkFolders = ["/dev/v4l", "/dev/v4l/by-id"]

  /// The polling interval if inotify is unavailable because its limits are reached.
  private static let fallbackInterval = 1.0

  /// - Parameter node: a device whose closing is also reported.
  init(node: String? = nil) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return }
    watchFolders()
    if let node { inotify_add_watch(descriptor, node, UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches folders that udev creates with the first camera, once they exist; adding a watch twice has no effect.
  private func watchFolders() {
    let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM)
    inotify_add_watch(descriptor, "/dev", changes)
    for folder in linkFolders { inotify_add_watch(descriptor, folder, changes) }
  }

  /// Waits for an event concerning video devices.
  ///
  /// - Parameter wake: also ends the wait.
  /// - Returns: false if `deadline` or the wake-up came first.
  func wait(until deadline: Timestamp, wake: WakeSignal?) -> Bool {
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

  /// Discards past events.
  ///
  /// - Returns: whether any of it concerned video devices.
  @discardableResult
  func clear() -> Bool {
    guard descriptor >= 0 else { return false }
    var concerned = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { bytes in
      while true {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        guard count > 0 else { return }
        if Self.concernsVideo(UnsafeRawBufferPointer(rebasing: bytes[..<count])) { concerned = true }
      }
    }
    if concerned { watchFolders() }
    return concerned
  }

  /// /dev changes for many reasons; for example, terminals come and go.
  private static func concernsVideo(_ events: UnsafeRawBufferPointer) -> Bool {
    let header = MemoryLayout<inotify_event>.size
    var offset = 0
    while offset + header <= events.count {
      let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let nameBytes = events[(offset + header)...].prefix(Int(event.len)).prefix { $0 != 0 }
      let name = String(decoding: nameBytes, as: UTF8.self)
      // Events of a watched node itself have no name; names in by-id start with the bus.
      if name.isEmpty || name.hasPrefix("video") || name.hasPrefix("v4l") || name.hasPrefix("usb-")
        || name == "by-id"
      {
        return true
      }
      offset += header + Int(event.len)
    }
    return false
  }
}
