import LibraryTestSupport
import Safelight
import Testing
import Libc

/// A client on a bare socket: it sees every byte that the server sends.
final class HTTPClient {
  let descriptor: Int32
  private var buffer: [UInt8] = []

  /// - Parameter receiveBuffer: bytes that the kernel keeps for a client that does not read; nil leaves its choice.
  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    descriptor = try connectToLoopback(port: port, receiveBuffer: receiveBuffer)
  }

  deinit { close(descriptor) }

  /// False where the server takes no more.
  @discardableResult
  func send(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } > 0
  }

  func get(_ path: String) { send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n") }

  /// More bytes into the buffer; false at the end of the connection.
  private func fill() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    buffer += chunk[..<count]
    return true
  }

  /// Everything up to and with `mark`.
  func read(through mark: String) throws -> String {
    let mark = Array(mark.utf8)
    while true {
      if let start = firstIndex(of: mark) {
        defer { buffer.removeFirst(start + mark.count) }
        return String(decoding: buffer[..<(start + mark.count)], as: UTF8.self)
      }
      try #require(
        fill(), "the connection ended after \(String(decoding: buffer.prefix(300), as: UTF8.self))")
    }
  }

  func read(count: Int) throws -> [UInt8] {
    while buffer.count < count { try #require(fill(), "the connection ended early") }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  func readToEnd() -> [UInt8] {
    while fill() {}
    defer { buffer = [] }
    return buffer
  }

  /// The next part of a stream whose head and first boundary have been read.
  func readPart() throws -> (head: String, jpeg: [UInt8]) {
    let head = try read(through: "\r\n\r\n")
    let field = try #require(head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") })
    let jpeg = try read(count: try #require(Int(field.dropFirst("Content-Length: ".count))))
    #expect(try read(count: 11) == Array("\r\n--frame\r\n".utf8))
    return (head, jpeg)
  }

  private func firstIndex(of mark: [UInt8]) -> Int? {
    guard buffer.count >= mark.count else { return nil }
    return (0...(buffer.count - mark.count)).first {
      buffer[$0] == mark[0] && buffer[$0...].starts(with: mark)
    }
  }
}
