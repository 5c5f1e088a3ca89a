import Libc

/// The USB camera of `Tests/CameraVM/uvc-camera`, a program that the kernel takes for a device.
final class EmulatedCamera {
  /// The device's name as the driver gives it.
  static let name = "Safelight Test Camera"

  private let process: pid_t
  private let commands: Int32
  private let events: Int32
  private var unread: [UInt8] = []

  /// A camera that is not plugged in yet.
  ///
  /// - Parameters:
  ///   - port: of the virtual host controller, 0…7.
  ///   - huffmanTables: false leaves them out of JPEGs, as many cameras do.
  init(port: Int = 0, serial: String = "0001", huffmanTables: Bool = true) throws {
    var words = [
      "\(Guest.package)/Tests/CameraVM/uvc-camera", "--port", "\(port)", "--serial", serial, "--jpegs",
      Guest.jpegs,
    ]
    if !huffmanTables { words.append("--without-huffman-tables") }
    let (input, output) = (try Shell.pipe(), try Shell.pipe())
    process = try Shell.spawn(words, input: input.reader, output: output.writer)
    close(input.reader)
    close(output.writer)
    (commands, events) = (input.writer, output.reader)
  }

  deinit {
    close(commands)
    close(events)
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// Plugs the camera in and waits for its nodes, and until udev has given it its name.
  func plug() async throws {
    let (before, named) = (try Self.nodes(), try Self.names())
    send("plug")
    try await expect("plugged")
    try await Guest.wait(for: "a node of the camera") { try Self.nodes().count > before.count }
    try await Guest.wait(for: "a name of the camera") { try Self.names().count > named.count }
  }

  /// Pulls the camera out and waits until its nodes are gone.
  func unplug() async throws {
    let (before, named) = (try Self.nodes(), try Self.names())
    send("unplug")
    try await expect("unplugged")
    try await Guest.wait(for: "the end of the camera's nodes") { try Self.nodes().count < before.count }
    try await Guest.wait(for: "the end of the camera's name") { try Self.names().count < named.count }
  }

  /// Gives the program a command; `uvc-camera --help` lists them.
  func send(_ command: String) {
    let line = Array((command + "\n").utf8)
    _ = write(commands, line, line.count)
  }

  /// Waits until the camera says that `line` happened, and returns what it said before.
  @discardableResult
  func expect(_ line: String) async throws -> [String] {
    var seen: [String] = []
    try await Guest.wait(for: "“\(line)” from the emulated camera") {
      while let next = nextLine() {
        if next == line { return true }
        seen.append(next)
      }
      return false
    }
    return seen
  }

  /// What the camera has said and nobody has read yet.
  func said() -> [String] {
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    return lines
  }

  private func nextLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var request = pollfd(fd: events, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 0) > 0 else { return nil }
      var part = [UInt8](repeating: 0, count: 4096)
      let count = read(events, &part, part.count)
      guard count > 0 else { return nil }
      unread += part[..<count]
    }
  }

  /// udev's links to the nodes for pictures.
  static func names() throws -> [String] {
    try Shell.run("ls /dev/v4l/by-id 2>/dev/null | grep 'index0$' || true").split(separator: "\n").map(
      String.init)
  }

  /// All video nodes: a camera has one for pictures and one for metadata.
  static func nodes() throws -> [String] {
    try Shell.run("ls /dev | grep '^video' || true").split(separator: "\n").map { "/dev/\($0)" }
  }
}
