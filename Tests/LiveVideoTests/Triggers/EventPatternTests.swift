import LibraryTestSupport
import Safelight
import Testing

@testable import LiveVideo

@Suite("Patterns of events") struct EventPatternTests {
  @Test("The patterns of the documentation are read")
  func known() throws {
    let start = try EventPattern("motion:start")
    #expect(start.kind == .motion && start.zone == nil && start.moment == .start)
    let door = try EventPattern("motion:end@door")
    #expect(door.kind == .motion && door.zone == "door" && door.moment == .end)
    #expect(try EventPattern("document:still").moment == .still)
    let peak = try EventPattern("focus:peak")
    #expect(peak.kind == nil && peak.moment == .peak)
    let code = try EventPattern("code:mailto:*@example.org")
    #expect(code.zone == nil && code.moment == .text(TextPattern("mailto:*@example.org")))
  }

  @Test(
    "Others are refused with what is known",
    arguments: [
      ("motion", "has no moment"), ("", "has no moment"), ("motion:", "has no moment"),
      ("motoin:start", "kind of event “motoin”"), ("motion:begin", "moment of motion “begin”"),
      ("focus:start", "moment of focus “start”"), ("face:https*", "moment of face “https*”"),
    ])
  func refused(_ text: String, _ problem: String) {
    let error = #expect(throws: SafelightError.self) { try EventPattern(text) }
    #expect(error?.problem.contains(problem) == true && error?.remedy.isEmpty == false, "\(error as Any)")
  }

  @Test("A zone that there is not is refused")
  func zones() throws {
    let zone = try Zone("door=0,0,1,0,1,1")
    try EventPattern("motion:start@door").check(zones: [zone])
    try EventPattern("motion:start").check(zones: [])
    #expect(throws: SafelightError.self) { try EventPattern("motion:start@gate").check(zones: [zone]) }
  }

  @Test(
    "A pattern is like the whole text: * is any text, ? any letter",
    arguments: [
      ("https*", "https://example.org", true), ("https*", "http://example.org", false),
      ("*", "", true), ("*", "two\nlines", true), ("?", "", false), ("?", "é", true), ("a?c", "abc", true),
      ("a?c", "ac", false), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false), ("a*a", "a", false),
      ("", "", true), ("", "a", false), ("*.org", "a.org.b.org", true), ("A*", "abc", false),
    ])
  func globs(_ pattern: String, _ text: String, _ isLike: Bool) {
    #expect(TextPattern(pattern).matches(text) == isLike)
  }

  @Test("A hostile text and pattern take no time to speak of")
  func hostile() {
    let text = String(repeating: "a", count: 4000)
    #expect(!TextPattern(String(repeating: "a*", count: 50) + "b").matches(text))
  }
}
