import Libc
import Testing

@testable import WebServer

@Suite("HTTP")
struct HTTPTests {
  @Test("A connection serves one request after the other, pipelined ones too")
  func keepAlive() throws {
    let server = try TestServer()
    let client = try server.client()
    for _ in 0..<3 {
      let response = try client.ask("GET /")
      #expect(response.status == 200 && response.text == "<!doctype html>")
      #expect(response.fields["connection"] == "keep-alive")
    }
    for number in 0..<20 { client.request("GET /api/v1/echo?n=\(number)", [server.bearer]) }
    for number in 0..<20 { #expect(try client.response().text == "GET api|v1|echo n=\(number) 0") }
    let last = try client.ask("GET /", ["Connection: close"])
    #expect(last.fields["connection"] == "close" && client.isClosed)
  }

  @Test("A client of HTTP/1.0 gets its response and the end")
  func oldVersion() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("GET / HTTP/1.0\r\nHost: localhost:\(client.port)\r\n\r\n")
    #expect(try client.response().status == 200 && client.isClosed)
  }

  @Test("A client may close its sending side before the response")
  func halfClosed() throws {
    let server = try TestServer()
    let client = try server.client()
    client.request("GET /api/v1/slow", [server.bearer])
    client.finish()
    #expect(try client.response().text == "slow" && client.isClosed)
  }

  @Test("HEAD has the fields of GET and no body")
  func head() throws {
    let server = try TestServer()
    let client = try server.client()
    let response = try client.ask("HEAD /")
    #expect(response.status == 200 && response.fields["content-length"] == "15")
    #expect(try client.ask("GET /").text == "<!doctype html>")
  }

  @Test("Bodies come whole, stated or chunked, in pieces or at once")
  func bodies() throws {
    let server = try TestServer()
    let client = try server.client()
    let fields = [server.bearer, server.origin]
    let body = [UInt8](repeating: 9, count: 100_000)
    #expect(try client.ask("POST /api/v1/echo", fields, body: body).text == "POST api|v1|echo  100000")
    #expect(try client.ask("POST /api/v1/echo", fields, body: []).text == "POST api|v1|echo  0")
    client.request("POST /api/v1/echo", fields + ["Transfer-Encoding: chunked"])
    for piece in ["5\r\nabc", "de\r\n", "1;x=y\r\nf\r\n", "0\r\nTrailer: 1\r\n\r\n"] {
      client.send(piece)
      usleep(20_000)
    }
    #expect(try client.response().text == "POST api|v1|echo  6")
    let large = [UInt8](repeating: 1, count: 20 << 20)
    #expect(
      try client.ask("POST /api/v1/large", fields, body: large).text == "POST api|v1|large  \(20 << 20)")
  }

  @Test("A client that asks whether to go on is told so, or refused before it sends")
  func expectation() throws {
    let server = try TestServer()
    let client = try server.client()
    let fields = [server.bearer, server.origin, "Expect: 100-continue"]
    client.request("POST /api/v1/echo", fields + ["Content-Length: 3"])
    #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send("abc")
    #expect(try client.response().text == "POST api|v1|echo  3")
    client.request("POST /api/v1/echo", fields + ["Content-Length: 100001"])
    #expect(try client.response().status == 413 && client.isClosed)
    #expect(try server.status("POST /api/v1/echo", [server.bearer, "Expect: miracle"], body: [1]) == 417)
  }

  @Test("A body above the limit of its route is refused at its head, or as soon as it is above")
  func tooLarge() throws {
    let server = try TestServer { $0.limits.body = 50_000 }
    let fields = [server.bearer, server.origin]
    let stated = try server.client()
    stated.request("POST /api/v1/echo", fields, body: [UInt8](repeating: 0, count: 60_000))
    #expect(try stated.response().status == 413 && stated.isClosed)
    let chunked = try server.client()
    chunked.request("POST /api/v1/echo", fields + ["Transfer-Encoding: chunked"])
    for _ in 0..<6 { chunked.send("2710\r\n" + String(repeating: "x", count: 10_000) + "\r\n") }
    #expect(try chunked.response().status == 413 && chunked.isClosed)
  }

  @Test("What is malformed or unknown has its own status")
  func statuses() throws {
    let server = try TestServer { $0.limits.target = 1000 }
    let host = "Host: localhost:\(server.port)\r\n"
    let bearer = server.bearer + "\r\n"
    let cases: [(String, Int)] = [
      ("GET /%zz HTTP/1.1\r\n\(host)\r\n", 400), ("GET /../x HTTP/1.1\r\n\(host)\r\n", 400),
      ("OPTIONS * HTTP/1.1\r\n\(host)\r\n", 400), ("GET / HTTP/1.1\r\n\(host)Bad Field: x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n\(host) folded: x\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\(host): x\r\n\r\n", 400),
      ("nonsense\r\n\r\n", 501), ("BREW / HTTP/1.1\r\n\(host)\r\n", 501),
      ("TRACE / HTTP/1.1\r\n\(host)\r\n", 401), ("TRACE / HTTP/1.1\r\n\(host)\(bearer)\r\n", 405),
      ("PROPFIND / HTTP/1.1\r\n\(host)\r\n", 501), ("CONNECT localhost:80 HTTP/1.1\r\n\(host)\r\n", 501),
      ("GET / HTTP/2.0\r\n\(host)\r\n", 505),
      ("POST /api/v1/echo HTTP/1.1\r\n\(host)\(bearer)\r\n", 411),
      ("POST /api/v1/echo HTTP/1.1\r\n\(host)\(bearer)Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      ("POST /api/v1/echo HTTP/1.1\r\n\(host)\(bearer)Content-Length: 9999999999999999999\r\n\r\n", 413),
      ("POST /api/v1/echo HTTP/1.1\r\n\(host)\(bearer)Content-Length: -1\r\n\r\n", 400),
      (
        "POST /api/v1/echo HTTP/1.1\r\n\(host)\(bearer)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        400
      ),
      ("POST /api/v1/echo HTTP/1.1\r\n\(host)\(bearer)Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
      ("GET /\(String(repeating: "a", count: 1001)) HTTP/1.1\r\n\(host)\r\n", 414),
      ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\n\(host)\r\n", 414),
      ("GET / HTTP/1.1\r\n\(host)X: \(String(repeating: "a", count: 20_000))\r\n\r\n", 431),
      ("GET / HTTP/1.1\r\n\(host)\(String(repeating: "X: y\r\n", count: 200))\r\n", 431),
      ("GET /nothing HTTP/1.1\r\n\(host)\r\n", 404),
      ("PATCH /api/v1/echo HTTP/1.1\r\n\(host)\(bearer)Content-Length: 0\r\n\r\n", 405),
      ("OPTIONS / HTTP/1.1\r\n\(host)\(bearer)\r\n", 405),
    ]
    for (text, status) in cases {
      let client = try server.client()
      client.send(text)
      let response = try client.response()
      #expect(response.status == status, "\(text.prefix(120).debugDescription): \(response.text)")
      #expect(response.fields["content-type"] == "application/problem+json")
      #expect(response.text.contains("\"status\":\(status),"))
    }
    let response = try server.client().ask("PATCH /api/v1/echo", [server.bearer], body: [])
    #expect(response.fields["allow"] == "GET, HEAD, POST, PUT, DELETE")
    #expect(try server.status("GET /") == 200)
  }

  @Test("A page is kept by browsers, and asked for again by its tag")
  func entityTags() throws {
    let server = try TestServer()
    let client = try server.client()
    let first = try client.ask("GET /")
    let tag = try #require(first.fields["etag"])
    #expect(tag == server.site.page.tag && first.fields["content-type"] == "text/html; charset=utf-8")
    for field in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      let response = try client.ask("GET /", ["If-None-Match: \(field)"])
      #expect(response.status == 304 && response.fields["etag"] == tag, "\(field)")
    }
    #expect(try client.ask("GET /", ["If-None-Match: \"other\""]).status == 200)
    #expect(StaticContent([1, 2], type: "x").tag != StaticContent([2, 1], type: "x").tag)
  }

  @Test("The site's code runs on threads of its own, and blocks neither the network nor each other")
  func threads() throws {
    let server = try TestServer()
    let thread = try server.client().ask("GET /api/v1/thread", [server.bearer]).text
    #expect(thread.hasPrefix("TP-"), "\(thread)")
    let slow = try (0..<3).map { _ in try server.client() }
    let time = try elapsed { () throws in
      for client in slow { client.request("GET /api/v1/slow", [server.bearer]) }
      // A fourth thread is free, and refusals need none.
      #expect(try server.status("GET /") == 200)
      #expect(try server.status("GET /nothing") == 404)
    }
    #expect(time < .milliseconds(550))
    for client in slow { #expect(try client.response().text == "slow") }
  }

  @Test("A site's mistakes reach no client")
  func mistakes() throws {
    let server = try TestServer()
    let client = try server.client()
    let response = try client.ask("GET /api/v1/bad-field", [server.bearer])
    #expect(response.fields["x-good"] == "yes" && response.fields["content-length"] == "0")
    #expect(response.fields["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    for name in ["x-evil", "access-control-allow-origin", "server", "set-cookie", "a b"] {
      #expect(response.fields[name] == nil, "\(name)")
    }
    #expect(try client.ask("GET /api/v1/bad-status", [server.bearer]).status == 500)
    #expect(HTTPDate.text(of: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(WebResponse.quoted("a\"\\\n\u{1}é") == "\"a\\\"\\\\\\u000a\\u0001é\"")
  }
}
