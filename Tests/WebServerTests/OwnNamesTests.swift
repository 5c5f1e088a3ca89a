import FrameCore
import Testing

@testable import WebServer

@Suite("Names of the server")
struct OwnNamesTests {
  private static func names(
    address: String = "127.0.0.1", port: Int = 8080, _ change: (inout WebServerSettings) -> Void = { _ in }
  ) throws -> OwnNames {
    var settings = WebServerSettings()
    change(&settings)
    return try OwnNames(settings, address: address, port: port)
  }

  @Test("are those of this machine, with the port")
  func local() throws {
    let names = try Self.names()
    for host in ["localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080"] {
      #expect(names.allows(host: host, connectedTo: "127.0.0.1"))
    }
    for host in [
      "localhost", "localhost:80", "localhost:08080", "localhost.:8080", "127.1:8080", "127.0.0.2:8080",
      "0.0.0.0:8080",
      "evil.example:8080", "localhost.evil.example:8080", "localhost:8080.evil.example", "[::]:8080", "",
      ":8080",
      "localhost:8080 ", "loca\u{17F}lhost:8080",
    ] {
      #expect(!names.allows(host: host, connectedTo: "127.0.0.1"), "\(host)")
    }
  }

  @Test("need no port where it is that of the scheme")
  func ordinaryPort() throws {
    let names = try Self.names(port: 80)
    #expect(
      names.allows(host: "localhost", connectedTo: nil)
        && names.allows(host: "localhost:80", connectedTo: nil))
  }

  @Test("include the address that a client has connected to, if all are listened on, and never 0.0.0.0")
  func everyAddress() throws {
    let names = try Self.names(address: "0.0.0.0")
    #expect(names.allows(host: "192.168.1.5:8080", connectedTo: "192.168.1.5"))
    #expect(!names.allows(host: "192.168.1.6:8080", connectedTo: "192.168.1.5"))
    #expect(!names.allows(host: "0.0.0.0:8080", connectedTo: "0.0.0.0"))
    #expect(names.allows(host: "[fe80::1]:8080", connectedTo: "fe80::1"))
  }

  @Test("include those of a proxy and those that are set")
  func configured() throws {
    let names = try Self.names {
      $0.publicOrigin = "https://Photos.example"
      $0.extraHosts = ["booth.local:8080"]
    }
    for host in ["photos.example", "photos.example:443", "booth.local:8080"] {
      #expect(names.allows(host: host, connectedTo: nil), "\(host)")
    }
    for host in ["photos.example:8080", "photos.example:80", "booth.local"] {
      #expect(!names.allows(host: host, connectedTo: nil), "\(host)")
    }
    #expect(names.allows(origin: "https://photos.example", host: "127.0.0.1:8080"))
    #expect(!names.allows(origin: "http://photos.example", host: "127.0.0.1:8080"))
  }

  @Test("A public origin that is none is an error that says how to write it")
  func malformedOrigin() {
    for origin in [
      "photos.example", "https://", "https://a/b", "ftp://a", "https://a b", "https://ä.example", "null",
    ] {
      #expect(throws: SafelightError.self, "\(origin)") { try Self.names { $0.publicOrigin = origin } }
    }
    let error = #expect(throws: SafelightError.self) {
      try Self.names { $0.publicOrigin = "photos.example/x" }
    }
    #expect(
      error?.description
        == "“photos.example/x” is no origin of a site; write scheme and name without a path, "
        + "such as https://photos.example.")
  }

  @Test("A public origin may state its scheme's own port, which browsers leave out")
  func statedPort() throws {
    let names = try Self.names { $0.publicOrigin = "https://[2001:db8::1]:443" }
    #expect(names.allows(origin: "https://[2001:db8::1]", host: "x"))
    for host in ["[2001:db8::1]", "[2001:db8::1]:443"] { #expect(names.allows(host: host, connectedTo: nil)) }
    let other = try Self.names { $0.publicOrigin = "https://photos.example:8443" }
    #expect(other.allows(origin: "https://photos.example:8443", host: "x"))
    #expect(!other.allows(host: "photos.example", connectedTo: nil))
  }

  @Test("A further name that is none is an error")
  func malformedName() {
    let error = #expect(throws: SafelightError.self) { try Self.names { $0.extraHosts = ["http://booth"] } }
    #expect(
      error?.description
        == "“http://booth” is no name of a server; write a name and a port, such as booth.local:8080.")
  }

  @Test("Origins are the scheme, the name and the port of the same request")
  func origins() throws {
    let names = try Self.names()
    #expect(names.allows(origin: "http://localhost:8080", host: "localhost:8080"))
    for origin in [
      "https://localhost:8080", "http://localhost", "http://localhost:8081", "http://127.0.0.1:8080", "null",
      "",
      "http://localhost:8080/", "http://evil.example", "http://localhost:8080@evil.example", "localhost:8080",
    ] {
      #expect(!names.allows(origin: origin, host: "localhost:8080"), "\(origin)")
    }
  }
}
