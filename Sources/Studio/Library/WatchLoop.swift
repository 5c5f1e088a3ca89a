import Libc
import Safelight

/// What the thread of a `FolderWatch` does: it waits for the kernel's events about the files of a folder (inotify(7)),
/// and tells of those that belong together at once.
///
/// Network folders do not tell what other machines do, and a system may grant no watches: while somebody is there to see
/// it, the folder's time of change is looked at, too.
struct WatchLoop {
  private let folder: String
  private let wake: Int32
  private let report: @Sendable (FolderWatch.Change) -> Void
  private let events = Events()
  /// What is to be told when it has been silent for a moment.
  private var names: Set<String> = []
  private var firstName: Timestamp?
  /// Files that were made but perhaps not written yet, with the bytes that they had.
  private var growing: [String: Int] = [:]
  /// The folder's time of change, as far as it is told.
  private var told: FileVersion?

  /// How long to wait, in milliseconds: for more of the same, for a file that grows, for what nobody tells of.
  private static let (silence, growth, look): (Int32, Int32, Int32) = (50, 250, 2000)
  /// The longest that something is not told because there is always more, in seconds.
  private static let patience = 0.3

  init(_ folder: String, wake: Int32, report: @escaping @Sendable (FolderWatch.Change) -> Void) {
    (self.folder, self.wake, self.report) = (folder, wake, report)
    events.watch(folder)
    told = FileVersion(folder)
    report(.begun)
  }

  /// Waits once, and tells what there is.
  mutating func turn(isWatched: Bool) {
    events.watch(folder)
    let wait = !names.isEmpty ? Self.silence : !growing.isEmpty ? Self.growth : isWatched ? Self.look : -1
    var waiting = [
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
      pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&waiting, 2, wait)
    if waiting[0].revents != 0 {
      var bytes = [UInt8](repeating: 0, count: 64)
      _ = read(wake, &bytes, bytes.count)
    }
    if waiting[1].revents != 0 { take() }
    let isSilent = waiting[1].revents == 0 && waiting[0].revents == 0
    let isLate = firstName.map { Timestamp.now.seconds(since: $0) > Self.patience } ?? false
    if !names.isEmpty {
      if isSilent || isLate { tell() }
    } else if isSilent {
      lookAtGrowing()
      // Nobody told of it.
      if isWatched, FileVersion(folder) != told { tellUnknown() }
    }
  }

  private mutating func take() {
    for event in events.take() {
      switch event {
      case .made(let name): growing[name] = -1
      case .changed(let name):
        growing[name] = nil
        add(name)
      case .lost: tellUnknown()
      }
    }
    told = FileVersion(folder)
  }

  private mutating func add(_ name: String) {
    // Files that are being written have hidden names here.
    guard !name.hasPrefix(".") else { return }
    names.insert(name)
    if firstName == nil { firstName = .now }
  }

  private mutating func tell() {
    let names = names
    (self.names, firstName) = ([], nil)
    report(.names(names))
  }

  private mutating func tellUnknown() {
    told = FileVersion(folder)
    report(.unknown)
  }

  /// A link is complete when it is made, and nobody tells when it is: a file that does not grow is taken.
  private mutating func lookAtGrowing() {
    for (name, bytes) in growing {
      let now = FileContents.size(of: FolderListing.path(name, in: folder))
      if let now, now != bytes || now == 0 {
        growing[name] = now
      } else {
        growing[name] = nil
        if now != nil { add(name) }
      }
    }
    // An empty file is not waited for forever: it tells when it is written.
    growing = growing.filter { $0.value != 0 }
  }
}

/// The kernel's events about the files of one folder.
private final class Events {
  enum Event {
    /// Perhaps still being written.
    case made(String)
    /// Written, moved or removed.
    case changed(String)
    /// Events were lost, or the folder itself is gone.
    case lost
  }

  /// -1 if the system grants none.
  let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
  private var number: Int32 = -1
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches the folder, unless it is watched, or is not there yet.
  func watch(_ folder: String) {
    guard descriptor >= 0, number < 0 else { return }
    let mask =
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
      | IN_ONLYDIR
    number = inotify_add_watch(descriptor, folder, UInt32(mask))
  }

  /// Returns the events since the last call; does not wait.
  func take() -> [Event] {
    var found: [Event] = []
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return found }
      buffer.withUnsafeBytes { bytes in
        let head = MemoryLayout<inotify_event>.size
        var place = 0
        while place + head <= count {
          let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
          let end = min(place + head + Int(event.len), count)
          let name = bytes[(place + head)..<end].prefix { $0 != 0 }
          place += head + Int(event.len)
          if let event = note(event.mask, String(validating: name, as: UTF8.self)) { found.append(event) }
        }
      }
    }
  }

  private func note(_ mask: UInt32, _ name: String?) -> Event? {
    func has(_ bits: Int32...) -> Bool { bits.contains { mask & UInt32(bitPattern: $0) != 0 } }
    if has(Int32(IN_Q_OVERFLOW)) { return .lost }
    if has(Int32(IN_IGNORED), Int32(IN_DELETE_SELF), Int32(IN_MOVE_SELF), Int32(IN_UNMOUNT)) {
      // Under its old path there may be another one soon.
      if number >= 0 { inotify_rm_watch(descriptor, number) }
      number = -1
      return .lost
    }
    guard let name, !name.isEmpty, !has(Int32(IN_ISDIR)) else { return nil }
    return has(Int32(IN_CREATE)) ? .made(name) : .changed(name)
  }
}
