import Libc
import Synchronization
import TestSupport
import Testing

@testable import WebServer

@Suite("Parts of streams")
struct WebPartTests {
  @Test("Parts that lie idle are released, but for a few that are filled again")
  func idle() {
    var pool = WebPartPool()
    var held = (0..<20).map { _ in pool.take() }
    #expect(pool.count == 20 && held.map(\.number) == Array(1...20))
    // Parts in use stay, wherever they stand among the idle ones.
    let last = held[19]
    held = []
    #expect(pool.take().number == 21)
    #expect(pool.count == WebPartPool.idleParts + 1)
    #expect(last.number == 20)
    for number in 22...30 { #expect(pool.take().number == UInt64(number)) }
    #expect(pool.count == WebPartPool.idleParts + 1)
    withExtendedLifetime(last) {}
  }

  /// Clients 0, 1, 2 … taking parts of these numbers, a hundred bytes each.
  private func leaving(_ numbers: [UInt64], newest: UInt64, atMost limit: Int) -> [ClientPlaces.ClientID] {
    let taking = numbers.enumerated().map {
      PartsOnTheirWay.Taking(client: UInt64($0.offset), number: $0.element, bytes: 100)
    }
    return PartsOnTheirWay.leaving(taking, newest: newest, atMost: limit)
  }

  @Test("Where parts on their way need too much memory, those leave that have been taking theirs longest")
  func slowest() {
    #expect(leaving([], newest: 9, atMost: 0) == [])
    #expect(leaving([4, 2, 3], newest: 9, atMost: 300) == [])
    #expect(leaving([4, 2, 3], newest: 9, atMost: 299) == [1])
    #expect(leaving([4, 2, 3, 2], newest: 9, atMost: 100) == [1, 2, 3])
    // Who takes the same frame shares its memory, and the newest is not held against anybody.
    #expect(leaving([4, 4, 4, 4], newest: 9, atMost: 100) == [])
    #expect(leaving([9, 9, 8], newest: 9, atMost: 0) == [2])
  }
}

/// A site whose bodies are pulled.
private final class PullSite: WebSite {
  let stream = WebStream()
  let pulled = Atomic(0)

  func route(of request: WebRequest) -> WebRoute? {
    var route = WebRoute(.get, isOpen: true)
    route.isLong = request.path == ["stream"]
    return route
  }

  func respond(to request: WebRequest) async -> WebResponse {
    switch request.path {
    case ["stream"]:
      request.hasPlace
        ? WebResponse(type: "x/y", from: .stream(stream, start: Array("start|".utf8)))
        : WebResponse(status: 503)
    case ["part"]:
      stream.newest.map { WebResponse(type: "x/y", from: .part($0, 1..<3)) } ?? .notFound
    // Half a megabyte, 64 KiB at a time.
    case ["pieces"]:
      WebResponse(
        type: "x/y",
        from: .pieces(length: 8 << 16) { [self] in
          [UInt8](repeating: UInt8(pulled.add(1, ordering: .relaxed).oldValue & 0xFF), count: 1 << 16)
        })
    case ["short"]: WebResponse(type: "x/y", from: .pieces(length: 10) { nil })
    default: .notFound
    }
  }

  /// Publishes a part that begins with a number and a bar.
  func publish(_ number: Int, count: Int = 8, _ pool: inout WebPartPool) {
    let part = pool.take()
    var bytes = Array("\(number)|".utf8)
    bytes += [UInt8](repeating: 0x2E, count: count - bytes.count)
    bytes.withUnsafeBytes { part.fill([$0]) }
    stream.publish(part)
  }
}

@Suite("Bodies that are pulled", .serialized)
final class WebStreamTests {
  private let site = PullSite()
  private let server: WebServer
  private let port: Int

  init() throws {
    var settings = WebServerSettings()
    settings.places = .init(short: 8, long: 3)
    server = try WebServer(settings, site: site)
    port = try server.start().port
  }

  deinit { server.stop() }

  private func watch(receiveBuffer: Int32? = nil) throws -> TestClient {
    let client = try TestClient(port, receiveBuffer: receiveBuffer)
    let before = site.stream.clientCount
    client.request("GET /stream")
    let head = try client.read(through: "\r\n\r\n")
    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("Connection: close\r\n"))
    #expect(head.contains("Cache-Control: no-store\r\n") && !head.contains("Content-Length"))
    #expect(try client.read(through: "start|") == "start|")
    #expect(site.stream.clientCount == before + 1)
    return client
  }

  private func waitForClients(_ count: Int) {
    for _ in 0..<2000 where site.stream.clientCount != count { usleep(2000) }
    #expect(site.stream.clientCount == count)
  }

  @Test("Clients get the parts that come after them; one that does not read skips some and delays nobody")
  func parts() throws {
    var pool = WebPartPool()
    site.publish(0, &pool)
    let (quick, slow) = (try watch(), try watch(receiveBuffer: 4096))
    for number in 1...60 {
      site.publish(number, count: 200_000, &pool)
      let part = try quick.read(count: 200_000)
      #expect(String(decoding: part.prefix(3), as: UTF8.self).hasPrefix("\(number)|"))
    }
    var numbers: [Int] = []
    while numbers.last != 60 {
      let head = try slow.read(count: 200_000).prefix { $0 != UInt8(ascii: "|") }
      numbers.append(try #require(Int(String(decoding: head, as: UTF8.self))))
    }
    #expect(
      numbers == numbers.sorted() && Set(numbers).count == numbers.count && numbers.count < 40, "\(numbers)")
    // The memory of parts is used again.
    #expect(pool.count <= 4 + WebPartPool.idleParts, "\(pool.count)")
  }

  @Test("The newest part waits for no more parts, and what the kernel queues for a client is little")
  func queues() throws {
    var pool = WebPartPool()
    let client = try watch(receiveBuffer: 4096)
    for number in 1...200 {
      site.publish(number, count: 50_000, &pool)
      usleep(1000)
    }
    var count = 0
    while count < 200 {
      count += 1
      let head = try client.read(count: 50_000).prefix { $0 != UInt8(ascii: "|") }
      if String(decoding: head, as: UTF8.self) == "200" { break }
    }
    // 128 KiB that are not sent, what is on its way, and the part in hand.
    #expect(count < 60, "\(count)")
  }

  @Test("Clients of a stream that leave, or talk on, are forgotten at once")
  func leaving() throws {
    do {
      let gone = try watch()
      #expect(site.stream.clientCount == 1)
      withExtendedLifetime(gone) {}
    }
    waitForClients(0)
    let (ended, talking, quiet) = (try watch(), try watch(), try watch())
    ended.finish()
    talking.send([UInt8](repeating: 0x78, count: 40_000))
    #expect(ended.isClosed && talking.isClosed)
    quiet.send("GET / HTTP/1.1\r\n\r\n")
    waitForClients(1)
    var pool = WebPartPool()
    site.publish(1, &pool)
    #expect(try quiet.read(count: 8) == Array("1|......".utf8))
  }

  @Test("Answers that take time have places of their own, and give them back")
  func places() throws {
    var watchers = try (0..<3).map { _ in try watch() }
    #expect(try TestClient(port).ask("GET /stream").status == 503)
    #expect(try TestClient(port).ask("GET /nothing").status == 404)
    watchers.removeLast()
    waitForClients(2)
    watchers.append(try watch())
    // Connections without a request are not more than eight.
    let silent = try (0..<12).map { _ in try TestClient(port) }
    for client in silent.prefix(4) { #expect(client.isClosed) }
    #expect(site.stream.clientCount == 3)
  }

  @Test("A body of pieces is made as the client reads it, and the connection goes on; a wrong length ends it")
  func pieces() throws {
    let client = try TestClient(port)
    for round in 0..<2 {
      let body = try client.ask("GET /pieces").body
      #expect(body.count == 8 << 16 && (0..<8).allSatisfy { body[$0 << 16] == UInt8(round * 8 + $0) })
    }
    #expect(try client.ask("HEAD /pieces").fields["content-length"] == "\(8 << 16)")
    #expect(site.pulled.load(ordering: .relaxed) == 16)
    let stopped = try TestClient(port, receiveBuffer: 4096)
    stopped.request("GET /pieces")
    usleep(200_000)
    #expect(site.pulled.load(ordering: .relaxed) < 24)
    let short = try TestClient(port)
    short.request("GET /short")
    #expect(String(decoding: short.readToEnd(), as: UTF8.self).hasSuffix("\r\n\r\n"))
    var pool = WebPartPool()
    site.publish(7, &pool)
    #expect(try client.ask("GET /part").text == "|.")
  }

  @Test("A body of pieces goes on for as long as its client takes something")
  func slowPieces() throws {
    var settings = WebServerSettings()
    settings.times.idle = .milliseconds(200)
    let patient = try WebServer(settings, site: site)
    let client = try TestClient(patient.start().port, receiveBuffer: 4096)
    defer { patient.stop() }
    client.request("GET /pieces")
    _ = try client.read(through: "\r\n\r\n")
    let began = ContinuousClock.now
    for _ in 0..<32 {
      #expect(try client.read(count: 1 << 14).count == 1 << 14)
      usleep(50_000)
    }
    #expect(ContinuousClock.now - began > .seconds(1))
  }

  @Test("Stopping ends streams at once")
  func stopping() throws {
    let client = try watch()
    #expect(try elapsed { server.stop() } < .seconds(1))
    #expect(client.isClosed && site.stream.clientCount == 0)
    var pool = WebPartPool()
    site.publish(1, &pool)
  }

  @Test("A port that is taken early is served later, and given up by a server that never starts")
  func binding() throws {
    var settings = WebServerSettings()
    settings.host = "127.1"
    do {
      let server = try WebServer(settings, site: site)
      let bound = try server.bind()
      #expect(bound.host == "127.0.0.1" && bound.isLoopback)
      let early = try TestClient(bound.port)
      #expect(try server.bind().port == bound.port && server.start().port == bound.port)
      #expect(try early.ask("GET /nothing").status == 404)
      server.stop()
      settings.port = bound.port
    }
    do {
      let never = try WebServer(settings, site: site)
      try never.bind()
    }
    let again = try WebServer(settings, site: site)
    #expect(try again.bind().port == settings.port)
  }
}
