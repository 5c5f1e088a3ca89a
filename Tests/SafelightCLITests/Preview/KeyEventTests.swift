import Testing

@testable import SafelightCLI

@Suite("Keys that terminals tell the release of")
struct KeyEventTests {
  private func events(_ text: String) -> [String] {
    var parser = KeyParser()
    return text.utf8.compactMap { byte in
      parser.feed(byte).map { event in
        let key = event.character == KeyEvent.enter ? "enter" : String(UnicodeScalar(UInt8(event.character)))
        return switch event.kind {
        case .press: key
        case .repetition: key + "…"
        case .release: key + "↑"
        }
      }
    }
  }

  @Test(
    "are told as text or as sequences, with what happens to them",
    arguments: [
      (" \u{1B}[32;1:3u", [" ", " ↑"]), ("\u{1B}[32u\u{1B}[32;1:2u\u{1B}[32;1:3u", [" ", " …", " ↑"]),
      // Caps lock and shift; another key's alternate codes and text.
      ("A\u{1B}[97;66:3u", ["a", "a↑"]), ("\u{1B}[97:65;2:1;65u", ["a"]), ("\u{1B}[13;1:3u", ["enter↑"]),
      // Ctrl-C, Alt-space, F5, an unknown kind, a key beyond ASCII, the answer to the query, nonsense.
      ("\u{1B}[99;5u", []), ("\u{1B}[32;3:1u", []), ("\u{1B}[15;1:3~", []), ("\u{1B}[32;1:9u", []),
      ("\u{1B}[57399;1:3u", []), ("\u{1B}[?2u", []), ("\u{1B}[u\u{1B}[;;u\u{1B}[-1u\u{1B}[32;0u", []),
      ("\u{1B}[32;" + String(repeating: "1", count: 5000) + "u ", [" "]),
    ] as [(String, [String])])
  func kinds(text: String, expected: [String]) { #expect(events(text) == expected) }

  @Test("press nothing when they are released")
  func releases() throws {
    let release = try #require(KeyEvent(parameters: "113;1:3".utf8))
    #expect(LiveKey(release) == nil)
    #expect(LiveKey(try #require(KeyEvent(parameters: "113".utf8))) == .quit)
  }
}
