/// What a key asks of a recording.
enum RecordKey: KeyCommand {
  case toggle
  case pause
  case mark
  case still
  case voice
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
    case "v": self = .voice
    case "b": self = .original
    case "[": self = .weaker
    case "]": self = .stronger
    case "q": self = .quit
    default: return nil
    }
  }
}
