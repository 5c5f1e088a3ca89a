import Testing

@testable import WebServer

@Suite("Names by which everybody may use a server")
struct LocalNamesTests {
  private func isAllowed(_ host: String, loopback: Bool) throws -> Bool {
    let named = try #require(WebHost(host.utf8), "\(host)")
    let names = LocalNames(isLoopback: loopback, machineName: "Booth.example.org", subject: "stream")
    return names.refusal(of: named, [:]) == nil
  }

  @Test(
    "are this machine's own, with any port, where the server is for this machine only",
    arguments: [
      "localhost", "LocalHost:8080", "localhost.", "localhost:1", "127.0.0.1", "127.0.0.1:8080", "127.1.2.3",
      "[::1]", "[::1]:8080", "[0:0::1]",
    ])
  func loopback(host: String) throws {
    #expect(try isAllowed(host, loopback: true))
    #expect(try isAllowed(host, loopback: false))
  }

  @Test(
    "are no others there, however alike",
    arguments: [
      "127.evil.example", "127.0.0.1.evil.example", "127.1", "127.0.0.01", "127.0.0.256", "127.0.0.0.1",
      "0x7f.0.0.1", "2130706433", "128.0.0.1", "0.0.0.0", "[::]", "[::2]", "[::1:1]",
      "localhost.evil.example",
      "evil.example", "localhosts", "booth.example.org", "booth", "booth.local", "192.168.1.5", "[fe80::1]",
    ])
  func others(host: String) throws { #expect(try !isAllowed(host, loopback: true)) }

  @Test(
    "are addresses, the machine's name and names of the local network where the server is open to it",
    arguments: [
      "192.168.1.5:8080", "[fe80::1]", "203.0.113.7", "booth.example.org", "BOOTH.example.org:80", "booth",
      "booth.local", "booth.home.arpa", "booth.internal", "booth.lan",
    ])
  func network(host: String) throws { #expect(try isAllowed(host, loopback: false)) }

  @Test(
    "are none that the public DNS could lead here",
    arguments: ["evil.example", "192.168.1.5.evil.example", "local.evil.example", "booth.example.com", "a.b"])
  func publicNames(host: String) throws { #expect(try !isAllowed(host, loopback: false)) }

  @Test("are told where they are refused, and so are pages of other sites")
  func reasons() throws {
    let other = WebHost("evil.example".utf8)
    #expect(
      LocalNames(isLoopback: true, subject: "stream").refusal(of: other, [:])
        == "This stream is for this machine only; open it as 127.0.0.1 or localhost.")
    #expect(
      LocalNames(isLoopback: false, machineName: "Booth", subject: "page").refusal(of: other, [:])
        == "This page is not known by that name; open it by this machine's address or as booth.")
    let names = LocalNames(isLoopback: true, subject: "stream")
    #expect(
      names.refusal(of: WebHost("localhost".utf8), ["Sec-Fetch-Site": "cross-site"])
        == "Pages of other sites may not show this stream.")
    #expect(names.refusal(of: nil, [:]) == nil)
  }

  @Test(
    "may be asked by pages of the same site, and by users who follow a link",
    arguments: [
      ([:], true), (["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors"], true),
      (["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], true),
      // A link is followed; a frame or a picture is not shown.
      (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], true),
      (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], false),
      (["sec-fetch-site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"], false),
      (["Sec-Fetch-Site": "same-origin", "sec-fetch-site": "cross-site"], false),
      (["Origin": "http://localhost:3000"], true), (["Origin": "https://localhost"], true),
      (["Origin": "https://evil.example"], false), (["Origin": "null"], false),
      (["Origin": "http://localhost", "origin": "http://evil.example"], false),
    ] as [(WebFields, Bool)])
  func otherSites(fields: WebFields, isAllowed: Bool) {
    let names = LocalNames(isLoopback: true, subject: "stream")
    #expect((names.refusal(of: WebHost("localhost:8080".utf8), fields) == nil) == isAllowed)
  }

  @Test(
    "are none where they are misspelled",
    arguments: [
      "", " ", "local host", "localhost:", "localhost:80:80", "localhost:+80", "localhost:65536",
      "localhost:000080",
      "user@localhost", "localhost/", "lócalhost", "[::1", "[::1]x", "[::1].evil.example", "[]", "[::g]",
      "[127.0.0.1]",
      "[fe80::1%eth0]", "::1", "a..b", ".", ".a", "localhost\u{0}", "%6cocalhost", "localhost, localhost",
    ])
  func misspelled(host: String) { #expect(WebHost(host.utf8) == nil) }

  @Test(
    "and addresses of clients: loopback and networks are told from them",
    arguments: [
      ("127.0.0.1", true, 4), ("127.255.0.9", true, 4), ("::1", true, 8), ("::ffff:127.0.0.1", true, 4),
      ("10.0.0.1", false, 4), ("2001:db8::1", false, 8), ("fe80::1", false, 16), ("::", false, 8),
    ])
  func addresses(text: String, isLoopback: Bool, networkBytes: Int) throws {
    let address = try #require(IPAddress(text))
    #expect(address.isLoopback == isLoopback)
    #expect(address.network.count == networkBytes)
  }
}
