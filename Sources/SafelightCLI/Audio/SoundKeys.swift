import Libc
import Safelight

/// What a key asks of a command that listens.
enum SoundKey: Sendable {
  case pause
  case quit

  init?(_ event: KeyEvent) {
    guard event.kind == .press else { return nil }
    switch UnicodeScalar(event.character) {
    case "p": self = .pause
    case "q": self = .quit
    default: return nil
    }
  }
}

/// The keys of a command that listens, if there is a terminal to press them in.
final class SoundKeys {
  private let presses = PressQueue<SoundKey>()
  private let terminal: Terminal?
  private let reader: TerminalKeys?

  /// - Parameter isWanted: false reads none, as in a run for another program.
  /// - Throws: `SafelightError` if the system grants no more threads.
  init(isWanted: Bool) throws {
    guard isWanted, isatty(0) == 1, isatty(2) == 1,
      let terminal = try? Terminal(device: "/dev/tty", for: .keys(releases: false))
    else {
      (terminal, reader) = (nil, nil)
      return
    }
    self.terminal = terminal
    reader = try TerminalKeys(eventsOf: terminal) { [presses] event in
      if let key = SoundKey(event) { presses.append(key) }
    }
  }

  func take() -> [SoundKey] { presses.take() }

  /// Restores the terminal.
  func close() {
    reader?.stop()
    terminal?.close()
  }
}
