import Testing

@testable import WebServer

@Suite("Who may use the server")
struct RequestGateTests {
  @Test("Only requests for one of the server's own names are answered, whatever else they have")
  func hosts() throws {
    let server = try TestServer { $0.publicOrigin = "https://photos.example" }
    let port = server.port
    for host in [
      "localhost:\(port)", "127.0.0.1:\(port)", "[::1]:\(port)", "LocalHost:\(port)", "photos.example",
    ] {
      #expect(try server.status("GET /", ["Host: \(host)"]) == 200, "\(host)")
      #expect(try server.status("GET /api/v1/echo", ["Host: \(host)", server.bearer]) == 200, "\(host)")
    }
    for host in [
      "evil.example", "evil.example:\(port)", "localhost", "localhost:1", "127.0.0.2:\(port)",
      "0.0.0.0:\(port)",
      "localhost:\(port).evil.example", "localhost.:\(port)", "photos.example:\(port)",
    ] {
      #expect(try server.status("GET /", ["Host: \(host)"]) == 421, "\(host)")
      #expect(try server.status("GET /api/v1/echo", ["Host: \(host)", server.bearer]) == 421, "\(host)")
      #expect(
        try server.status("GET /api/v1/socket", ["Host: \(host)"] + TestClient.upgrade(port: port)) == 421)
    }
  }

  @Test("A missing, repeated or malformed host is refused")
  func malformedHosts() throws {
    let server = try TestServer()
    let good = "Host: localhost:\(server.port)"
    let fields = [
      [], [good, good], [good, "host: evil.example"], ["Host:"], ["Host: a b"], ["Host: a/b"],
      ["Host: user@localhost"],
      ["Host: \(String(repeating: "a", count: 301))"], ["Host: loc\u{e4}lhost"],
      ["Host: localhost:\(server.port), evil.example"],
    ]
    for fields in fields {
      let client = try server.client()
      client.send("GET / HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
      #expect(try client.response().status == 400, "\(fields)")
    }
  }

  @Test("An absolute address must name the same host")
  func absoluteTargets() throws {
    let server = try TestServer()
    #expect(try server.status("GET http://localhost:\(server.port)/") == 200)
    #expect(try server.status("GET http://evil.example/") == 400)
    #expect(try server.status("GET http://evil.example/", ["Host: evil.example"]) == 421)
  }

  @Test("What changes something, or opens a socket, needs this server's own origin, or a program's token")
  func origins() throws {
    let server = try TestServer { $0.publicOrigin = "https://photos.example" }
    let (port, bearer) = (server.port, server.bearer)
    let foreign = [
      "null", "http://evil.example", "https://localhost:\(port)", "http://localhost:1", "http://localhost",
      "http://127.0.0.1:\(port)", "http://localhost:\(port)/", "http://localhost:\(port).evil.example",
      "garbage", "",
    ]
    let upgrade = TestClient.upgrade(port: port).filter { !$0.hasPrefix("Origin") }
    for method in ["POST", "PUT", "DELETE"] {
      let line = "\(method) /api/v1/echo"
      for origin in ["http://localhost:\(port)", "https://photos.example"] {
        #expect(
          try server.status(line, [bearer, "Origin: \(origin)"], body: []) == 200, "\(method) \(origin)")
        // The origin alone is no right.
        #expect(try server.status(line, ["Origin: \(origin)"], body: []) == 401)
      }
      for origin in foreign {
        #expect(
          try server.status(line, [bearer, "Origin: \(origin)"], body: []) == 403, "\(method) \(origin)")
      }
      #expect(try server.status(line, [bearer], body: []) == 200)
      #expect(try server.status(line, [], body: []) == 401)
    }
    for origin in foreign {
      #expect(try server.status("GET /api/v1/socket", upgrade + ["Origin: \(origin)"]) == 403, "\(origin)")
      // Stricter than need be: nothing here is for scripts of other sites.
      #expect(try server.status("GET /api/v1/echo", [bearer, "Origin: \(origin)"]) == 403)
    }
    #expect(try server.status("GET /api/v1/socket", upgrade) == 401)
    #expect(try server.status("GET /api/v1/socket", upgrade + [bearer]) == 101)
    #expect(try server.status("GET /api/v1/socket", upgrade + ["Origin: https://photos.example"]) == 101)
    let twice = ["Origin: http://localhost:\(port)", "Origin: http://evil.example", bearer]
    #expect(try server.status("POST /api/v1/echo", twice, body: []) == 400)
  }

  @Test("Requests of other sites' pages are refused, but for a user who opens the page")
  func fetchMetadata() throws {
    let server = try TestServer()
    for site in ["cross-site", "same-site", "nonsense", ""] {
      let fields = ["Sec-Fetch-Site: \(site)"]
      let visit = fields + ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
      #expect(try server.status("GET /", visit) == 200, "\(site)")
      #expect(try server.status("HEAD /", visit) == 200)
      #expect(try server.status("GET /", fields) == 403)
      #expect(
        try server.status("GET /", fields + ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"]) == 403)
      #expect(
        try server.status("GET /", fields + ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]) == 403)
      #expect(try server.status("GET /nothing", visit) == 403)
      #expect(try server.status("GET /api/v1/echo", visit + [server.bearer]) == 403)
      #expect(try server.status("POST /", visit + [server.origin, server.bearer], body: []) == 403)
    }
    for site in ["same-origin", "none"] {
      #expect(try server.status("GET /api/v1/echo", ["Sec-Fetch-Site: \(site)", server.bearer]) == 200)
    }
    let both = ["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site", server.bearer]
    #expect(try server.status("GET /api/v1/echo", both) == 403)
  }

  @Test("The API needs the token, as a bearer's, once and right")
  func tokens() throws {
    let server = try TestServer { $0.times.refusal = .milliseconds(20) }
    let text = server.token.text
    #expect(try server.status("GET /api/v1/echo", ["Authorization: bearer \(text)"]) == 200)
    #expect(try server.status("GET /api/open") == 200)
    for fields in [
      [], ["Authorization: Bearer"], ["Authorization: Bearer  \(text)"], ["Authorization: Basic \(text)"],
      ["Authorization: \(text)"], ["Authorization: Bearer \(text.dropLast())"],
      ["Authorization: Bearer \(text)A"],
      ["Authorization: Bearer \(AccessToken().text)"], [server.bearer, server.bearer],
      ["Cookie: token=\(text)"],
    ] {
      let response = try server.client().ask("GET /api/v1/echo?token=\(text)", fields)
      #expect(response.status == 401 && response.fields["www-authenticate"] == "Bearer", "\(fields)")
    }
    // What does not exist cannot be told from what does.
    #expect(try server.status("GET /api/v1/nothing") == 401)
    #expect(try server.status("GET /api/v1/nothing", [server.bearer]) == 404)
    // `/api` in another spelling is still the API.
    for path in ["/%61pi/v1/echo", "/api/v1%2Fecho", "//api/v1/echo"] {
      #expect(try server.status("GET \(path)") != 200, "\(path)")
    }
  }

  @Test("Wrong tokens are answered late and counted, and hold nobody up")
  func attempts() throws {
    let server = try TestServer()
    let slow = try (0..<10).map { _ in try server.client() }
    let time = try elapsed { () throws in
      for client in slow {
        client.request("GET /api/v1/echo", ["Authorization: Bearer \(AccessToken().text)"])
      }
      let other = try elapsed { () throws in #expect(try server.status("GET /") == 200) }
      #expect(other < .milliseconds(200))
      for client in slow { #expect(try client.response().status == 401) }
    }
    #expect(time >= .milliseconds(200) && time < .seconds(2))
    #expect(server.server.failedAttempts == 10)
    // Nobody has tried anything where no token is given.
    #expect(try server.status("GET /api/v1/echo") == 401)
    #expect(server.server.failedAttempts == 10)
  }

  @Test("Every response protects the page, and only the page is kept by browsers")
  func protections() throws {
    let server = try TestServer { $0.times.refusal = .milliseconds(1) }
    let upgrade = TestClient.upgrade(port: server.port)
    let requests: [(String, [String], Int, String)] = [
      ("GET /", [], 200, "no-cache"), ("GET /", ["If-None-Match: *"], 304, "no-cache"),
      ("GET /nothing", [], 404, "no-store"), ("GET /api/v1/echo", [server.bearer], 200, "no-store"),
      ("GET /%61pi/v1/echo", [server.bearer], 200, "no-store"), ("GET /api/open", [], 200, "no-store"),
      ("GET /api/v1/echo", [], 401, "no-store"), ("GET /", ["Host: evil.example"], 421, "no-store"),
      ("GET /api/v1/socket", upgrade, 101, "no-store"), ("GET /%zz", [], 400, "no-store"),
      ("BREW /", [], 501, "no-store"), ("GET /api/v1/echo", ["Authorization: Bearer x"], 401, "no-store"),
    ]
    for (line, fields, status, caching) in requests {
      let response = try server.client().ask(line, fields)
      #expect(response.status == status, "\(line) \(fields)")
      let expected = [
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
          + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
        "cache-control": caching,
      ]
      for (name, value) in expected { #expect(response.fields[name] == value, "\(line): \(name)") }
      #expect(response.fields["server"] == nil)
      #expect(!response.fields.keys.contains { $0.hasPrefix("access-control-") })
    }
  }

  @Test("A socket's address asks for a sound upgrade")
  func upgrades() throws {
    let server = try TestServer()
    let fields = TestClient.upgrade(port: server.port)
    func without(_ name: String, _ other: String...) -> [String] {
      fields.filter { !$0.hasPrefix(name) } + other
    }
    let plain = try server.client().ask("GET /api/v1/socket")
    #expect(plain.status == 426 && plain.fields["upgrade"] == "websocket")
    #expect(plain.fields["sec-websocket-version"] == "13")
    #expect(
      try server.status("GET /api/v1/socket", without("Sec-WebSocket-Version", "Sec-WebSocket-Version: 8"))
        == 426)
    #expect(try server.status("GET /api/v1/socket", without("Upgrade", "Upgrade: h2c")) == 426)
    for key in [
      "Sec-WebSocket-Key: short", "X: y", "Sec-WebSocket-Key: \(TestClient.key), \(TestClient.key)",
    ] {
      #expect(try server.status("GET /api/v1/socket", without("Sec-WebSocket-Key", key)) == 400)
    }
    #expect(try server.status("GET /api/v1/socket", fields + ["Sec-WebSocket-Key: \(TestClient.key)"]) == 400)
    #expect(try server.status("GET /api/v1/socket", fields, body: [1]) == 400)
    #expect(try server.status("POST /api/v1/socket", fields, body: []) == 405)
    #expect(try server.status("HEAD /api/v1/socket", fields) == 426)
    // A wish for another protocol elsewhere is not granted, and the request is served.
    let other = try server.client()
    #expect(try other.ask("GET /", ["Connection: Upgrade", "Upgrade: h2c"]).status == 200 && other.isClosed)
  }

  @Test("No note holds a secret or a client's text")
  func notes() throws {
    let server = try TestServer { $0.times.refusal = .milliseconds(1) }
    let wrong = AccessToken().text
    _ = try server.status("GET /api/v1/x-marker?token=\(wrong)", ["Authorization: Bearer \(wrong)"])
    _ = try server.status("GET /api/v1/x-marker?token=\(server.token.text)", [server.bearer])
    _ = try server.status("GET /", ["Host: x-marker"])
    let text = server.notes.text
    #expect(text.contains("421") && text.contains("404") && text.contains("wrong token"))
    for secret in [wrong, server.token.text, "x-marker"] { #expect(!text.contains(secret)) }
  }
}
