import NIOCore
import NIOWebSocket

/// Why a WebSocket is closed. Source: RFC 6455, §7.4.1.
public enum WebSocketCode {
  public static let normal: UInt16 = 1000
  /// The server stops, or the user leaves the page.
  public static let goingAway: UInt16 = 1001
  public static let protocolError: UInt16 = 1002
  /// A text that is no UTF-8.
  public static let invalidText: UInt16 = 1007
  /// The token is wrong or missing.
  public static let policyViolation: UInt16 = 1008
  public static let tooLarge: UInt16 = 1009
  /// Too much waits for the client; it may come back.
  public static let tryAgainLater: UInt16 = 1013

  /// Whether a client may send the code.
  static func isSendable(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

/// Frames as the server sends them: whole messages, unmasked. Source: RFC 6455, §5.2.
enum WebSocketFrames {
  static func text(_ text: String) -> ByteBuffer {
    var text = text
    return text.withUTF8 { bytes in
      var frame = header(.text, bytes.count)
      frame.writeBytes(bytes)
      return frame
    }
  }

  static func binary(_ pieces: [[UInt8]]) -> ByteBuffer {
    var frame = header(.binary, pieces.reduce(0) { $0 + $1.count })
    for piece in pieces { frame.writeBytes(piece) }
    return frame
  }

  /// - Parameter payload: at most 125 bytes.
  static func control(_ opcode: WebSocketOpcode, _ payload: ByteBuffer = ByteBuffer()) -> ByteBuffer {
    var (frame, payload) = (header(opcode, payload.readableBytes), payload)
    frame.writeBuffer(&payload)
    return frame
  }

  /// - Parameter reason: cut to the 123 bytes that a frame holds.
  static func close(_ code: UInt16, _ reason: String) -> ByteBuffer {
    var payload = ByteBuffer(integer: code)
    var text = reason
    while text.utf8.count > 123 { text.removeLast() }
    payload.writeString(text)
    return control(.connectionClose, payload)
  }

  private static func header(_ opcode: WebSocketOpcode, _ length: Int) -> ByteBuffer {
    var frame = ByteBuffer()
    frame.reserveCapacity(length + 10)
    frame.writeInteger(0x80 | UInt8(webSocketOpcode: opcode))
    switch length {
    case ...125: frame.writeInteger(UInt8(length))
    case ...0xFFFF: frame.writeMultipleIntegers(UInt8(126), UInt16(length))
    default: frame.writeMultipleIntegers(UInt8(127), UInt64(length))
    }
    return frame
  }
}

/// Puts the fragments of messages together.
struct MessageAssembly {
  enum Result: Equatable {
    /// More fragments are to come.
    case incomplete
    case text(String)
    case binary([UInt8])
    /// The connection is to be closed with this code.
    case failure(UInt16)
  }

  /// The most bytes of a message.
  let limit: Int
  private var isText: Bool?
  private var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// - Parameters:
  ///   - opcode: text, binary or continuation.
  ///   - data: without its mask.
  mutating func take(_ opcode: WebSocketOpcode, isLast: Bool, _ data: ByteBuffer) -> Result {
    if opcode == .continuation {
      guard isText != nil else { return .failure(WebSocketCode.protocolError) }
    } else {
      guard isText == nil else { return .failure(WebSocketCode.protocolError) }
      isText = opcode == .text
    }
    guard bytes.count + data.readableBytes <= limit else { return .failure(WebSocketCode.tooLarge) }
    bytes.append(contentsOf: data.readableBytesView)
    guard isLast, let isText else { return .incomplete }
    let message = bytes
    (self.isText, bytes) = (nil, [])
    guard isText else { return .binary(message) }
    return String(validating: message, as: UTF8.self).map { .text($0) } ?? .failure(WebSocketCode.invalidText)
  }
}
