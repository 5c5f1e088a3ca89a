/// What a terminal tells of a key: that it goes down, is held, or goes up. Most terminals tell nothing of the last, and
/// tell repetitions as further presses.
struct KeyEvent: Equatable, Sendable {
  enum Kind: Equatable, Sendable { case press, repetition, release }

  static let enter: UInt32 = 13

  /// The character of the key: a printable one of ASCII, letters in lower case, or `enter`.
  var character: UInt32
  var kind = Kind.press

  /// - Parameter byte: as terminals send it for a key of text or Return; nil for anything else.
  init?(byte: UInt8) {
    switch byte {
    case 0x0A, 0x0D: character = Self.enter
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character = UInt32(byte) + 32
    case 0x20...0x7E: character = UInt32(byte)
    default: return nil
    }
  }

  /// - Parameter parameters: those of `CSI … u`, such as `32;1:3`: the key, and its modifiers with the kind of event.
  ///
  /// Source: kitty, “Comprehensive keyboard handling in terminals”.
  init?(parameters: some Sequence<UInt8>) {
    let fields = String(decoding: Array(parameters), as: UTF8.self)
      .split(separator: ";", omittingEmptySubsequences: false)
      .map { $0.split(separator: ":", omittingEmptySubsequences: false) }
    guard let code = fields.first?.first.flatMap({ UInt8($0) }) else { return nil }
    self.init(byte: code)
    let second = fields.count > 1 ? fields[1] : []
    let modifiers = second.first.flatMap { UInt16($0) } ?? 1
    // Shift and the locks keep the key what it is; Ctrl, Alt and others make a command of it.
    guard modifiers >= 1, (modifiers - 1) & ~0b1100_0001 == 0 else { return nil }
    switch second.count > 1 ? second[1] : "1" {
    case "1", "": kind = .press
    case "2": kind = .repetition
    case "3": kind = .release
    default: return nil
    }
  }
}

extension LiveKey {
  /// The key that an event presses; nil for a release, and for keys that do nothing.
  init?(_ event: KeyEvent) {
    guard event.kind != .release else { return nil }
    switch UnicodeScalar(event.character) {
    case "q": self = .quit
    case "b": self = .toggleOriginal
    case "[": self = .weaker
    case "]": self = .stronger
    case "s": self = .saveStill
    case " ", "\r": self = .press
    default: return nil
    }
  }
}
