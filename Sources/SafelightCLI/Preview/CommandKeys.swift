import Libc
import Safelight

/// What a key asks of a command that runs.
protocol KeyCommand: Sendable {
  /// Returns nil for keys that ask nothing.
  init?(_ event: KeyEvent)
}

/// The keys of a command that runs, if there is a terminal to press them in.
final class CommandKeys<Command: KeyCommand> {
  private let presses = EventQueue<Command>()
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
      if let key = Command(event) { presses.append(key) }
    }
  }

  /// What was asked since the last call.
  func take() -> [Command] { presses.take() }

  /// Restores the terminal.
  func close() {
    reader?.stop()
    terminal?.close()
  }
}
