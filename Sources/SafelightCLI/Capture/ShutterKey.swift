import ArgumentParser

/// A key of `--burst-while`, in a terminal or on an input device.
enum ShutterKey: Hashable {
  case any
  /// A space, a letter, or a digit.
  case character(Character)
  case enter
  case volumeUp
  case volumeDown

  init(_ text: String) throws {
    switch text.lowercased() {
    case "any": self = .any
    case "space", " ": self = .character(" ")
    case "enter", "return": self = .enter
    case "volume-up": self = .volumeUp
    case "volume-down": self = .volumeDown
    case let word where word.count == 1 && word.allSatisfy { Self.codes[$0] != nil }:
      self = .character(Character(word))
    default:
      throw ValidationError(
        "“\(text)” is not a key; give space, enter, a letter, a digit, volume-up, volume-down or any.")
    }
  }

  /// Whether the key fires the shutter where a terminal tells it; q ends the run.
  func matches(_ event: KeyEvent) -> Bool {
    switch self {
    case .any: event.character != UInt32(UInt8(ascii: "q"))
    case .character(let character): character.unicodeScalars.first?.value == event.character
    case .enter: event.character == KeyEvent.enter
    case .volumeUp, .volumeDown: false
    }
  }

  /// - Parameter code: of linux/input-event-codes.h.
  func matches(inputCode code: UInt16) -> Bool {
    switch self {
    case .any: true
    case .character(let character): Self.codes[character] == code
    // The one of the keypad too.
    case .enter: code == 28 || code == 96
    case .volumeDown: code == 114
    case .volumeUp: code == 115
    }
  }

  /// Whether terminals tell it.
  var isOfTerminals: Bool {
    switch self {
    case .any, .enter: true
    case .character(let character): character != "q"
    case .volumeUp, .volumeDown: false
    }
  }

  /// The codes of keys by their place on a keyboard of the United States (linux/input-event-codes.h).
  private static let codes: [Character: UInt16] = {
    var codes: [Character: UInt16] = [" ": 57]
    for (first, row) in [(UInt16(2), "1234567890"), (16, "qwertyuiop"), (30, "asdfghjkl"), (44, "zxcvbnm")] {
      for (place, key) in row.enumerated() { codes[key] = first + UInt16(place) }
    }
    return codes
  }()
}
