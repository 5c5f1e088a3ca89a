import Testing

@testable import WebServer

@Suite("Targets of requests")
struct RequestTargetTests {
  @Test(
    "have decoded paths and queries",
    arguments: [
      ("/", [], [:]),
      ("/api/v1/a%20b", ["api", "v1", "a b"], [:]),
      ("/caf%C3%A9/", ["café", ""], [:]),
      ("/a+b?x=1+2&y=%26&z", ["a+b"], ["x": "1 2", "y": "&", "z": ""]),
      ("/?&&a=b=c", [], ["a": "b=c"]),
      ("http://localhost:80/x?y", ["x"], ["y": ""]),
      ("HTTP://LOCALHOST", [], [:]),
      ("/...", ["..."], [:]),
    ] as [(String, [String], [String: String])])
  func sound(text: String, path: [String], query: [String: String]) throws {
    let target = try #require(RequestTarget(text))
    #expect(target.path == path)
    #expect(Dictionary(target.query.map { ($0.name, $0.value) }) { a, _ in a } == query)
  }

  @Test(
    "are refused if they can be read in two ways",
    arguments: [
      "", "*", "x", "/..", "/a/../b", "/a/%2e%2E/b", "/./a", "/%2e", "/a%2Fb", "/a%5cb", "/a\\b", "/%00",
      "/a%0Ab",
      "/%7F", "/%", "/%4", "/%zz", "/%FF", "/%C0%AF", "/%E0%80%AF", "/%ED%A0%80", "/?a=%FF", "/?%00=1",
      "/a#b", "/a b",
      "ftp://localhost/", "http:/x", "//\u{e9}",
    ])
  func malformed(text: String) { #expect(RequestTarget(text) == nil) }

  @Test("of absolute URLs keep the host apart")
  func authority() {
    #expect(RequestTarget("http://LocalHost:80/x")?.authority == Array("localhost:80".utf8))
    #expect(RequestTarget("/x")?.authority == nil)
    #expect(RequestTarget("//evil.example/x")?.path == ["", "evil.example", "x"])
  }
}
