import CTerminal
import Safelight
import Libc

/// The terminal that the program runs in, with keys delivered as they are pressed and not shown.
///
/// Ctrl-C remains a signal. The changes made by `init` and `enterScreen` are undone by `close`, when the last
/// reference is released, and if a signal ends the process. A write never waits longer than a second, however slow
/// the terminal.
final class Terminal: @unchecked Sendable {
  let capabilities: TerminalCapabilities
  /// For reading keys and waiting for them; does not block.
  let descriptor: Int32
  private var modes: termios
  fileprivate var isOpen = true
  fileprivate var isOnScreen = false
  /// Whether the terminal was asked to tell releases of keys.
  private(set) var tellsReleases = false
  /// Bytes that the terminal has not accepted yet.
  fileprivate var unsent: [UInt8] = []

  /// What the terminal is opened for.
  enum Purpose: Equatable {
    /// Pictures and keys.
    case pictures
    /// Keys only; with their releases, if the terminal tells them.
    case keys(releases: Bool)
  }

  /// How long to wait for the answers to queries, in milliseconds; they may cross a network.
  static let answerTime: Int32 = 400
  /// How long a write waits for the terminal to accept more, in milliseconds.
  private static let writeTime: Int32 = 1000

  /// Opens the controlling terminal of this process, whatever its standard input and output are.
  ///
  /// - Throws: `SafelightError` if there is none, or if it cannot move its cursor.
  static func controlling(environment: [String: String]) throws -> Terminal {
    let isDumb = ["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
    guard !isDumb else {
      throw SafelightError(
        .unsupported, "The terminal cannot draw pictures: TERM is “\(environment["TERM"] ?? "")”",
        remedy: "set TERM, for example to xterm-256color, or use --to stream:0 and a browser")
    }
    return try Terminal(device: "/dev/tty", environment: environment)
  }

  /// - Parameter device: the path of a terminal device.
  init(
    device: String, environment: [String: String] = [:], for purpose: Purpose = .pictures,
    answerTime: Int32 = Terminal.answerTime
  ) throws {
    // Reopened, so that non-blocking mode here does not affect the shell.
    let number = open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0, isatty(number) == 1 else {
      if number >= 0 { closeFile(number) }
      throw purpose == .pictures
        ? SafelightError(
          .unsupported, "There is no terminal to draw on",
          remedy: "run in a terminal, or use --to stream:0 and a browser")
        : SafelightError(
          .unsupported, "There is no terminal whose keys could fire the shutter",
          remedy:
            "run in a terminal, or use --on input:DEVICE; without --burst-while also --on signal:USR1 or http:8080"
        )
    }
    descriptor = number
    modes = termios()
    tcgetattr(number, &modes)
    guard terminal_guard_arm(number, &modes) else {
      closeFile(number)
      throw SafelightError(
        .invalidValue, "The terminal already shows a preview", remedy: "use only one preview")
    }
    Self.setKeyModes(number, from: modes)
    var found = TerminalCapabilities()
    found.colors = TerminalCapabilities.colors(in: environment)
    switch purpose {
    case .pictures: Self.ask(TerminalCapabilities.query, number, &found, time: answerTime)
    case .keys(releases: true): Self.ask(TerminalCapabilities.keyQuery, number, &found, time: answerTime)
    case .keys(releases: false): break
    }
    capabilities = found
    if found.keyReleases { enterReleases() }
  }

  deinit { close() }

  /// Restores the terminal. Does nothing the second time.
  func close() {
    guard isOpen else { return }
    isOpen = false
    leaveScreen()
    leaveReleases()
    tcsetattr(descriptor, TCSANOW, &modes)
    terminal_guard_disarm()
    closeFile(descriptor)
  }
}

extension Terminal {
  /// The current size; the query is cheap, so no signal is needed to detect changes.
  var size: Size {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0 else { return Size(columns: 0, rows: 0) }
    return Size(
      columns: Int(window.ws_col), rows: Int(window.ws_row), width: Int(window.ws_xpixel),
      height: Int(window.ws_ypixel), cell: capabilities.cell)
  }

  /// Changes to the alternate screen, without a cursor and without wrapping at the right edge.
  func enterScreen() {
    guard isOpen, !isOnScreen else { return }
    isOnScreen = true
    let bytes = restoringBytes
    _ = terminal_guard_set_restoring_bytes(bytes, bytes.count)
    _ = try? write(Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J".utf8))
  }

  /// Asks the terminal to tell repetitions and releases of keys; those of text still come as text, and Ctrl-C remains
  /// a signal.
  private func enterReleases() {
    tellsReleases = true
    _ = terminal_guard_set_restoring_bytes(Self.endOfReleases, Self.endOfReleases.count)
    _ = try? write(Array("\u{1B}[>2u".utf8))
  }

  private static let endOfReleases = Array("\u{1B}[<u".utf8)

  private func leaveReleases() {
    guard tellsReleases, !terminal_guard_has_fired() else { return }
    _ = try? send(Self.endOfReleases[...], waiting: Self.writeTime / 2)
    _ = terminal_guard_set_restoring_bytes([], 0)
  }

  /// Ends an interrupted picture's sequence, which is harmless otherwise, and undoes `enterScreen`.
  private var restoringBytes: [UInt8] {
    let text =
      "\u{18}\u{1B}\\\u{1B}[?2026l" + (capabilities.kittyGraphics ? "\u{1B}_Ga=d,d=A,q=2\u{1B}\\" : "")
      + "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    return Array(text.utf8)
  }

  func leaveScreen() {
    guard isOnScreen else { return }
    isOnScreen = false
    guard !isGivenBack else { return }
    // The remaining bytes are discarded: only the end of a picture is lost.
    unsent = []
    _ = try? send(restoringBytes[...], waiting: Self.writeTime / 2)
    _ = terminal_guard_set_restoring_bytes([], 0)
  }

  /// Whether the terminal has been closed or restored by a signal: nothing may be drawn any more.
  var isGivenBack: Bool { !isOpen || terminal_guard_has_fired() }

  /// Whether the terminal has accepted everything sent so far.
  func isReady() throws -> Bool {
    guard !unsent.isEmpty else { return true }
    let rest = unsent
    unsent.removeAll(keepingCapacity: true)
    try send(rest[...], waiting: 0)
    return unsent.isEmpty
  }

  /// Writes bytes; those that a stopped terminal does not accept within a second are kept for `isReady`.
  ///
  /// - Throws: `SinkClosed` if the terminal is gone.
  func write(_ bytes: [UInt8]) throws { try send(bytes[...], waiting: Self.writeTime) }

  private func send(_ bytes: ArraySlice<UInt8>, waiting time: Int32) throws {
    var rest = bytes
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
        continue
      }
      guard errno == EAGAIN || errno == EINTR else { throw SinkClosed() }
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&request, 1, time) == 0 {
        unsent += rest
        return
      }
      if request.revents & Int16(POLLHUP) != 0 { throw SinkClosed() }
    }
  }

  /// Delivers keys as they are pressed, without echo. Ctrl-Z is a key: a stopped program would hold the camera.
  private static func setKeyModes(_ descriptor: Int32, from modes: termios) {
    var modes = modes
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &modes.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
      // _POSIX_VDISABLE on Linux.
      characters[Int(VSUSP)] = 0
    }
    tcsetattr(descriptor, TCSANOW, &modes)
  }

  /// Sends the queries and waits for the last answer. A terminal that gives none is assumed to support nothing.
  private static func ask(
    _ query: [UInt8], _ descriptor: Int32, _ capabilities: inout TerminalCapabilities, time: Int32
  ) {
    guard time > 0 else { return }
    _ = query.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
    let deadline = Timestamp.now.advanced(bySeconds: Double(time) / 1000)
    var answers: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256)
    while true {
      let left = deadline.seconds(since: .now)
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&request, 1, Int32(left * 1000) + 1) >= 0 else { return }
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        answers += chunk[..<count]
        if capabilities.read(answers) || answers.count > 4096 { return }
      } else if request.revents & Int16(POLLHUP | POLLERR) != 0 {
        return
      }
    }
  }
}

/// write(2); methods of this name hide it above.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// close(2); a method of this name hides it above.
private func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
