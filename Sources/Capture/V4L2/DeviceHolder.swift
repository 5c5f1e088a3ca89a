import Libc

/// A process that has a device open.
public struct DeviceHolder: Sendable, Hashable, CustomStringConvertible {
  public let processID: Int
  /// The name in /proc/PID/comm, at most 15 characters.
  public let name: String

  package init(processID: Int, name: String) {
    self.processID = processID
    self.name = name
  }

  /// For example `obs (process 4711)`.
  public var description: String { "\(name) (process \(processID))" }

  var isSelf: Bool { processID == Int(getpid()) }

  /// Returns the processes that have the device node at `path` open, by process ID. Only root sees those of other
  /// users.
  ///
  /// Reads every descriptor of every process, which takes some milliseconds on a busy system.
  public static func holders(of path: String) -> [DeviceHolder] {
    var device = stat()
    guard stat(path, &device) == 0 else { return [] }
    return Directory.names("/proc").compactMap { entry -> DeviceHolder? in
      guard let processID = Int(entry) else { return nil }
      let folder = "/proc/\(entry)/fd"
      let holds = Directory.names(folder).contains { number in
        var status = stat()
        guard stat("\(folder)/\(number)", &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFCHR && status.st_rdev == device.st_rdev
      }
      guard holds else { return nil }
      return DeviceHolder(processID: processID, name: SystemFile.line("/proc/\(entry)/comm") ?? "a program")
    }.sorted { $0.processID < $1.processID }
  }
}

/// Lists folders of /dev, /proc and /sys.
enum Directory {
  /// Returns the names in a folder; empty if it does not exist or may not be read.
  static func names(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// Reads small files of /proc and /sys.
enum SystemFile {
  /// Returns the first line, without its line break; nil if the file cannot be read or is empty.
  static func line(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      guard count > 0 else { return nil }
      return String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
  }
}
