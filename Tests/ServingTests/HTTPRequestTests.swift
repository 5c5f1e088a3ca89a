import LibraryTestSupport
import Safelight
import Testing

@testable import Serving

@Suite("HTTP requests")
struct HTTPRequestTests {
  private static func host(_ text: String) -> HTTPHost? { HTTPHost(Array(text.utf8)) }

  @Test(
    "are read from their first line and their host",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n", "GET", "/", "localhost:8080"),
      ("HEAD /stream.mjpg?x=1 HTTP/1.0\n\n", "HEAD", "/stream.mjpg?x=1", nil),
      ("POST /photo?at=1&wait=0? HTTP/1.0\n\n", "POST", "/photo?at=1&wait=0?", nil),
      ("GET http://localhost?a HTTP/1.0\n\n", "GET", "/?a", "localhost"),
      ("GET /a HTTP/1.1\r\nACCEPT: x\r\nhOsT:\t[::1]:80 \r\n\r\nrest", "GET", "/a", "[::1]:80"),
      // What a whole URL names goes before the header (RFC 9112, §3.2.2).
      ("GET http://LOCALHOST:81/a?b HTTP/1.1\r\nHost: evil.example\r\n\r\n", "GET", "/a?b", "localhost:81"),
      ("GET HTTP://evil.example HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET", "/", "evil.example"),
      ("GET //evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET", "//evil.example/", "localhost"),
    ] as [(String, String, String, String?)])
  func sound(text: String, method: String, target: String, host: String?) {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let query = parts.count > 1 ? parts[1] : ""
    #expect(
      HTTPRequest.parse(Array(text.utf8))
        == .complete(
          HTTPRequest(method: method, path: parts[0], query: query, host: host.flatMap(Self.host))))
  }

  @Test(
    "state the origin of their page, and a header that others cannot send",
    arguments: [
      ("", true, false), ("X-Safelight: 1\r\n", true, true), ("x-safelight:\r\n", true, true),
      ("Origin: http://booth:8080\r\n", true, false), ("Origin: http://booth\r\n", false, false),
      ("Origin: http://booth:80801\r\n", false, false), ("Origin: null\r\n", false, false),
      ("Origin: http://evil.example:8080\r\nX-Safelight: 1\r\n", false, true),
      ("X-Safelight-Too: 1\r\n", true, false),
    ])
  func origins(headers: String, isOwn: Bool, hasHeader: Bool) {
    let parsing = HTTPRequest.parse(Array("POST / HTTP/1.1\r\nHost: booth:8080\r\n\(headers)\r\n".utf8))
    guard case .complete(let request) = parsing else {
      Issue.record("\(parsing)")
      return
    }
    #expect(request.isFromOwnOrigin == isOwn && request.hasOwnHeader == hasHeader)
  }

  @Test("are waited for until their empty line has come")
  func incomplete() {
    let text = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    for count in 0..<text.count { #expect(HTTPRequest.parse(Array(text[..<count])) == .incomplete) }
  }

  @Test(
    "are refused where they are none",
    arguments: [
      "\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET a HTTP/1.1\r\nHost: a\r\n\r\n", " / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n",
      "G\u{7F}T / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / http/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.x\r\nHost: a\r\n\r\n",
      "GET https://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET http:///a HTTP/1.1\r\nHost: localhost\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ])
  func malformed(text: String) { #expect(HTTPRequest.parse(Array(text.utf8)) == .malformed) }

  @Test(
    "are refused where their host is missing, doubled or misspelled",
    arguments: [
      "", "Host:\r\n", "Host: \t\r\n", "Host: localhost\r\nHost: localhost\r\n", "Host: local host\r\n",
      "Host: localhost:\r\n", "Host: localhost:80:80\r\n", "Host: localhost:+80\r\n",
      "Host: localhost:65536\r\n",
      "Host: localhost:000080\r\n", "Host: user@localhost\r\n", "Host: localhost/\r\n",
      "Host: lócalhost\r\n",
      "Host: [::1\r\n", "Host: [::1]x\r\n", "Host: [::1].evil.example\r\n", "Host: []\r\n",
      "Host: [::g]\r\n",
      "Host: [127.0.0.1]\r\n", "Host: [fe80::1%eth0]\r\n", "Host: ::1\r\n", "Host: a..b\r\n",
      "Host: .\r\n",
      "Host: .a\r\n", "Host : localhost\r\n", "Host\r\n", "Host: localhost\r\n .evil.example\r\n",
      " Host: localhost\r\n", "X: a\rHost: localhost\r\n", "Host: localhost\u{0}\r\n",
      "Host: localhost\r\r\n",
      "Host: %6cocalhost\r\n", "Host: localhost, localhost\r\n",
    ])
  func hosts(fields: String) {
    let text = "GET / HTTP/1.1\r\n\(fields)\r\n"
    #expect(HTTPRequest.parse(Array(text.utf8)) == .malformed)
  }

  @Test("of HTTP/1.0 may leave the host out, but not misspell it")
  func oldVersion() {
    #expect(
      HTTPRequest.parse(Array("GET / HTTP/1.0\r\n\r\n".utf8))
        == .complete(HTTPRequest(method: "GET", path: "/", host: nil)))
    #expect(HTTPRequest.parse(Array("GET / HTTP/1.0\r\nHost: a b\r\n\r\n".utf8)) == .malformed)
  }

  @Test(
    "of pages of other sites are told by what browsers say",
    arguments: [
      ("", false), ("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: no-cors\r\n", false),
      ("Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n", false),
      // A link is followed; a frame or a picture is not shown.
      ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n", false),
      ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n", true),
      ("sec-fetch-site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n", true),
      ("Origin: http://localhost:3000\r\n", false), ("Origin: https://localhost\r\n", false),
      ("Origin: https://evil.example\r\n", true), ("Origin: null\r\n", true),
    ])
  func otherSites(fields: String, isForOtherSite: Bool) throws {
    let text = "GET / HTTP/1.1\r\nHost: localhost:8080\r\n\(fields)\r\n"
    guard case .complete(let request) = HTTPRequest.parse(Array(text.utf8)) else {
      Issue.record("not read")
      return
    }
    #expect(request.isForOtherSite == isForOtherSite)
  }
}
