/// What a key asks of a command that listens.
enum SoundKey: KeyCommand {
  case pause
  case mark
  case quit

  init?(_ event: KeyEvent) {
    guard event.kind == .press else { return nil }
    switch UnicodeScalar(event.character) {
    case "p": self = .pause
    case "m": self = .mark
    case "q": self = .quit
    default: return nil
    }
  }
}
