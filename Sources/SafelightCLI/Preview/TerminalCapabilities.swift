/// What a terminal can show, according to its own answers and the environment.
struct TerminalCapabilities: Equatable, Sendable {
  enum Colors: Equatable, Sendable {
    /// No colours, only shades.
    case none
    /// xterm's palette of 256.
    case palette256
    /// 24 bits.
    case trueColor
  }

  /// Pixels by the kitty graphics protocol.
  var kittyGraphics = false
  /// Pixels as sixels.
  var sixel = false
  /// Output between ?2026h and ?2026l appears at once.
  var synchronizedOutput = false
  /// Releases of keys, by the kitty keyboard protocol.
  var keyReleases = false
  var colors = Colors.none
  /// The pixels of one cell, as the terminal answers; nil if it does not say.
  var cellWidth: Int?
  var cellHeight: Int?
  var cell: (width: Int, height: Int)? {
    guard let cellWidth, let cellHeight else { return nil }
    return (cellWidth, cellHeight)
  }

  /// The queries for all of the above. Every terminal since the VT100 answers the last one, so its answer shows
  /// that no more will come.
  ///
  /// Sources: kitty, “Terminal graphics protocol”, querying support; xterm, “Control sequences” (DECRQM, XTWINOPS
  /// 16, DA1); “Synchronized output”, mode 2026.
  static let query = Array(
    "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[?2026$p\u{1B}[16t\u{1B}[c".utf8)

  /// The query for `keyReleases`, and the one that every terminal answers.
  ///
  /// Source: kitty, “Comprehensive keyboard handling in terminals”, detection of support.
  static let keyQuery = Array("\u{1B}[?u\u{1B}[c".utf8)

  /// Reads answers; returns true once the last has come.
  mutating func read(_ answers: [UInt8]) -> Bool {
    var isComplete = false
    for sequence in Self.sequences(in: answers) {
      if sequence.hasPrefix("\u{1B}_G") {
        if sequence.hasPrefix("\u{1B}_Gi=31"), sequence.contains(";OK") { kittyGraphics = true }
        continue
      }
      let body = sequence.dropFirst(2).dropLast()
      switch sequence.last {
      case "c" where body.hasPrefix("?"):
        // 4 among the attributes means sixel.
        sixel = body.dropFirst().split(separator: ";").dropFirst().contains("4")
        isComplete = true
      case "y" where body.hasPrefix("?2026;"):
        // 1 and 2 are set and reset, 3 is always set; 0 is unknown, 4 is never set.
        synchronizedOutput = ["1$", "2$", "3$"].contains(body.dropFirst(6))
      case "u" where body.hasPrefix("?"): keyReleases = true
      case "t":
        let numbers = body.split(separator: ";").compactMap { Int($0) }
        if numbers.count == 3, numbers[0] == 6, numbers[1] > 0, numbers[2] > 0 {
          (cellHeight, cellWidth) = (numbers[1], numbers[2])
        }
      default: break
      }
    }
    return isComplete
  }

  /// The escape sequences in `bytes`: CSI up to their final letter, APC up to ST.
  private static func sequences(in bytes: [UInt8]) -> [String] {
    var found: [String] = []
    var index = 0
    while index + 1 < bytes.count {
      guard bytes[index] == 0x1B else {
        index += 1
        continue
      }
      let end: Int?
      switch bytes[index + 1] {
      case UInt8(ascii: "["): end = bytes[(index + 2)...].firstIndex { (0x40...0x7E).contains($0) }
      case UInt8(ascii: "_"): end = bytes[(index + 2)...].firstIndex(of: UInt8(ascii: "\\"))
      default: end = index + 1
      }
      guard let end else { break }
      found.append(String(decoding: bytes[index...end], as: UTF8.self))
      index = end + 1
    }
    return found
  }

  /// Returns the colours according to the environment; terminals cannot be asked.
  static func colors(in environment: [String: String]) -> Colors {
    // no-color.org: any value but the empty one.
    if let value = environment["NO_COLOR"], !value.isEmpty { return .none }
    if let value = environment["COLORTERM"], value == "truecolor" || value == "24bit" { return .trueColor }
    let term = environment["TERM"] ?? ""
    if term.hasSuffix("-direct") || term == "xterm-kitty" || term == "xterm-ghostty" { return .trueColor }
    if ["iTerm.app", "WezTerm", "vscode", "ghostty"].contains(environment["TERM_PROGRAM"]) {
      return .trueColor
    }
    // Every emulator that calls itself one of these has had 256 colours for twenty years.
    for family in ["xterm", "screen", "tmux", "rxvt", "linux", "foot", "alacritty", "putty"]
    where term.hasPrefix(family) {
      return .palette256
    }
    return term.contains("256color") ? .palette256 : .none
  }
}
