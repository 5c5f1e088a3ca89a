import FrameCore

/// The control group (version 2) of this process, whose pressure concerns it more than the whole machine's.
struct ControlGroup: Sendable {
  private let root: String

  init(root: String) { self.root = root }

  /// The folder of the group; nil if there is none, or only groups of version 1.
  func folder() -> String? {
    guard let path = SystemText.read(root + "/proc/self/cgroup", Self.path) else { return nil }
    // Where systemd runs both versions, the second one is in `unified`.
    return ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map { root + $0 + (path == "/" ? "" : path) }
      .first {
        SystemFile.line($0 + "/cgroup.procs") != nil || SystemFile.line($0 + "/memory.pressure") != nil
      }
  }

  /// Returns the path of the group of version 2 from the text of /proc/self/cgroup: the line `0::/PATH`; nil
  /// if there is none, or the group is outside this container's view. Source: cgroups(7).
  static func path(_ text: UnsafeRawBufferPointer) -> String? {
    for line in text.split(separator: UInt8(ascii: "\n")) where line.starts(with: "0::/".utf8) {
      let path = String(decoding: line.dropFirst(3), as: UTF8.self)
      let parts = path.split(separator: "/")
      guard !parts.contains(".."), !path.hasSuffix(" (deleted)") else { return nil }
      return path
    }
    return nil
  }
}

/// A file of pressure stall information: how much of the last 10 s programs waited for something. Source:
/// Documentation/accounting/psi.rst.
struct StallFile: Sendable {
  let path: String
  /// For sentences: `This control group` or `The machine`.
  let whose: String

  /// Returns the percentage of time in which some programs waited, or all did (`full`); nil if the file does
  /// not say.
  func share(_ kind: String) -> Double? {
    SystemText.read(path) { Self.share(kind, $0) }
  }

  static func share(_ kind: String, _ text: UnsafeRawBufferPointer) -> Double? {
    guard let number = SystemText.number(of: "avg10=", inLine: kind + " ", text), (0...100).contains(number)
    else { return nil }
    return number
  }

  /// Returns the file of the control group, or else that of the machine; nil if the kernel has neither.
  static func find(_ resource: String, root: String, group: ControlGroup) -> StallFile? {
    let own = group.folder().map {
      StallFile(path: "\($0)/\(resource).pressure", whose: "programs of this control group")
    }
    let all = StallFile(path: "\(root)/proc/pressure/\(resource)", whose: "programs of this machine")
    return [own, all].compactMap(\.self).first { $0.share("some") != nil }
  }
}
