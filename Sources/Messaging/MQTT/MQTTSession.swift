import FrameCore

/// The conversation of a publisher with a broker: what to send when, what was delivered, what is kept.
///
/// A pure state machine, without a clock or a socket. Messages have quality 1: each is sent until the broker has
/// confirmed it, so it may come twice. While there is no connection, a bounded number waits; the oldest are lost.
/// Retained messages are sent anew after every connection.
struct MQTTSession {
  /// Why a connection is of no use.
  enum Problem: Error, Hashable, CustomStringConvertible {
    case refused(UInt8)
    case garbage
    case silent

    var description: String {
      switch self {
      case .refused(1): "the broker does not speak MQTT 3.1.1"
      case .refused(2): "the broker refuses this name of a client"
      case .refused(3): "the broker is not available"
      case .refused(4), .refused(5):
        "the broker refuses who connects; set MQTT_USERNAME and MQTT_PASSWORD in the environment"
      case .refused(let code): "the broker refuses with code \(code)"
      case .garbage: "what answers is no MQTT broker"
      case .silent: "the broker does not answer"
      }
    }
  }

  struct Identity: Sendable, Hashable {
    var client: String
    /// The topic that says `online` and `offline`.
    var statusTopic: String
    var user: String?
    var password: String?
  }

  private enum Phase: Hashable { case closed, opening, open }

  private let identity: Identity
  private var phase = Phase.closed
  private var reader = MQTTReader()
  /// Messages that wait, and those that are sent and not confirmed, oldest first.
  private var waiting: [MQTTMessage] = []
  private var sent: [(id: UInt16, message: MQTTMessage)] = []
  /// The newest retained message of each topic, in the order of the topics' first.
  private var retained: [MQTTMessage] = []
  private var nextID: UInt16 = 1
  private var lastSent = Timestamp(nanoseconds: 0)
  /// Since when an answer is awaited.
  private var awaited: Timestamp?
  /// Messages that were lost because too many waited.
  private(set) var lost = 0

  static let keepAlive: UInt16 = 30
  private static let patience = 10.0
  static let (mostWaiting, mostSent) = (200, 16)

  init(_ identity: Identity) { self.identity = identity }

  var isOpen: Bool { phase == .open }
  /// Whether everything was confirmed.
  var isIdle: Bool { waiting.isEmpty && sent.isEmpty }

  mutating func publish(_ message: MQTTMessage) {
    if message.isRetained {
      if let index = retained.firstIndex(where: { $0.topic == message.topic }) {
        retained[index] = message
      } else {
        retained.append(message)
      }
      // Sent anew after the connection.
      guard phase == .open else { return }
      waiting.removeAll { $0.topic == message.topic }
    }
    waiting.append(message)
    if waiting.count > Self.mostWaiting {
      // States are worth more than events.
      waiting.remove(at: waiting.firstIndex { !$0.isRetained } ?? 0)
      lost += 1
    }
  }

  /// A connection was made; returns what to send.
  mutating func opened(at now: Timestamp) -> [UInt8] {
    reader = MQTTReader()
    phase = .opening
    (lastSent, awaited) = (now, now)
    return MQTTPacket.connect(
      client: identity.client, will: MQTTMessage(identity.statusTopic, "offline", isRetained: true),
      keepAlive: Self.keepAlive, user: identity.user, password: identity.password)
  }

  /// The connection was lost; what was not confirmed is sent again.
  mutating func closed() {
    phase = .closed
    awaited = nil
    waiting.insert(contentsOf: sent.map(\.message).filter { !$0.isRetained }, at: 0)
    waiting.removeAll(where: \.isRetained)
    sent = []
  }

  /// Takes what the broker sent.
  ///
  /// - Throws: `Problem`: the connection is to be closed.
  mutating func received(_ bytes: [UInt8], at now: Timestamp) throws(Problem) {
    reader.append(bytes)
    // A broker's first packet accepts or refuses. What is none may begin with the length of a packet that never comes.
    if phase == .opening, let first = reader.first, first != 0x20 { throw .garbage }
    while true {
      let packet: MQTTPacket.Incoming?
      do { packet = try reader.next() } catch { throw .garbage }
      guard let packet else { return }
      switch packet {
      case .connected(let code):
        guard phase == .opening else { throw .garbage }
        guard code == 0 else { throw .refused(code) }
        phase = .open
        waiting = [MQTTMessage(identity.statusTopic, "online", isRetained: true)] + retained + waiting
      case .acknowledged(let id): sent.removeAll { $0.id == id }
      case .pong, .other: break
      }
      guard phase == .open else { throw .garbage }
      awaited = sent.isEmpty ? nil : now
    }
  }

  /// Returns what to send now.
  ///
  /// - Parameter isFull: whether the broker takes nothing at present, so that nothing more is to be sent.
  /// - Throws: `Problem.silent` if the broker should have answered.
  mutating func step(at now: Timestamp, isFull: Bool = false) throws(Problem) -> [UInt8] {
    if let awaited, now.seconds(since: awaited) > Self.patience { throw .silent }
    guard phase == .open, !isFull else { return [] }
    var bytes: [UInt8] = []
    while sent.count < Self.mostSent, !waiting.isEmpty {
      let message = waiting.removeFirst()
      bytes += MQTTPacket.publish(message, id: nextID)
      sent.append((nextID, message))
      nextID = nextID == .max ? 1 : nextID + 1
    }
    if bytes.isEmpty, now.seconds(since: lastSent) >= Double(Self.keepAlive) / 2 { bytes = MQTTPacket.ping }
    if !bytes.isEmpty {
      lastSent = now
      awaited = awaited ?? now
    }
    return bytes
  }

  /// What to send before the connection is closed on purpose; the last will does not come then.
  static let farewell = MQTTPacket.disconnect
}
