import Safelight

/// The page at the other end of a connection. Messages arrive in the order in which they are sent.
protocol StudioPeer: Sendable {
  /// Different for each connection.
  var id: Int { get }
  /// Bytes that are sent but have not left this machine's memory.
  var bytesWaiting: Int { get }

  /// Sends a JSON text.
  func send(_ text: String)
  /// Sends a binary message.
  func send(_ pieces: [[UInt8]])
  func close(_ reason: String)
}

extension StudioPeer {
  /// Sends a message: an object with a `type`.
  func send(_ type: String, _ fields: [String: JSONValue]) {
    send(JSONValue.object(fields.merging(["type": .string(type)]) { first, _ in first }).line)
  }

  /// Sends a binary message.
  func send(_ type: String, _ header: [String: JSONValue], payload: [[UInt8]]) {
    send(BinaryMessage.pieces(type, header, payload: payload))
  }

  /// Sends one sentence about what went wrong.
  func send(_ error: any Error, request: Int? = nil, photo: String? = nil) {
    let known = error as? SafelightError
    send(
      "problem",
      [
        "request": request.map { .number(Double($0)) } ?? .null, "photo": photo.map { .string($0) } ?? .null,
        "message": .string(known?.problem ?? "\(error)"), "remedy": .string(known?.remedy ?? ""),
      ])
  }
}

/// A message with pictures in it.
enum BinaryMessage {
  /// Returns the length of its header in 32 bits, the lowest first, the header, which is JSON, and the payload.
  static func pieces(_ type: String, _ header: [String: JSONValue], payload: [[UInt8]]) -> [[UInt8]] {
    let text = Array(
      JSONValue.object(header.merging(["type": .string(type)]) { first, _ in first }).line.utf8)
    let length = UInt32(text.count)
    let head = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * UInt32($0))) }
    return [head + text] + payload
  }
}

extension JSONValue {
  /// The value on one line.
  var line: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): PlainNumber.text(number)
    case .string(let text): Self.quoted(text)
    case .array(let values): "[" + values.map(\.line).joined(separator: ",") + "]"
    case .object(let fields):
      "{" + fields.map { Self.quoted($0.key) + ":" + $0.value.line }.joined(separator: ",") + "}"
    }
  }

  static func number(_ count: Int) -> JSONValue { .number(Double(count)) }

  static func size(_ size: PixelSize) -> JSONValue {
    .object(["width": .number(size.width), "height": .number(size.height)])
  }
}
