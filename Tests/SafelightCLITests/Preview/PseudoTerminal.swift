import Testing
import Libc

/// A terminal whose screen is this test.
final class PseudoTerminal: @unchecked Sendable {
  private let controller: Int32
  /// What a program opens.
  let device: String

  init(columns: UInt16 = 40, rows: UInt16 = 13, cell: (width: UInt16, height: UInt16) = (0, 0)) throws {
    controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    try #require(controller >= 0)
    var (locked, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN, which the Glibc module does not have.
    try #require(ioctl(controller, 0x4004_5431, &locked) == 0)
    try #require(ioctl(controller, 0x8004_5430, &number) == 0)
    device = "/dev/pts/\(number)"
    resize(columns: columns, rows: rows, cell: cell)
  }

  deinit { hangUp() }

  private var isOpen = true

  /// The window is closed.
  func hangUp() {
    guard isOpen else { return }
    isOpen = false
    close(controller)
  }

  func resize(columns: UInt16, rows: UInt16, cell: (width: UInt16, height: UInt16) = (0, 0)) {
    var size = winsize(
      ws_row: rows, ws_col: columns, ws_xpixel: columns * cell.width, ws_ypixel: rows * cell.height)
    _ = ioctl(controller, UInt(TIOCSWINSZ), &size)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(controller, bytes, bytes.count)
  }

  /// All that has been written so far.
  func read() -> [UInt8] {
    var (all, chunk): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = systemRead(controller, &chunk, chunk.count)
      guard count > 0 else { return all }
      all += chunk[..<count]
    }
  }

  /// The modes that the terminal is in.
  var modes: termios {
    var modes = termios()
    tcgetattr(controller, &modes)
    return modes
  }

  /// Input that is waited for, and echo.
  var isCooked: Bool { modes.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO) }
}

/// read(2); a method of this name hides it above.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
