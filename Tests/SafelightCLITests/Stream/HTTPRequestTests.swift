import Testing

@testable import SafelightCLI

@Suite("HTTP requests")
struct HTTPRequestTests {
  @Test(
    "are read from their first line and their host",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n", "GET", "/", "localhost"),
      ("HEAD /stream.mjpg?x=1 HTTP/1.0\n\n", "HEAD", "/stream.mjpg", nil),
      ("GET /a HTTP/1.1\r\nACCEPT: x\r\nhOsT:\t[::1]:80 \r\n\r\nrest", "GET", "/a", "::1"),
    ] as [(String, String, String, String?)])
  func sound(text: String, method: String, path: String, host: String?) {
    #expect(
      HTTPRequest.parse(Array(text.utf8))
        == .complete(HTTPRequest(method: method, path: path, host: host)))
  }

  @Test("are waited for until their empty line has come")
  func incomplete() {
    let text = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    for count in 0..<text.count { #expect(HTTPRequest.parse(Array(text[..<count])) == .incomplete) }
  }

  @Test(
    "are refused where they are none",
    arguments: [
      "\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET  / HTTP/1.1\r\n\r\n",
      "GET a HTTP/1.1\r\n\r\n",
      " / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n",
    ])
  func malformed(text: String) { #expect(HTTPRequest.parse(Array(text.utf8)) == .malformed) }
}
