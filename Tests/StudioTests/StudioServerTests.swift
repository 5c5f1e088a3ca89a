import Foundation
import LibraryTestSupport
import Libc
import Safelight
import Testing

@testable import Studio

@Suite("The studio's server")
struct StudioServerTests {
  private func open(_ address: String, _ path: String, token: String? = nil) async throws -> (Int, [UInt8]) {
    let origin = address.split(separator: "#")[0].dropLast()
    let pieces = origin.dropFirst("http://".count).split(separator: ":")
    return try await HTTP.get(String(pieces[0]), Int(pieces[1]) ?? 0, path, token: token)
  }

  @Test("serves the page to all, and lists to those who have the secret")
  func serving() async throws {
    let scratch = try Scratch()
    try scratch.save(gradient(60, 40), as: "a.png")
    var settings = StudioServer.Settings()
    settings.port = 0
    let studio = try StudioServer(scratch.path, settings)
    let address = try studio.start()
    defer { studio.stop() }
    let token = try #require(address.split(separator: "=").last.map(String.init))
    #expect(address.hasPrefix("http://localhost:") && token.utf8.count == 43)
    let page = try await open(address, "/")
    #expect(page.0 == 200 && String(decoding: page.1, as: UTF8.self).contains("<title>"))
    #expect(try await open(address, "/studio/main.js").0 == 200)
    #expect(try await open(address, "/studio/../embed.py").0 >= 400)
    #expect(try await open(address, "/api/v1/photos").0 == 401)
    for path in ["photos", "filters", "presets"] {
      let answer = try await open(address, "/api/v1/\(path)", token: token)
      guard case .array(let list) = try JSONValue(parsing: answer.1, file: path) else {
        Issue.record("\(path) is no list")
        continue
      }
      #expect(answer.0 == 200 && !list.isEmpty)
    }
    let description = try await open(address, "/api/openapi.json", token: token)
    #expect(try JSONValue(parsing: description.1, file: "openapi") != .null)
  }

  @Test("says what is wrong with a path before it serves anything")
  func paths() throws {
    let scratch = try Scratch()
    #expect(message { _ = try StudioServer(scratch("none.jpg")) }?.contains("none.jpg") ?? false)
    #expect(
      message { _ = try StudioServer(scratch.path) }
        == "\(scratch.path) has no photos; name a folder with photos, or a photo.")
  }
}

/// One request over a socket of its own.
private enum HTTP {
  static func get(_ host: String, _ port: Int, _ path: String, token: String?) async throws -> (Int, [UInt8])
  {
    try await Task.detached {
      let socket = try connectToLoopback(port: UInt16(port))
      defer { close(socket) }
      let secret = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
      let request = "GET \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\n\(secret)Connection: close\r\n\r\n"
      _ = Array(request.utf8).withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      var answer: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(socket, &chunk, chunk.count)
        guard count > 0 else { break }
        answer += chunk.prefix(count)
      }
      let text = String(decoding: answer.prefix(4096), as: UTF8.self)
      let status = Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
      let end = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? answer.endIndex
      return (status, Array(answer[end...]))
    }.value
  }
}
