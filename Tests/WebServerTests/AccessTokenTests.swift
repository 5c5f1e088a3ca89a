import Testing

@testable import WebServer

@Suite("Access tokens")
struct AccessTokenTests {
  @Test("have 256 bits as 43 letters of base64url, never the same")
  func text() {
    let texts = Set((0..<1000).map { _ in AccessToken().text })
    #expect(texts.count == 1000)
    #expect(texts.allSatisfy { $0.utf8.count == 43 && AccessToken(text: $0)?.text == $0 })
    // RFC 4648, §10, and both letters of its own.
    #expect(String(decoding: AccessToken.base64URL(Array("foobar".utf8)), as: UTF8.self) == "Zm9vYmFy")
    #expect(String(decoding: AccessToken.base64URL(Array("foob".utf8)), as: UTF8.self) == "Zm9vYg")
    #expect(String(decoding: AccessToken.base64URL([0xFB, 0xFF]), as: UTF8.self) == "-_8")
  }

  @Test("match their own text alone")
  func matching() {
    let token = AccessToken()
    #expect(token.matches(token.text))
    for other in ["", String(token.text.dropLast()), token.text + "A", token.text.lowercased() + " ", "\0"] {
      #expect(!token.matches(other))
    }
    for place in 0..<43 {
      var letters = Array(token.text.utf8)
      letters[place] ^= 1
      #expect(!token.matches(String(decoding: letters, as: UTF8.self)))
    }
  }

  @Test("are refused with another length or other letters")
  func malformed() {
    #expect(AccessToken(text: "short") == nil)
    #expect(AccessToken(text: String(repeating: "a", count: 42) + "=") == nil)
    #expect(AccessToken(text: String(repeating: "a", count: 44)) == nil)
  }

  @Test("show themselves in no description, dump or reflection")
  func hiding() {
    let settings = WebServerSettings()
    var dumped = ""
    dump(settings, to: &dumped)
    let texts = [
      "\(settings.token)", String(reflecting: settings.token), "\(settings)", String(reflecting: settings),
      dumped,
    ]
    let bytes = "\(Array(settings.token.text.utf8))".dropFirst().prefix(20)
    for text in texts { #expect(!text.contains(settings.token.text) && !text.contains(bytes)) }
    #expect(dumped.contains("AccessToken(hidden)"))
  }
}
