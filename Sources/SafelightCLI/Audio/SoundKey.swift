/// What a key asks of a command that listens.
enum SoundKey: KeyCommand {
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
