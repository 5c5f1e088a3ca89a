import Libc
import TestSupport
import Testing

/// A client on a bare socket: it sends any bytes, and sees every byte that the server sends.
final class TestClient {
  struct Response {
    var status: Int
    /// By name, in lower case; values of repeated fields are joined by line feeds.
    var fields: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct Frame: Equatable {
    var opcode: UInt8
    var payload: [UInt8]
    var text: String { String(decoding: payload, as: UTF8.self) }
    /// The code of a close frame.
    var code: UInt16? { payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1]) }
  }

  private let descriptor: Int32
  private(set) var buffer: [UInt8] = []
  let port: Int

  /// - Parameter receiveBuffer: bytes that the kernel keeps for a client that does not read; nil leaves its choice.
  init(_ port: Int, receiveBuffer: Int32? = nil) throws {
    self.port = port
    descriptor = try connectToLoopback(port: UInt16(port), patience: 20, receiveBuffer: receiveBuffer)
  }

  deinit { close(descriptor) }

  /// False where the server takes no more.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Libc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Closes the sending side only.
  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Sends a request; a `Host` field is added unless there is one.
  func request(_ line: String, _ fields: [String] = [], body: [UInt8]? = nil) {
    var text = "\(line) HTTP/1.1\r\n"
    if !fields.contains(where: { $0.lowercased().hasPrefix("host:") }) {
      text += "Host: localhost:\(port)\r\n"
    }
    for field in fields { text += field + "\r\n" }
    if let body { text += "Content-Length: \(body.count)\r\n" }
    send(Array((text + "\r\n").utf8) + (body ?? []))
  }

  /// Sends a request and returns its response.
  func ask(_ line: String, _ fields: [String] = [], body: [UInt8]? = nil) throws -> Response {
    request(line, fields, body: body)
    return try response(isHead: line.hasPrefix("HEAD"))
  }

  func response(isHead: Bool = false) throws -> Response {
    let lines = try read(through: "\r\n\r\n").split(separator: "\r\n").map(String.init)
    let words = try #require(lines.first).split(separator: " ")
    let status = try #require(words.count > 1 ? Int(words[1]) : nil, "\(lines)")
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let colon = try #require(line.firstIndex(of: ":"))
      let (name, value) = (line[..<colon].lowercased(), String(line[line.index(colon, offsetBy: 2)...]))
      fields[name] = fields[name].map { $0 + "\n" + value } ?? value
    }
    let hasBody = !isHead && status >= 200 && status != 204 && status != 304
    let length = hasBody ? try #require(fields["content-length"].flatMap { Int($0) }, "\(lines)") : 0
    return Response(status: status, fields: fields, body: try read(count: length))
  }

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
      let starts = buffer.indices.dropLast(mark.count - 1)
      if let start = starts.first(where: { buffer[$0...].starts(with: mark) }) {
        defer { buffer.removeFirst(start + mark.count) }
        return String(decoding: buffer[..<(start + mark.count)], as: UTF8.self)
      }
      let soFar = String(decoding: buffer.prefix(300), as: UTF8.self)
      try #require(fill(), "the connection ended after “\(soFar)”")
    }
  }

  func read(count: Int) throws -> [UInt8] {
    while buffer.count < count { try #require(fill(), "the connection ended early") }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  /// Everything until the server closes.
  func readToEnd() -> [UInt8] {
    while fill() {}
    defer { buffer = [] }
    return buffer
  }

  /// Whether the server has closed the connection, or does within the client's patience, without sending more.
  var isClosed: Bool { buffer.isEmpty && !fill() && errno != EAGAIN }
}

/// WebSockets.
extension TestClient {
  static let key = "dGhlIHNhbXBsZSBub25jZQ=="

  static func upgrade(port: Int, _ fields: [String] = []) -> [String] {
    [
      "Origin: http://localhost:\(port)", "Connection: keep-alive, Upgrade", "Upgrade: websocket",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)",
    ] + fields
  }

  /// Opens a WebSocket, without a first message.
  func openSocket() throws {
    let response = try ask("GET /api/v1/socket", Self.upgrade(port: port))
    try #require(response.status == 101, "\(response.text)")
    // Source: RFC 6455, §1.3.
    #expect(response.fields["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @discardableResult
  func sendFrame(
    _ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, isMasked: Bool = true, reserved: UInt8 = 0
  ) -> Bool {
    send(Self.frame(opcode, payload, isLast: isLast, isMasked: isMasked, reserved: reserved))
  }

  static func frame(
    _ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, isMasked: Bool = true, reserved: UInt8 = 0
  ) -> [UInt8] {
    let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
    var bytes = [(isLast ? 0x80 : 0) | reserved << 4 | opcode]
    let bit: UInt8 = isMasked ? 0x80 : 0
    switch payload.count {
    case ...125: bytes.append(bit | UInt8(payload.count))
    case ...0xFFFF: bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default: bytes += [bit | 127] + (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 0xFF) }
    }
    guard isMasked else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  func sendText(_ text: String) { sendFrame(1, Array(text.utf8)) }

  /// The next frame. Frames of the server are whole messages, without mask.
  func frame() throws -> Frame {
    let head = try read(count: 2)
    try #require(head[0] & 0xF0 == 0x80 && head[1] & 0x80 == 0)
    var length = Int(head[1])
    if length >= 126 {
      length = try read(count: length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) }
    }
    return Frame(opcode: head[0] & 0x0F, payload: try read(count: length))
  }

  /// The next frame that is no ping.
  func message() throws -> Frame {
    while true {
      let next = try frame()
      if next.opcode != 9 { return next }
    }
  }
}
