import Foundation
import LibraryTestSupport
import Libc
import Safelight
import Testing

@testable import Studio

/// A studio of some photos, and a script that asks it over the network.
final class ScriptClient {
  struct Answer: Sendable {
    let status: Int
    /// By their names in lower case.
    let fields: [String: String]
    let body: [UInt8]

    var tag: String? { fields["etag"] }
    var text: String { String(decoding: body, as: UTF8.self) }
    var json: [String: JSONValue] {
      guard case .object(let fields)? = try? JSONValue(parsing: body, file: "answer") else { return [:] }
      return fields
    }
    /// The sentence of a refusal.
    var detail: String { if case .string(let text)? = json["detail"] { text } else { "" } }
  }

  let scratch: Scratch
  let studio: StudioServer
  let photos: [String]
  private let port: UInt16
  private let token: String

  init(_ count: Int = 1, size: (Int, Int) = (300, 200)) throws {
    scratch = try Scratch()
    for number in 1...count { try scratch.save(makePicture(size.0, size.1), as: "\(number).png") }
    var settings = StudioServer.Settings()
    settings.port = 0
    studio = try StudioServer(scratch.path, settings)
    let address = try studio.start()
    let parts = address.split(separator: "/#token=")
    token = String(parts[1])
    let folder = scratch.path
    photos = (1...count).map { StudioPhotos.id(of: FolderListing.path("\($0).png", in: folder)) }
    let number = parts[0].split(separator: ":").last.flatMap { UInt16($0) }
    port = try #require(number)
  }

  deinit { studio.stop() }

  /// The path of a photo's file.
  func path(_ index: Int = 0) -> String { scratch("\(index + 1).png") }

  /// Asks for something of a photo: `ask("GET", of: 0, "recipe")`.
  func ask(
    _ method: String, of index: Int, _ rest: String = "", _ body: String? = nil,
    _ fields: [String: String] = [:]
  ) async throws -> Answer {
    try await ask(method, "photos/\(photos[index])" + (rest.isEmpty ? "" : "/" + rest), body, fields)
  }

  /// - Parameter path: behind `/api/v1/`.
  func ask(
    _ method: String, _ path: String, _ body: String? = nil, _ fields: [String: String] = [:]
  ) async throws -> Answer {
    let (port, token) = (port, token)
    return try await Task.detached {
      let socket = try connectToLoopback(port: port)
      defer { close(socket) }
      var lines = [
        "\(method) /api/v1/\(path) HTTP/1.1", "Host: localhost:\(port)", "Authorization: Bearer \(token)",
        "Connection: close",
      ]
      var fields = fields
      if let body {
        fields["Content-Length"] = "\(body.utf8.count)"
        fields["Content-Type"] = fields["Content-Type"] ?? "application/json"
      }
      lines += fields.map { "\($0.key): \($0.value)" }
      let request = lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
      _ = Array(request.utf8).withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      var answer: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(socket, &chunk, chunk.count), count > 0 { answer += chunk.prefix(count) }
      let end = try #require(answer.firstRange(of: Array("\r\n\r\n".utf8)))
      let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
      let pairs = head.dropFirst().compactMap { line -> (String, String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (
          line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        )
      }
      return Answer(
        status: Int(head[0].split(separator: " ")[1]) ?? 0,
        fields: Dictionary(pairs) { first, _ in first }, body: Array(answer[end.upperBound...]))
    }.value
  }
}
