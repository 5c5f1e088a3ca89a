import Libc
import Safelight

/// What a key asks of a recording.
enum RecordKey: Sendable {
  case toggle
  case pause
  case mark
  case still
  case original
  case weaker
  case stronger
  case quit

  init?(_ event: KeyEvent) {
    guard event.kind == .press else { return nil }
    switch UnicodeScalar(event.character) {
    case "r": self = .toggle
    case "p": self = .pause
    case "m": self = .mark
    case "s": self = .still
    case "b": self = .original
    case "[": self = .weaker
    case "]": self = .stronger
    case "q": self = .quit
    default: return nil
    }
  }
}

/// The keys of a recording, if there is a terminal to press them in.
final class RecordKeys {
  private let presses = PressQueue<RecordKey>()
  private let terminal: Terminal?
  private let reader: TerminalKeys?

  /// - Parameter isWanted: false reads none, as in a run for another program.
  init(isWanted: Bool) throws {
    guard isWanted, isatty(0) == 1, isatty(2) == 1,
      let terminal = try? Terminal(device: "/dev/tty", for: .keys(releases: false))
    else {
      (terminal, reader) = (nil, nil)
      return
    }
    self.terminal = terminal
    reader = try TerminalKeys(eventsOf: terminal) { [presses] event in
      if let key = RecordKey(event) { presses.append(key) }
    }
  }

  /// Whether keys are read.
  var areRead: Bool { terminal != nil }

  func take() -> [RecordKey] { presses.take() }

  /// Restores the terminal.
  func close() {
    reader?.stop()
    terminal?.close()
  }
}
