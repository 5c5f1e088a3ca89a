import FrameCore
import Libc
import TestSupport
import Testing

@testable import WebServer

@Suite("Starting and stopping")
struct WebServerTests {
  @Test("A taken port is an error that names it and a remedy")
  func takenPort() throws {
    let server = try TestServer()
    var settings = WebServerSettings()
    settings.port = server.port
    let second = try WebServer(settings, site: TestSite())
    let error = #expect(throws: SafelightError.self) { try second.start() }
    #expect(
      error?.description
        == "Port \(server.port) is taken by another program; choose another one, or --port 0 for "
        + "any free port.")
    #expect(error?.code == .invalidValue)
    second.stop()
    #expect(try server.status("GET /") == 200)
  }

  @Test("Settings out of their ranges are errors that name the range")
  func settings() {
    func problem(_ change: (inout WebServerSettings) -> Void) -> String {
      var settings = WebServerSettings()
      change(&settings)
      do {
        try WebServer(settings, site: TestSite()).start()
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(problem { $0.port = 65_536 } == "The port of the server is 65536; choose 0…65535.")
    #expect(problem { $0.threads = 0 } == "The number of threads of the server is 0; choose 1…64.")
    #expect(problem { $0.times.idle = .zero }.contains("choose more than 0 s"))
    #expect(problem { $0.publicOrigin = "x" }.contains("is no origin of a site"))
    #expect(
      problem { $0.host = "example.org" }
        == "“example.org” is not an address to listen on; write 127.0.0.1 for this machine only, or 0.0.0.0 for the "
        + "network.")
    #expect(problem { $0.host = "192.0.2.1" }.hasPrefix("192.0.2.1 is not an address of this machine; "))
  }

  @Test("A server may be stopped and started again, on the same port")
  func again() throws {
    var settings = WebServerSettings()
    let site = TestSite()
    let first = try WebServer(settings, site: site)
    settings.port = try first.start().port
    #expect(throws: SafelightError.self) { try first.start() }
    #expect(try TestClient(settings.port).ask("GET /").status == 200)
    first.stop()
    first.stop()
    let second = try WebServer(settings, site: site)
    #expect(try second.start() == ("127.0.0.1", settings.port))
    #expect(try TestClient(settings.port).ask("GET /").status == 200)
    second.stop()
  }

  @Test("Stopping sends what is on its way, closes sockets with 1001, and tells the site")
  func farewell() throws {
    let server = try TestServer()
    let (busy, idle) = (try server.client(), try server.client())
    busy.request("GET /api/v1/slow", [server.bearer])
    let socket = try server.socket()
    usleep(100_000)
    let time = try elapsed { server.server.stop() }
    #expect(time < .milliseconds(4000), "\(time)")
    #expect(try busy.response().text == "slow" && busy.isClosed && idle.isClosed)
    #expect(try socket.message().code == 1001)
    #expect(server.site.events.withLock { $0 } == ["closed 1"])
    // Stopped servers answer nobody.
    #expect(throws: ConnectionRefused.self) { try server.client() }
  }

  @Test("Sockets are not inherited by programs that are started")
  func inheritance() throws {
    let server = try TestServer()
    let client = try server.client()
    #expect(try client.ask("GET /").status == 200)
    for descriptor in Int32(3)..<200 {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
      }
      guard status == 0, Int(UInt16(bigEndian: address.sin_port)) == server.port else { continue }
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
  }

  @Test("A server on IPv6 is known by its address")
  func ipv6() throws {
    var settings = WebServerSettings()
    settings.host = "::"
    let server = try WebServer(settings, site: TestSite())
    let port: Int
    do {
      port = try server.start().port
    } catch let error as SafelightError where error.problem.contains("::") {
      return withKnownIssue("This machine has no IPv6") { Issue.record(error) }
    }
    defer { server.stop() }
    // IPv4 clients come as ::ffff:127.0.0.1.
    #expect(try TestClient(port).ask("GET /", ["Host: 127.0.0.1:\(port)"]).status == 200)
    #expect(try TestClient(port).ask("GET /", ["Host: [::1]:\(port)"]).status == 200)
    #expect(try TestClient(port).ask("GET /", ["Host: [::]:\(port)"]).status == 421)
  }
}
