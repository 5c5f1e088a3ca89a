import TestSupport
import Testing

@testable import SafelightCLI

@Suite("Terminals")
struct TerminalAnswerTests {
  @Test("that know kitty's graphics, synchronized output and their cells say so")
  func kitty() {
    var found = TerminalCapabilities()
    let answers = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?2026;2$y\u{1B}[6;18;9t\u{1B}[?62;c"
    // Whole only with the last answer.
    let allBytes = Array(answers.utf8)
    for count in 0..<allBytes.count {
      var partial = TerminalCapabilities()
      let isComplete = partial.read(Array(allBytes[..<count]))
      #expect(!isComplete)
    }
    let isComplete = found.read(allBytes)
    #expect(isComplete)
    #expect(
      found
        == TerminalCapabilities(
          kittyGraphics: true, sixel: false, synchronizedOutput: true, cellWidth: 9, cellHeight: 18))
  }

  @Test(
    "are not taken for more than they say",
    arguments: [
      // xterm with sixel; a plain xterm; kitty's graphics refused; VT100; mode 2026 unknown.
      ("\u{1B}[?63;1;2;4;6;9;15;22c", TerminalCapabilities(sixel: true)),
      ("\u{1B}[?64;1;2;6;9;15;22c", TerminalCapabilities()),
      ("\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\\u{1B}[?4;6c", TerminalCapabilities()),
      ("\u{1B}[?1;2c", TerminalCapabilities()),
      ("\u{1B}[?2026;0$y\u{1B}[?6c", TerminalCapabilities()),
      ("keys\u{1B}[A\u{1B}[?2026;4$y\u{1B}[6;0;0t\u{1B}[?6c", TerminalCapabilities()),
    ])
  func plain(answers: String, expected: TerminalCapabilities) {
    var found = TerminalCapabilities()
    let isComplete = found.read(Array(answers.utf8))
    #expect(isComplete)
    #expect(found == expected)
  }

  @Test(
    "have the colours that the environment tells",
    arguments: [
      ([:], .none), (["TERM": "vt100"], .none), (["TERM": "xterm-256color"], .palette256),
      (["TERM": "xterm"], .palette256), (["TERM": "screen.xterm"], .palette256),
      (["TERM": "xterm-kitty"], .trueColor),
      (["TERM": "foo-256color", "COLORTERM": "truecolor"], .trueColor),
      (["TERM": "xterm-direct"], .trueColor),
      (["TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
      (["TERM": "xterm", "NO_COLOR": ""], .palette256),
      (["TERM": "x", "TERM_PROGRAM": "WezTerm"], .trueColor),
    ] as [([String: String], TerminalCapabilities.Colors)])
  func colors(environment: [String: String], colors: TerminalCapabilities.Colors) {
    #expect(TerminalCapabilities.colors(in: environment) == colors)
  }

  @Test(
    "send keys, and sequences that are none",
    arguments: [
      ("qb[]s", [.quit, .toggleOriginal, .weaker, .stronger, .saveStill]),
      ("QBS", [.quit, .toggleOriginal, .saveStill]),
      ("x1\t", []), (" \r\n", [.press, .press, .press]),
      // Arrows, F1, F5, a mouse report, Alt-q; then a key.
      ("\u{1B}[A\u{1B}OPq", [.quit]), ("\u{1B}[15~b", [.toggleOriginal]), ("\u{1B}[<0;3;4Ms", [.saveStill]),
      ("\u{1B}q]", [.stronger]),
      // Late answers to questions.
      ("\u{1B}_Gi=31;sq\u{1B}\\s", [.saveStill]), ("\u{1B}]0;bs\u{7}q", [.quit]),
      ("\u{1B}Pqb\u{1B}x\u{1B}\\b", [.toggleOriginal]),
    ] as [(String, [LiveKey])])
  func keys(text: String, keys: [LiveKey]) {
    var parser = KeyParser()
    #expect(text.utf8.compactMap { parser.feed($0).flatMap(LiveKey.init) } == keys)
  }

  @Test("send the escape key alone, and what follows later is a key of its own")
  func escapeAlone() {
    var parser = KeyParser()
    #expect(parser.feed(0x1B) == nil && parser.isAfterEscape)
    parser.timeOut()
    #expect(parser.feed(UInt8(ascii: "[")).flatMap(LiveKey.init) == .weaker)
  }

  @Test("may say anything: answers and keys are found or not, and never more")
  func random() {
    var random = SeededRandom(seed: 0x5AFE_1175)
    let pieces = [
      "\u{1B}", "[", "]", "_G", "i=31", ";OK", "\\", "?", "2026;2$y", "6;18;9t", "c", "62;4", ";", "O", "P",
      "~", "q",
      "99999999999999999999", "-1", "\u{0}", "\u{7}", "\u{18}", "\u{FF}",
      "6;4611686018427387904;4611686018427387904t",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...9, using: &random)
      let bytes = (0..<count).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) }
      var found = TerminalCapabilities()
      _ = found.read(bytes)
      let size = Terminal.Size(columns: 80, rows: 24, cell: found.cell)
      #expect((1...256).contains(size.cellWidth) && (1...256).contains(size.cellHeight))
      var parser = KeyParser()
      #expect(bytes.compactMap { parser.feed($0) }.count <= bytes.count)
    }
  }
}
