import LibraryTestSupport
import Safelight
import Testing

@testable import Serving

@Suite("Names that a stream is asked for by")
struct StreamAccessTests {
  private func isAllowed(_ host: String, loopback: Bool) throws -> Bool {
    let named = try #require(HTTPHost(Array(host.utf8)), "\(host)")
    let access = StreamAccess(isLoopback: loopback, machineName: "Booth.example.org")
    return access.refusal(of: HTTPRequest(method: "GET", path: "/", host: named)) == nil
  }

  @Test(
    "are this machine's own, with any port, where the stream is for this machine only",
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
    "are addresses, the machine's name and names of the local network where the stream is open to it",
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
    let other = HTTPRequest(method: "GET", path: "/", host: HTTPHost(Array("evil.example".utf8)))
    #expect(
      StreamAccess(isLoopback: true).refusal(of: other)
        == "This stream is for this machine only; open it as 127.0.0.1 or localhost.")
    #expect(
      StreamAccess(isLoopback: false, machineName: "Booth").refusal(of: other)
        == "This stream is not known by that name; open it by this machine's address or as booth.")
    let page = HTTPRequest(
      method: "GET", path: "/", host: HTTPHost(Array("localhost".utf8)), isForOtherSite: true)
    #expect(
      StreamAccess(isLoopback: true).refusal(of: page) == "Pages of other sites may not show this stream.")
    let old = HTTPRequest(method: "GET", path: "/", host: nil)
    #expect(StreamAccess(isLoopback: true).refusal(of: old) == nil)
  }

  @Test(
    "and their clients: loopback and networks are told from addresses",
    arguments: [
      ("127.0.0.1", true, 4), ("127.255.0.9", true, 4), ("::1", true, 8), ("::ffff:127.0.0.1", true, 4),
      ("10.0.0.1", false, 4), ("2001:db8::1", false, 8), ("fe80::1", false, 16), ("::", false, 8),
    ])
  func addresses(text: String, isLoopback: Bool, networkBytes: Int) throws {
    let address = try #require(SocketAddress(ipv4: text.utf8) ?? SocketAddress(ipv6: text.utf8))
    #expect(address.isLoopback == isLoopback)
    #expect(address.network.count == networkBytes)
  }
}
