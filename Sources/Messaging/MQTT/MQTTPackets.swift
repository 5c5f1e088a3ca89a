/// A message for a broker.
public struct MQTTMessage: Sendable, Hashable {
  public var topic: String
  public var payload: [UInt8]
  /// Whether the broker keeps it for those who come later. Of retained messages only the newest of a topic counts.
  public var isRetained: Bool

  public init(_ topic: String, _ text: String, isRetained: Bool = false) {
    (self.topic, payload, self.isRetained) = (topic, Array(text.utf8), isRetained)
  }
}

/// The bytes of MQTT 3.1.1 (OASIS, 29 October 2014), as far as a publisher needs them.
enum MQTTPacket {
  /// What a broker sends to a publisher.
  enum Incoming: Hashable {
    /// CONNACK, with its return code.
    case connected(code: UInt8)
    /// PUBACK of a message.
    case acknowledged(UInt16)
    case pong
    /// What a publisher has not asked for, and may ignore.
    case other
  }

  /// CONNECT, with a clean session and a last will of quality 1 that is retained.
  static func connect(
    client: String, will: MQTTMessage, keepAlive: UInt16, user: String?, password: String?
  ) -> [UInt8] {
    var flags: UInt8 = 0x02 | 0x04 | 0x08 | 0x20
    if user != nil { flags |= 0x80 }
    if password != nil { flags |= 0x40 }
    var body = string("MQTT") + [4, flags] + number(keepAlive) + string(client)
    body += string(will.topic) + bytes(will.payload)
    for text in [user, password] { if let text { body += string(text) } }
    return packet(0x10, body)
  }

  /// PUBLISH of quality 1.
  static func publish(_ message: MQTTMessage, id: UInt16) -> [UInt8] {
    let flags: UInt8 = 0x32 | (message.isRetained ? 1 : 0)
    return packet(flags, string(message.topic) + number(id) + message.payload)
  }

  static let ping: [UInt8] = [0xC0, 0]
  static let disconnect: [UInt8] = [0xE0, 0]

  private static func packet(_ first: UInt8, _ body: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    var rest = body.count
    repeat {
      length.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return [first] + length + body
  }

  private static func number(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
  private static func bytes(_ value: [UInt8]) -> [UInt8] {
    number(UInt16(clamping: value.count)) + value.prefix(65_535)
  }
  private static func string(_ text: String) -> [UInt8] { bytes(Array(text.utf8)) }
}

/// Reads packets from bytes as they come.
struct MQTTReader {
  /// What came is no MQTT.
  struct Garbage: Error, Hashable {}

  private var bytes: [UInt8] = []
  /// The type and the flags of the packet that has begun; nil if none has.
  var first: UInt8? { bytes.first }
  /// A publisher gets nothing longer than this.
  private static let longest = 65_536

  mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

  /// Returns the next packet; nil until more has come.
  mutating func next() throws -> MQTTPacket.Incoming? {
    guard let first = bytes.first else { return nil }
    var (length, shift, place) = (0, 0, 1)
    while true {
      guard place < bytes.count else { return nil }
      length |= Int(bytes[place] & 0x7F) << shift
      place += 1
      if bytes[place - 1] & 0x80 == 0 { break }
      shift += 7
      guard shift <= 21 else { throw Garbage() }
    }
    guard length <= Self.longest else { throw Garbage() }
    guard bytes.count >= place + length else { return nil }
    let body = Array(bytes[place..<place + length])
    bytes.removeFirst(place + length)
    switch (first, body.count) {
    case (0x20, 2): return .connected(code: body[1])
    case (0x40, 2): return .acknowledged(UInt16(body[0]) << 8 | UInt16(body[1]))
    case (0xD0, 0): return .pong
    // PUBLISH, SUBACK and others of the standard.
    case (0x30...0x3F, _), (0x90, _), (0xB0, _), (0x50, _), (0x62, _), (0x70, _): return .other
    default: throw Garbage()
    }
  }
}
