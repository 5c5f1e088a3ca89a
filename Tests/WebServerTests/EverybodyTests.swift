import Foundation
import Libc
import TestSupport
import Testing

@testable import WebServer

/// A site of a page, and of presses that may only come from that page.
private struct OpenSite: WebSite {
  func route(of request: WebRequest) -> WebRoute? {
    if request.path == ["body"] { return WebRoute(.post) }
    var route = WebRoute(.get, .post)
    route.isBodyOptional = true
    return route
  }

  func respond(to request: WebRequest) async -> WebResponse {
    .text((request.isFromOwnOrigin ? "own " : "other ") + request.rawQuery)
  }

  func worded(_ refusal: WebResponse) -> WebResponse { .text("No.", status: refusal.status) }
}

/// A server that asks for no token: whom it answers, by what name, and how it takes damaged requests.
@Suite("A server for everybody", .serialized)
final class EverybodyTests {
  private let server: WebServer
  private let port: Int

  init() throws {
    var settings = WebServerSettings()
    settings.access = .everybody(subject: "page")
    settings.keepsConnections = false
    settings.limits.drained = 64 << 10
    settings.times.closing = .milliseconds(300)
    server = try WebServer(settings, site: OpenSite())
    port = try server.start().port
  }

  deinit { server.stop() }

  /// The status of the answer; nil if there is none.
  private func status(_ request: [UInt8]) throws -> Int? {
    let client = try TestClient(port)
    client.send(request)
    client.finish()
    let answer = String(decoding: client.readToEnd().prefix(12), as: UTF8.self)
    return answer.hasPrefix("HTTP/1.1 ") ? Int(answer.suffix(3)) : nil
  }

  @Test("answers without a token, by any port, and closes the connection")
  func open() throws {
    let client = try TestClient(port)
    let response = try client.ask("GET /?a=%31", ["Host: localhost:1"])
    #expect(response.text == "own a=%31" && response.fields["cache-control"] == "no-store")
    #expect(client.isClosed)
    #expect(try TestClient(port).ask("POST /", ["Host: 127.0.0.1"], body: [1, 2]).text == "own ")
    // Without a length there is no body, where the site says so.
    #expect(try TestClient(port).ask("POST /", ["Host: 127.0.0.1"]).status == 200)
    let refused = try TestClient(port).ask("POST /body", ["Host: 127.0.0.1"])
    #expect(refused.status == 411 && refused.text == "No.")
  }

  @Test(
    "needs one sound host, but for HTTP/1.0; that of a whole URL goes first",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.0\r\n\r\n", 200),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
      ("GET / HTTP/1.0\r\nHost: a b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost:x\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
      ("GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n", 403),
      // Source: RFC 9112, §3.2.2.
      ("GET http://LOCALHOST:81/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", 200),
      ("GET HTTP://evil.example HTTP/1.1\r\nHost: localhost\r\n\r\n", 403),
      ("GET http://a@localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n", 403),
      // What an address takes is said before who may ask.
      ("OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n", 405),
    ])
  func hosts(request: String, expected: Int) throws {
    #expect(try status(Array(request.utf8)) == expected, "\(request.debugDescription)")
  }

  @Test("tells a page of its own origin from one of another port")
  func origins() throws {
    func answer(_ origin: String) throws -> String {
      try TestClient(port).ask("POST /", ["Host: localhost:8080", "Origin: \(origin)"]).text
    }
    #expect(try answer("http://localhost:8080") == "own ")
    for origin in ["http://localhost", "http://localhost:80801", "http://localhost:8081", "null"] {
      #expect(try answer(origin) != "own ", "\(origin)")
    }
  }

  private static let seeds: [(name: String, bytes: [UInt8])] = {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let folder = tests.appending(path: "Fuzz/http").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { !$0.hasSuffix(".md") }.sorted().compactMap { name in
      (try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))).map { (name, Array($0)) }
    }
  }()

  @Test("Seeds are understood or not as their names say")
  func seeds() throws {
    #expect(Self.seeds.count >= 30)
    for (name, bytes) in Self.seeds {
      let status = try status(bytes)
      let isUnderstood = status.map { ![400, 414, 431, 501, 505].contains($0) } ?? false
      #expect(isUnderstood == name.hasPrefix("good-"), "\(name): \(status ?? 0)")
    }
  }

  private static let tokens = [
    "\r", "\n", "\r\n", "\r\n\r\n", "\n\n", " ", "\t", "\0", ":", "Host: ", "Host:localhost\r\n", "localhost",
    "127.", "127.0.0.1", ".evil.example", "@", "[", "]", "[::1]", "%", "#", "?", "/", "http://", "HTTP/1.1",
    "HTTP/1.0", "\u{FF}", "Sec-Fetch-Site: cross-site\r\n", "Origin: null\r\n", "00", "POST ", "&",
  ].map { Array($0.utf8) }

  @Test("3,000 mutated requests: no other name than this machine's own is answered")
  func mutations() throws {
    var random = SeededRandom(seed: 0x5AFE_1169)
    // A plain way to tell such a name, beside the server's own.
    let ownName = #/(localhost\.?|127\.\d+\.\d+\.\d+|\[[0:]+1\])(:\d+)?/#.ignoresCase()
    var allowed = 0
    for round in 0..<3000 {
      var bytes = Self.seeds[round % Self.seeds.count].bytes
      for _ in 0...(round / Self.seeds.count % 4) { Self.mutate(&bytes, using: &random) }
      guard try status(bytes) == 200 else { continue }
      allowed += 1
      let text = String(decoding: bytes, as: UTF8.self)
      let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      let head = lines.prefix { !$0.isEmpty }
      let names = head.dropFirst().filter { $0.lowercased().hasPrefix("host:") }
      let target = try #require(head.first?.split(separator: " ").dropFirst().first)
      if target.lowercased().hasPrefix("http") {
        let authority = target.drop { $0 != ":" }.dropFirst("://".count).prefix { $0 != "/" && $0 != "?" }
        #expect(authority.wholeMatch(of: ownName) != nil, "round \(round): \(text.debugDescription)")
      } else if head.first?.contains("HTTP/1.0") == false || !names.isEmpty {
        let name = try #require(names.first, "round \(round): \(text.debugDescription)")
        let value = name.dropFirst("host:".count).trimmingCharacters(in: .whitespaces)
        #expect(
          names.count == 1 && value.wholeMatch(of: ownName) != nil, "round \(round): \(text.debugDescription)"
        )
      }
    }
    // Were everything refused at its first byte, nothing would have been tried.
    #expect(allowed > 100, "\(allowed)")
  }

  private static func mutate(_ bytes: inout [UInt8], using random: inout SeededRandom) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? [])
    default: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
    }
  }
}
